#include "cli/flags.h"

#include "text/nearest.h"

const struct command *command_find(struct sv name)
{
	for (const struct command *c = cli_commands; c->name; c++)
		if (sv_is(name, c->name))
			return c;
	return sv_is(name, "plugins") ? command_find(SV("plugin")) : NULL;
}

/* A command's own flags come first, then the general ones of `awl` itself. */
static const struct flag *args_flag_at(const struct command *command, size_t i)
{
	if (i < command->nflags)
		return &command->flags[i];
	i -= command->nflags;
	if (command == &cli_main || i >= flags_general())
		return NULL;
	return &cli_main.flags[i];
}

static const struct flag *args_find_long(const struct command *command, struct sv name)
{
	const struct flag *flag;

	for (size_t i = 0; (flag = args_flag_at(command, i)); i++)
		if (sv_is(name, flag->name) || (flag->alias && sv_is(name, flag->alias)))
			return flag;
	return NULL;
}

static const struct flag *args_find_short(const struct command *command, char letter)
{
	const struct flag *flag;

	for (size_t i = 0; (flag = args_flag_at(command, i)); i++)
		if (flag->letter == letter || (flag->letter_too && flag->letter_too == letter))
			return flag;
	return NULL;
}

/* What to do when the option belongs to another program. */
static const char *args_hint(const struct command *command)
{
	return command != &cli_main && command->max_words == SIZE_MAX
		       ? "; -- goes before the words of another program"
		       : "";
}

static bool args_unknown_flag(const struct command *command, struct sv name, struct err *err)
{
	struct nearest best = NEAREST_INIT;
	const char *why = flag_absent(name);
	const struct flag *flag;

	if (why)
		return err_set(err, ERR_UNSUPPORTED, "option '--%.*s' is not supported: %s",
			       SV_ARG(name), why);
	for (size_t i = 0; (flag = args_flag_at(command, i)); i++)
		nearest_offer(&best, name, sv_cstr(flag->name));
	if (best.word.len)
		return err_set(err, ERR_INVALID, "unknown option '--%.*s'; did you mean '--%.*s'?",
			       SV_ARG(name), SV_ARG(best.word));
	return err_set(err, ERR_INVALID, "unknown option '--%.*s'%s", SV_ARG(name),
		       args_hint(command));
}

/* Whether a word is too close to a command to be a prompt: "hlep" is, "hello" is not. */
static bool is_misspelt_command(struct sv name, struct err *err)
{
	struct nearest best = NEAREST_INIT;

	for (const struct command *c = cli_commands; c->name; c++)
		nearest_offer(&best, name, sv_cstr(c->name));
	if (!best.word.len || best.distance > 1)
		return false;
	err_set(err, ERR_INVALID, "unknown command '%.*s'; did you mean '%.*s'?", SV_ARG(name),
		SV_ARG(best.word));
	return true;
}

/* Whether a word is a command of another agent. Sent to a model, it would cost money and not do what
 * the user meant. */
static bool args_is_absent_command(struct sv name, struct err *err)
{
	const char *instead = command_absent(name);

	if (!instead)
		return false;
	err_set(err, ERR_UNSUPPORTED,
		"awl has no '%.*s' yet%s%s (a prompt that begins with this word "
		"goes in quotes, or after --)",
		SV_ARG(name), *instead ? "; " : "", instead);
	return true;
}

/* The words still to be read. */
struct cursor {
	char **argv;
	int argc, at;
};

static const char *args_next_word(struct cursor *c)
{
	return c->at < c->argc ? c->argv[c->at++] : NULL;
}

/* The next word unless it is a flag. */
static const char *args_next_plain_word(struct cursor *c)
{
	const char *word = c->at < c->argc ? c->argv[c->at] : NULL;

	if (word && word[0] == '-' && word[1])
		return NULL;
	return args_next_word(c);
}

/* Store `flag` with the value attached to it, or with the words after it that it takes. */
static bool args_take_flag(struct args *args, const struct flag *flag, const char *attached,
			   struct cursor *c, struct err *err)
{
	struct arg arg = { .flag = flag, .value = attached };
	bool needs_value = flag->takes == FLAG_VALUE || flag->takes == FLAG_LIST;

	if (attached && flag->takes == FLAG_SWITCH)
		return err_set(err, ERR_INVALID, "option '--%s' takes no value", flag->name);
	if (!attached && needs_value)
		arg.value = args_next_word(c);
	else if (!attached && flag->takes == FLAG_OPTIONAL)
		arg.value = args_next_plain_word(c);
	if (!arg.value && needs_value)
		return err_set(err, ERR_INVALID, "option '--%s' needs a value: --%s <%s>",
			       flag->name, flag->name, flag->value);
	vec_push(&args->flags, arg);
	while (!attached && flag->takes == FLAG_LIST && (arg.value = args_next_plain_word(c)))
		vec_push(&args->flags, arg);
	return true;
}

