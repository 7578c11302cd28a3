/* Completions for three shells, all from the tables of commands and flags. What depends on the
 * user's files (keys of settings, ids of sessions) or is long (events of hooks) the scripts ask awl for when it is needed. */
#include "cli/command.h"

static bool completion_needs_value(const struct flag *flag)
{
	return flag->takes == FLAG_VALUE || flag->takes == FLAG_LIST;
}

static bool completion_takes_file(const struct flag *flag)
{
	static const char *const words[] = { "dir", "file", "path" };

	for (size_t i = 0; i < countof(words); i++)
		if (sv_find(sv_cstr(flag->value), sv_cstr(words[i])) != SIZE_MAX)
			return true;
	return false;
}

/* The flags of `awl` itself come after those of the commands; NULL at the end. */
static const struct command *completion_next(const struct command *command)
{
	if (command == &cli_main)
		return NULL;
	command++;
	return command->name ? command : &cli_main;
}

/* Append all names of sub-commands, separated by blanks. */
static void completion_add_commands(struct str *out)
{
	for (const struct command *c = cli_commands; c->name; c++)
		str_addf(out, "%s%s", c == cli_commands ? "" : " ", c->name);
}

/* Append what the first word of a command may be; nothing when that is not known. */
static void completion_add_first_words(struct str *out, const struct command *command)
{
	for (const struct action *a = command->actions; a && a->name[0]; a++)
		str_addf(out, "%s%s", a == command->actions ? "" : " ", a->name);
	if (command->first_words && sv_is(sv_cstr(command->first_words), "@commands"))
		completion_add_commands(out);
	else if (command->first_words)
		str_adds(out, command->first_words);
}

/* What awl is asked for the first argument of an action; NULL: nothing. */
static const char *completion_asks_for(const struct action *action)
{
	struct sv words = sv_cstr(action->words);

	if (sv_starts(words, SV("<key>")))
		return "keys";
	return sv_starts(words, SV("<session>")) || sv_starts(words, SV("[session]")) ? "sessions"
										      : NULL;
}

/* Append the first words after which the second is known. Returns what awl has to be asked for. */
static const char *completion_add_firsts(struct str *out, const struct command *command,
					 const char *between)
{
	const char *what = "keys";

	if (command->second_after) {
		str_adds(out, command->second_after);
		return command->second_words + 1;
	}
	for (const struct action *a = command->actions; a && a->name[0]; a++) {
		if (!completion_asks_for(a))
			continue;
		what = completion_asks_for(a);
		str_addf(out, "%s%s", out->len ? between : "", a->name);
	}
	return what;
}

/* --- bash ---------------------------------------------------------------------------------- */

/* Append the long form of every flag, separated by blanks as the shells expect. */
static void completion_add_names(struct str *out, const struct flag *flags, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, " --%s", flags[i].name);
}

/* "@sessions" stands for what `awl completion sessions` prints. */
static void completion_bash_words(struct str *out, const char *choices)
{
	if (choices[0] == '@')
		str_addf(out, "words=$(awl completion %s 2>/dev/null)", choices + 1);
	else
		str_addf(out, "words='%s'", choices);
}

/* Flags of the same name take the same values everywhere. */
static void completion_bash_values(struct str *out)
{
	str_adds(out, "  case $before in\n");
	for (const struct command *c = cli_commands; c; c = completion_next(c)) {
		for (size_t i = 0; i < c->nflags; i++) {
			const struct flag *flag = &c->flags[i];

			if (!completion_needs_value(flag) && flag->takes != FLAG_OPTIONAL)
				continue;
			str_addf(out, "  --%s", flag->name);
			if (flag->letter)
				str_addf(out, "|-%c", flag->letter);
			str_adds(out, ") ");
			completion_bash_words(out, flag->choices ? flag->choices : "");
			str_adds(out, "; is_value=1 ;;\n");
		}
	}
	str_adds(out, "  esac\n");
}

