#include "base/log.h"
#include "cli/command.h"
#include "test.h"

/* Parses the words of one line, split at single blanks. */
static bool parse(struct args *out, const char *line, struct err *err)
{
	static char buffer[256];
	static char *argv[32];
	struct sv rest, word;
	int argc = 0;

	snprintf(buffer, sizeof(buffer), "%s", line);
	rest = sv_cstr(buffer);
	while (sv_cut(&rest, ' ', &word)) {
		argv[argc++] = (char *)word.ptr;
		buffer[word.ptr + word.len - buffer] = '\0';
	}
	argv[argc] = NULL;
	return args_parse(out, argc, argv, err);
}

TEST(flags_are_found_in_long_short_and_attached_form)
{
	static const char *const lines[] = {
		"awl --debug-file log --version help man",
		"awl --debug-file=log -v help man",
		"awl help --debug-file log -v man",
		"awl help man --version --debug-file=log",
		"awl -v --debug-file log help -- man",
	};

	for (size_t i = 0; i < countof(lines); i++) {
		defer(args_clear) struct args args = ARGS_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(parse(&args, lines[i], &err), err);
		CHECK_STR(args.command->name, "help");
		CHECK(args_has(&args, "version") && !args_has(&args, "help"));
		CHECK_STR(args_value(&args, "debug-file"), "log");
		CHECK_INT(args.words.n, 1);
		CHECK_STR(args.words.at[0], "man");
	}
}

TEST(a_command_line_that_cannot_be_meant_is_refused_and_explained)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ "awl --verison", "unknown option '--verison'; did you mean '--version'?" },
		{ "awl --verison=3", "unknown option '--verison'; did you mean" },
		{ "awl --frobnicate", "unknown option '--frobnicate'" },
		{ "awl -x", "unknown option '-x'" },
		{ "awl -vx", "unknown option '-x'" },
		{ "awl hlep", "unknown command 'hlep'; did you mean 'help'?" },
		{ "awl --version=yes", "option '--version' takes no value" },
		{ "awl --debug-file", "option '--debug-file' needs a value: --debug-file <file>" },
		{ "awl --allowedTools", "option '--allowedTools' needs a value" },
		{ "awl --alowedTools x", "did you mean '--allowedTools'?" },
		{ "awl help --model x", "unknown option '--model'" },
		{ "awl mcp add x npx -y", "unknown option '-y'; -- goes before the words" },
		{ "awl mcp add x --zzz", "unknown option '--zzz'; -- goes before the words" },
		{ "awl man extra", "unexpected argument 'extra' for 'awl man'" },
		{ "awl help man extra", "unexpected argument 'extra' for 'awl help'" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct args args = ARGS_INIT;
		struct err err = ERR_INIT;

		CHECK(!parse(&args, cases[i].line, &err));
		CHECK_ERR(err, ERR_INVALID, cases[i].text);
		CHECK(args.command == NULL);
	}
}

TEST(a_command_of_other_agents_is_not_a_prompt)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ "awl install stable",
		  "awl has no 'install' yet (a prompt that begins with this word" },
		{ "awl install --help", "awl has no 'install' yet" },
		{ "awl --help install", "awl has no 'install' yet" },
		{ "awl resume", "awl has no 'resume' yet; use --resume ID or --continue (" },
		{ "awl cc://host/x", "awl has no 'cc://host/x' yet" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(args_clear) struct args args = ARGS_INIT;
		struct err err = ERR_INIT;

		CHECK(!parse(&args, cases[i].line, &err));
		CHECK_ERR(err, ERR_UNSUPPORTED, cases[i].text);
	}
}

TEST(words_that_are_no_command_are_a_prompt)
{
	static const char *const lines[] = {
		"awl frobnicate this",
		"awl -- frobnicate this",
		"awl -p frobnicate this",
		"awl frobnicate this -p",
		"awl --model m frobnicate -- this",
		"awl --allowedTools Read Edit -p frobnicate this",
		"awl frobnicate this --add-dir a b",
		"awl --add-dir=a frobnicate this",
		"awl --resume=x frobnicate this",
	};

	for (size_t i = 0; i < countof(lines); i++) {
		defer(args_clear) struct args args = ARGS_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(parse(&args, lines[i], &err), err);
		CHECK(args.command == &cli_main);
		CHECK_INT(args.words.n, 2);
		CHECK_STR(args.words.at[0], "frobnicate");
		CHECK_STR(args.words.at[1], "this");
	}
}

TEST(with_p_a_command_is_a_prompt_too)
{
	static const char *const lines[] = { "awl -p help", "awl help -p", "awl -- help" };

	for (size_t i = 0; i < countof(lines); i++) {
		defer(args_clear) struct args args = ARGS_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(parse(&args, lines[i], &err), err);
		CHECK(args.command == &cli_main);
		CHECK_STR(args.words.at[0], "help");
	}
}

static void check_values(const struct args *args, const char *flag, const char *expected)
{
	defer(str_clear) struct str all = STR_INIT;
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));)
		str_addf(&all, "%s;", value);
	CHECK_STR(str_c(&all), expected);
}

TEST(a_p_behind_the_flags_is_for_the_command)
{
	defer(args_clear) struct args args = ARGS_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(parse(&args, "awl sandbox -- mkdir -p a", &err), err);
	CHECK_STR(args.command->name, "sandbox");
	CHECK_INT(args.words.n, 3);
	CHECK(!args_has(&args, "print"));
}