static bool args_take_long(struct args *args, const char *word, struct cursor *c, struct err *err)
{
	struct sv rest = sv_cstr(word + 2), name;
	bool has_value = sv_find_char(rest, '=') != SIZE_MAX;
	const struct flag *flag;

	sv_cut(&rest, '=', &name);
	flag = args_find_long(args->command, name);
	if (!flag)
		return args_unknown_flag(args->command, name, err);
	return args_take_flag(args, flag, has_value ? rest.ptr : NULL, c, err);
}

static bool args_unknown_letter(const struct command *command, char letter, struct err *err)
{
	const char *why = flag_letter_absent(letter);

	if (why)
		return err_set(err, ERR_UNSUPPORTED, "option '-%c' is not supported: %s", letter,
			       why);
	return err_set(err, ERR_INVALID, "unknown option '-%c'%s", letter, args_hint(command));
}

/* Parse "-v", or several switches in one word; the last one may take a value. */
static bool args_take_short(struct args *args, const char *word, struct cursor *c, struct err *err)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const struct flag *flag = args_find_short(args->command, *letter);
		const char *attached = NULL;

		if (!flag)
			return args_unknown_letter(args->command, *letter, err);
		if (flag->takes != FLAG_SWITCH && letter[1])
			attached = letter + (letter[1] == '=' ? 2 : 1);
		if (!args_take_flag(args, flag, attached, c, err))
			return false;
		if (attached)
			break;
	}
	return true;
}

/* With -p, before or after them, words are a prompt and not a command. */
static bool args_asks_to_print(const struct cursor *c)
{
	for (int i = 1; i < c->argc && !sv_is(sv_cstr(c->argv[i]), "--"); i++)
		if (sv_is(sv_cstr(c->argv[i]), "-p") || sv_is(sv_cstr(c->argv[i]), "--print"))
			return true;
	return false;
}

/* The first word chooses the command, unless it is a prompt. All others are arguments of
 * the command. */
static bool args_take_word(struct args *args, const char *word, bool is_prompt, struct err *err)
{
	const struct command *command = args->command;

	is_prompt |= sv_find_char(sv_cstr(word), ' ') != SIZE_MAX;
	if (command == &cli_main && !args->words.n && !is_prompt) {
		const struct command *found = command_find(sv_cstr(word));

		if (found) {
			args->command = found;
			return true;
		}
		if (args_is_absent_command(sv_cstr(word), err) ||
		    is_misspelt_command(sv_cstr(word), err))
			return false;
	}
	if (args->words.n == command->max_words)
		return err_set(err, ERR_INVALID, "unexpected argument '%s' for 'awl %s'", word,
			       command->name);
	vec_push(&args->words, word);
	return true;
}

static bool args_take_all(struct args *args, struct cursor *c, struct err *err)
{
	bool flags_ended = false, prints = args_asks_to_print(c);
	const char *word;

	while ((word = args_next_word(c))) {
		bool ok;

		if (!flags_ended && sv_is(sv_cstr(word), "--")) {
			flags_ended = true;
			continue;
		}
		if (flags_ended || word[0] != '-' || !word[1])
			ok = args_take_word(args, word, flags_ended || prints, err);
		else if (word[1] == '-')
			ok = args_take_long(args, word, c, err);
		else
			ok = args_take_short(args, word, c, err);
		if (!ok)
			return false;
	}
	return true;
}

bool args_parse(struct args *out, int argc, char **argv, struct err *err)
{
	struct cursor cursor = { .argv = argv, .argc = argc, .at = 1 };
	struct args args = { .command = &cli_main };

	if (!args_take_all(&args, &cursor, err)) {
		args_clear(&args);
		return false;
	}
	*out = args;
	return true;
}

void args_clear(struct args *args)
{
	vec_clear(&args->flags);
	vec_clear(&args->words);
}

static const struct arg *args_find_arg(const struct args *args, const char *flag)
{
	for (size_t i = args->flags.n; i > 0; i--)
		if (sv_is(sv_cstr(args->flags.at[i - 1].flag->name), flag))
			return &args->flags.at[i - 1];
	return NULL;
}

bool args_has(const struct args *args, const char *flag)
{
	return args_find_arg(args, flag) != NULL;
}

const char *args_value(const struct args *args, const char *flag)
{
	const struct arg *arg = args_find_arg(args, flag);

	return arg ? arg->value : NULL;
}

const char *args_next(const struct args *args, const char *flag, size_t *at)
{
	while (*at < args->flags.n) {
		const struct arg *arg = &args->flags.at[(*at)++];

		if (arg->value && sv_is(sv_cstr(arg->flag->name), flag))
			return arg->value;
	}
	return NULL;
}