static void completion_bash_command(struct str *out, const struct command *c)
{
	defer(str_clear) struct str first = STR_INIT, firsts = STR_INIT;
	const char *seconds;

	completion_add_first_words(&first, c);
	seconds = completion_add_firsts(&firsts, c, "|");
	str_addf(out, "  %s) words='", c->name);
	completion_add_names(out, c->flags, c->nflags);
	completion_add_names(out, cli_main.flags, flags_general());
	str_adds(out, "'\n");
	if (first.len)
		str_addf(out, "    [[ $COMP_CWORD == 2 ]] && words+=' %s'\n", first.ptr);
	if (firsts.len)
		str_addf(out,
			 "    [[ $COMP_CWORD == 3 && ${COMP_WORDS[2]} == @(%s) ]] && "
			 "words=$(awl completion %s 2>/dev/null)\n",
			 firsts.ptr, seconds);
	str_adds(out, "    ;;\n");
}

static void completion_bash_script(struct str *out)
{
	str_adds(out, "_awl() {\n"
		      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
		      "  local words='' is_value=''\n"
		      "  COMPREPLY=()\n"
		      "  if [[ $word == = ]]; then word=''\n"
		      "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n");
	completion_bash_values(out);
	str_adds(out, "  if [[ ! $is_value ]]; then case ${COMP_WORDS[1]} in\n");
	for (const struct command *c = cli_commands; c->name; c++)
		completion_bash_command(out, c);
	str_adds(out, "  *) words='");
	completion_add_commands(out);
	completion_add_names(out, cli_main.flags, cli_main.nflags);
	str_adds(out, "' ;;\n"
		      "  esac; fi\n"
		      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
		      "}\n"
		      "complete -o default -F _awl awl\n");
}

/* --- zsh ------------------------------------------------------------------------------------ */

/* Append `text` as the inside of a single-quoted word, for zsh and fish. */
static void completion_add_quoted(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			str_adds(out, "'\\''");
		else
			str_addc(out, *text);
	}
}

/* Append the name of a value; a colon would end it. */
static void completion_zsh_name(struct str *out, const char *name)
{
	for (; *name; name++)
		str_addf(out, "%s%c", *name == ':' ? "\\" : "", *name);
}

/* Append what completes a value; a blank is nothing. */
static void completion_zsh_values(struct str *out, const struct flag *flag)
{
	const char *choices = flag->choices;

	if (!choices)
		str_adds(out, completion_takes_file(flag) ? "_files" : " ");
	else if (choices[0] == '@')
		str_addf(out, "{compadd -- ${(f)\"$(awl completion %s 2>/dev/null)\"}}",
			 choices + 1);
	else
		str_addf(out, "(%s)", choices);
}

/* Append the rest of a flag after its name. */
static void completion_zsh_flag(struct str *out, const struct flag *flag)
{
	bool is_optional = flag->takes == FLAG_OPTIONAL;

	str_addc(out, '[');
	completion_add_quoted(out, flag->help);
	str_addc(out, ']');
	if (completion_needs_value(flag) || is_optional) {
		str_adds(out, is_optional ? "::" : ":");
		completion_zsh_name(out, flag->value);
		str_addc(out, ':');
		completion_zsh_values(out, flag);
	}
	str_addc(out, '\'');
}

static void completion_zsh_flags(struct str *out, const struct flag *flags, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct flag *flag = &flags[i];

		str_addf(out, " '--%s%s", flag->name, completion_needs_value(flag) ? "=" : "");
		completion_zsh_flag(out, flag);
		if (!flag->letter)
			continue;
		str_addf(out, " '-%c", flag->letter);
		completion_zsh_flag(out, flag);
	}
}

static void completion_zsh_command(struct str *out, const struct command *c)
{
	defer(str_clear) struct str first = STR_INIT, firsts = STR_INIT;
	const char *seconds;

	completion_add_first_words(&first, c);
	seconds = completion_add_firsts(&firsts, c, "|");
	str_addf(out, "  %s) ", c->name);
	if (firsts.len)
		str_addf(out,
			 "if (( CURRENT == 4 )) && [[ ${words[3]} == (%s) ]]; then\n"
			 "    compadd -- ${(f)\"$(awl completion %s 2>/dev/null)\"}; return\n"
			 "  fi; ",
			 firsts.ptr, seconds);
	str_adds(out, "_arguments");
	completion_zsh_flags(out, c->flags, c->nflags);
	completion_zsh_flags(out, cli_main.flags, flags_general());
	if (first.len)
		str_addf(out, " '2:word:(%s)'", first.ptr);
	str_adds(out, " '*:file:_files' ;;\n");
}