TEST(a_list_takes_every_word_up_to_the_next_flag)
{
	static const struct {
		const char *line, *values;
	} cases[] = {
		{ "awl -p --allowedTools Read Edit --model m", "Read;Edit;" },
		{ "awl -p --allowed-tools Read --allowedTools=Edit,Bash x", "Read;Edit,Bash;" },
		{ "awl -p --allowedTools= x", ";" },
		{ "awl -p --allowedTools Read -- x", "Read;" },
		{ "awl -p x", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(args_clear) struct args args = ARGS_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(parse(&args, cases[i].line, &err), err);
		check_values(&args, "allowedTools", cases[i].values);
	}
}

TEST(an_optional_value_is_a_word_that_is_no_flag)
{
	static const struct {
		const char *line, *value;
	} cases[] = {
		{ "awl -r -p", NULL },       { "awl --resume", NULL },    { "awl -r id", "id" },
		{ "awl --resume id", "id" }, { "awl --resume=id", "id" }, { "awl -rid", "id" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(args_clear) struct args args = ARGS_INIT;
		struct err err = ERR_INIT;
		const char *value;

		CHECK_OK(parse(&args, cases[i].line, &err), err);
		CHECK(args_has(&args, "resume"));
		value = args_value(&args, "resume");
		CHECK_STR(value ? value : "none", cases[i].value ? cases[i].value : "none");
	}
}

TEST(a_lone_dash_is_a_word)
{
	defer(args_clear) struct args args = ARGS_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(parse(&args, "awl help -", &err), err);
	CHECK_STR(args.words.at[0], "-");
}

TEST(the_last_value_of_a_repeated_flag_counts)
{
	defer(args_clear) struct args args = ARGS_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(parse(&args, "awl --debug-file a --debug-file=b", &err), err);
	CHECK_STR(args_value(&args, "debug-file"), "b");
}

static void check_mentions(struct sv page, const char *word)
{
	if (sv_find(page, sv_cstr(word)) != SIZE_MAX)
		return;
	print_error("%s is not mentioned\n", word);
	fail();
}

/* Part by part: roff writes the dash between them its own way. */
static void check_mentions_parts(struct sv page, const char *name)
{
	struct sv rest = sv_cstr(name), part;

	while (sv_cut(&rest, '-', &part)) {
		defer(mem_freep) char *word = sv_dup(part);

		check_mentions(page, word);
	}
}

/* Help, manual and completions derive from the tables: whatever is in the
 * tables is in each of them. */
TEST(every_command_and_flag_is_in_help_manual_and_completions)
{
	static const char *const shells[] = { "bash", "zsh", "fish" };
	struct str pages[5] = { STR_INIT };
	struct err err = ERR_INIT;

	help_page(&pages[0], &cli_main);
	man_page(&pages[1]);
	for (size_t i = 0; i < countof(shells); i++)
		CHECK_OK(completion_script(&pages[2 + i], sv_cstr(shells[i]), &err), err);
	for (size_t page = 0; page < countof(pages); page++) {
		for (const struct command *c = cli_commands; c->name; c++)
			check_mentions_parts(sv_of(&pages[page]), c->name);
		for (size_t i = 0; i < cli_main.nflags; i++)
			check_mentions_parts(sv_of(&pages[page]), cli_main.flags[i].name);
		str_clear(&pages[page]);
	}
}

/* The compiler accepts a text that fits without its NUL. */
#define CHECK_FITS(text) CHECK(strnlen((text), sizeof(text)) < sizeof(text))

static void check_texts_fit(const struct command *command)
{
	for (size_t i = 0; i < command->nflags; i++) {
		CHECK_FITS(command->flags[i].name);
		CHECK_FITS(command->flags[i].value);
	}
	for (const struct action *a = command->actions; a && a->name[0]; a++)
		CHECK_FITS(a->name);
}

TEST(names_of_flags_and_actions_fit_into_their_rows)
{
	check_texts_fit(&cli_main);
	for (const struct command *c = cli_commands; c->name; c++)
		check_texts_fit(c);
}

/* Otherwise help and manual would have the same heading twice. */
TEST(the_flags_of_a_group_stand_together)
{
	bool is_over[FLAG_GROUPS] = { false };

	for (size_t i = 0; i < cli_main.nflags; i++) {
		CHECK(!is_over[cli_main.flags[i].group]);
		if (i + 1 < cli_main.nflags &&
		    cli_main.flags[i + 1].group != cli_main.flags[i].group)
			is_over[cli_main.flags[i].group] = true;
	}
}

TEST(help_names_every_part_that_a_debug_filter_can_choose)
{
	defer(str_clear) struct str parts = STR_INIT;
	const struct flag *flag = cli_main.flags;

	for (size_t i = 0; log_folder_name(i); i++)
		str_addf(&parts, "%s%s", i ? ", " : ": ", log_folder_name(i));
	while (strcmp(flag->name, "debug") != 0)
		flag++;
	CHECK(sv_ends(sv_cstr(flag->help), sv_of(&parts)));
}

TEST(help_shows_the_other_spelling_of_a_flag)
{
	defer(str_clear) struct str page = STR_INIT;

	help_page(&page, &cli_main);
	CHECK(strstr(page.ptr, "      --allowedTools, --allowed-tools <rules>...\n"));
}

TEST(help_lines_fit_a_terminal_of_80_columns)
{
	defer(str_clear) struct str page = STR_INIT;
	struct sv rest, line;

	help_page(&page, &cli_main);
	rest = sv_of(&page);
	while (sv_cut_line(&rest, &line))
		CHECK(line.len <= 80);
}
