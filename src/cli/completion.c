#include "cli/command.h"

static bool completion_needs_value(const struct flag *flag)
{
	return flag->takes == FLAG_VALUE || flag->takes == FLAG_LIST;
}

/* Append the long form of every flag, separated by blanks as the shells expect. */
static void completion_add_names(struct str *out, const struct flag *flags, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, " --%s", flags[i].name);
}

static void completion_bash_script(struct str *out)
{
	str_adds(out, "_awl() {\n"
		      "  local word=${COMP_WORDS[COMP_CWORD]} words\n"
		      "  case ${COMP_WORDS[1]} in\n");
	for (const struct command *c = cli_commands; c->name; c++) {
		str_addf(out, "  %s) words='", c->name);
		completion_add_names(out, c->flags, c->nflags);
		completion_add_names(out, cli_main.flags, flags_general());
		str_adds(out, "' ;;\n");
	}
	str_adds(out, "  *) words='");
	for (const struct command *c = cli_commands; c->name; c++)
		str_addf(out, " %s", c->name);
	completion_add_names(out, cli_main.flags, cli_main.nflags);
	str_adds(out, "' ;;\n"
		      "  esac\n"
		      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
		      "}\n"
		      "complete -o default -F _awl awl\n");
}

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

static void completion_zsh_flags(struct str *out, const struct flag *flags, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct flag *flag = &flags[i];

		str_addf(out, " '--%s%s[", flag->name, completion_needs_value(flag) ? "=" : "");
		completion_add_quoted(out, flag->help);
		str_addc(out, ']');
		if (completion_needs_value(flag))
			str_addf(out, ":%s:_files", flag->value);
		str_addc(out, '\'');
	}
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
	for (const struct command *c = cli_commands; c->name; c++) {
		str_addf(out, "  %s) _arguments", c->name);
		completion_zsh_flags(out, c->flags, c->nflags);
		completion_zsh_flags(out, cli_main.flags, flags_general());
		str_adds(out, " '*:file:_files' ;;\n");
	}
	str_adds(out, "  *) _arguments");
	completion_zsh_flags(out, cli_main.flags, cli_main.nflags);
	str_adds(out, " ;;\n"
		      "  esac\n"
		      "}\n"
		      "_awl \"$@\"\n");
}

static void completion_fish_flags(struct str *out, const struct command *command)
{
	for (size_t i = 0; i < command->nflags; i++) {
		const struct flag *flag = &command->flags[i];

		str_adds(out, "complete -c awl");
		if (command->name)
			str_addf(out, " -n '__fish_seen_subcommand_from %s'", command->name);
		str_addf(out, " -l %s", flag->name);
		if (flag->letter)
			str_addf(out, " -s %c", flag->letter);
		if (completion_needs_value(flag))
			str_adds(out, " -r");
		str_adds(out, " -d '");
		completion_add_quoted(out, flag->help);
		str_adds(out, "'\n");
	}
}

static void completion_fish_script(struct str *out)
{
	completion_fish_flags(out, &cli_main);
	for (const struct command *c = cli_commands; c->name; c++) {
		str_addf(out, "complete -c awl -n __fish_use_subcommand -a %s -d '", c->name);
		completion_add_quoted(out, c->summary);
		str_adds(out, "'\n");
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