static void completion_zsh_script(struct str *out)
{
	str_adds(out, "#compdef awl\n"
		      "_awl() {\n"
		      "  local -a commands=(");
	for (const struct command *c = cli_commands; c->name; c++) {
		str_addf(out, " '%s:", c->name);
		completion_add_quoted(out, c->summary);
		str_addc(out, '\'');
	}
	str_adds(out, " )\n"
		      "  if (( CURRENT == 2 )) && [[ ${words[CURRENT]} != -* ]]; then\n"
		      "    _describe command commands\n"
		      "    return\n"
		      "  fi\n"
		      "  case ${words[2]} in\n");
	for (const struct command *c = cli_commands; c->name; c++)
		completion_zsh_command(out, c);
	str_adds(out, "  *) _arguments");
	completion_zsh_flags(out, cli_main.flags, cli_main.nflags);
	str_adds(out, " ;;\n"
		      "  esac\n"
		      "}\n"
		      "if [[ ${funcstack[1]} == _awl ]]; then _awl \"$@\"; " /* found by compinit */
		      "else compdef _awl awl; fi\n");
}

/* --- fish ----------------------------------------------------------------------------------- */

static void completion_fish_values(struct str *out, const char *choices)
{
	if (choices[0] == '@')
		str_addf(out, " -x -a '(awl completion %s 2>/dev/null)'", choices + 1);
	else
		str_addf(out, " -x -a '%s'", choices);
}

/* The general flags, which come first, work everywhere; the others of awl itself not behind a
 * command. */
static void completion_fish_flags(struct str *out, const struct command *command)
{
	for (size_t i = 0; i < command->nflags; i++) {
		const struct flag *flag = &command->flags[i];

		str_adds(out, "complete -c awl");
		if (command->name)
			str_addf(out, " -n '__fish_seen_subcommand_from %s'", command->name);
		else if (i >= flags_general())
			str_adds(out, " -n 'not __awl_seen_command'");
		str_addf(out, " -l %s", flag->name);
		if (flag->letter)
			str_addf(out, " -s %c", flag->letter);
		if (flag->choices)
			completion_fish_values(out, flag->choices);
		else if (completion_needs_value(flag))
			str_adds(out, completion_takes_file(flag) ? " -r" : " -x");
		str_adds(out, " -d '");
		completion_add_quoted(out, flag->help);
		str_adds(out, "'\n");
	}
}

static void completion_fish_words(struct str *out, const struct command *c)
{
	defer(str_clear) struct str first = STR_INIT, firsts = STR_INIT;
	const char *seconds;

	completion_add_first_words(&first, c);
	seconds = completion_add_firsts(&firsts, c, " ");
	if (first.len)
		str_addf(out,
			 "complete -c awl -n '__fish_seen_subcommand_from %s; and test (count "
			 "(commandline -opc)) -eq 2' -f -a '%s'\n",
			 c->name, first.ptr);
	if (firsts.len)
		str_addf(out,
			 "complete -c awl -n '__fish_seen_subcommand_from %s; and "
			 "__fish_seen_subcommand_from %s' -f -a '(awl completion %s "
			 "2>/dev/null)'\n",
			 c->name, firsts.ptr, seconds);
}

static void completion_fish_script(struct str *out)
{
	str_adds(out, "function __awl_seen_command\n"
		      "  __fish_seen_subcommand_from ");
	completion_add_commands(out);
	str_adds(out, "\nend\n");
	completion_fish_flags(out, &cli_main);
	for (const struct command *c = cli_commands; c->name; c++) {
		str_addf(out, "complete -c awl -n __fish_use_subcommand -f -a %s -d '", c->name);
		completion_add_quoted(out, c->summary);
		str_adds(out, "'\n");
		completion_fish_words(out, c);
		completion_fish_flags(out, c);
	}
}

static const struct {
	const char *name;
	void (*write)(struct str *out);
} shells[] = {
	{ "bash", completion_bash_script },
	{ "zsh", completion_zsh_script },
	{ "fish", completion_fish_script },
};

bool completion_script(struct str *out, struct sv shell, struct err *err)
{
	for (size_t i = 0; i < countof(shells); i++) {
		if (sv_is(shell, shells[i].name)) {
			shells[i].write(out);
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "no completions for '%.*s'; choose bash, zsh or fish",
		       SV_ARG(shell));
}
