#include "perm/program/case.h"

#include "test.h"

/* --- the words of a command --------------------------------------------------- */

struct reader {
	bool escaped;
	struct sv rest;
	struct str text;
	struct argument word;
	char quote;
};

/* Nothing is known of the rest of the word. */
static void hide(struct reader *reader, bool glob)
{
	reader->word.single = reader->word.known ? reader->quote == '"'
						 : reader->word.single && reader->quote == '"';
	reader->word.is_glob = glob;
	reader->word.known = false;
}

static void read_char(struct reader *reader, char c)
{
	bool escaped = reader->escaped;

	reader->escaped = !escaped && !reader->quote && c == '\\';
	if (reader->escaped)
		return;
	if (escaped && reader->word.known)
		str_addc(&reader->text, c);
	else if (reader->quote ? c == reader->quote : c == '\'' || c == '"')
		reader->quote = reader->quote ? '\0' : c;
	else if (c == '$' && reader->quote != '\'')
		hide(reader, false);
	else if (c == '*' && !reader->quote)
		hide(reader, true);
	else if (reader->word.known)
		str_addc(&reader->text, c);
}

static bool read_word(struct reader *reader, struct arena *arena)
{
	struct sv all;
	size_t n = 0;

	while (sv_starts(reader->rest, SV(" ")))
		reader->rest = sv_skip(reader->rest, 1);
	all = reader->rest;
	reader->word = (struct argument){ .known = true };
	str_truncate(&reader->text, 0);
	for (; n < all.len && (reader->quote || all.ptr[n] != ' '); n++)
		read_char(reader, all.ptr[n]);
	reader->rest = sv_skip(all, n);
	reader->word.text = arena_dup(arena, sv_of(&reader->text));
	reader->word.written = sv_slice(all, 0, n);
	return n > 0;
}

size_t program_words(struct sv command, struct argument *out, size_t max, struct arena *arena)
{
	struct reader reader = { .rest = command };
	size_t n = 0;

	while (n < max && read_word(&reader, arena))
		out[n++] = reader.word;
	str_clear(&reader.text);
	return n;
}

/* --- the line about it ----------------------------------------------------------- */

static void add_operand(struct str *out, const struct operand *operand)
{
	static const char *const uses[] = {
		[OPERAND_READ] = "read", [OPERAND_WRITE] = "write",   [OPERAND_ENTER] = "enter",
		[OPERAND_LIST] = "list", [OPERAND_REMOVE] = "remove", [OPERAND_DEVICE] = "device",
	};
	const char *quote = operand->known ? "" : "\"";

	str_addf(out, " %s:%s%.*s%s%s", uses[operand->use], quote, SV_ARG(operand->path), quote,
		 !operand->recursive      ? ""
		 : operand->follows_links ? "/...."
					  : "/..");
}

static void add_inner(struct str *out, const struct inner_command *inner,
		      const struct argument *argv)
{
	str_adds(out, inner->script.len > 0 ? (inner->is_transparent ? " throughscript" : " script")
		      : inner->is_transparent ? " through"
					      : " run");
	if (inner->directory.len > 0)
		str_addf(out, "@%.*s", SV_ARG(inner->directory));
	str_adds(out, inner->adds_environment ? "={" : "{");
	str_add(out, inner->script);
	for (size_t i = inner->from; i < inner->to; i++)
		str_addf(out, "%s%.*s", i > inner->from ? " " : "", SV_ARG(argv[i].written));
	str_adds(out, inner->more_args ? "}*" : "}");
}

static void add_flags(struct str *out, const struct program_use *use)
{
	str_adds(out, use->read_only ? "ro" : use->known ? "rule" : "?");
	if (use->network)
		str_adds(out, " net");
	if (use->is_floor)
		str_adds(out, " floor");
	if (use->is_shell)
		str_adds(out, " shell");
	if (use->is_interpreter)
		str_adds(out, " interpreter");
	if (use->known && !use->is_tool)
		str_adds(out, " open");
}

static void add_use(struct str *out, const struct program_use *use, const struct argument *argv)
{
	add_flags(out, use);
	if (use->escalates)
		str_addf(out, " escalates:%s", use->escalates);
	for (size_t i = 0; i < use->also_escalating.n; i++)
		str_addf(out, " +%zu", use->also_escalating.at[i]);
	if (use->loses)
		str_addf(out, " loses%s:%s", use->loses_named ? "!" : "", use->loses);
	for (size_t i = 0; i < use->operands.n; i++)
		add_operand(out, &use->operands.at[i]);
	for (size_t i = 0; i < use->inner.n; i++)
		add_inner(out, &use->inner.at[i], argv);
}

void program_line(struct str *out, struct sv command, struct arena *arena)
{
	defer(program_use_clear) struct program_use use;
	struct argument argv[64] = { { .known = true } }; /* without a word: the empty one */
	size_t n = program_words(command, argv, countof(argv), arena);

	program_analyse(&use, argv, max_of(n, (size_t)1), arena);
	add_use(out, &use, argv);
}

static bool check_one(const struct program_case *one, struct arena *arena)
{
	defer(str_clear) struct str line = STR_INIT;

	program_line(&line, sv_cstr(one->command), arena);
	if (strcmp(str_c(&line), one->expected) == 0)
		return true;
	print_error("%s\n  expected %s\n  but is   %s\n", one->command, one->expected,
		    str_c(&line));
	return false;
}

/* A command cut off anywhere is a command, too. */
static void cut_everywhere(const struct program_case *one, struct arena *arena)
{
	struct sv command = sv_cstr(one->command);

	for (size_t n = 1; n < command.len; n++) {
		defer(str_clear) struct str line = STR_INIT;

		program_line(&line, sv_slice(command, 0, n), arena);
		CHECK(line.len > 0);
	}
}

void program_check_all(const struct program_case *cases, size_t n)
{
	struct arena arena = ARENA_INIT;
	bool good = true;

	for (size_t i = 0; i < n; i++)
		good &= check_one(&cases[i], &arena);
	for (size_t i = 0; i < n; i++)
		cut_everywhere(&cases[i], &arena);
	arena_clear(&arena);
	CHECK(good);
}

void program_check_starts(const struct program_case *one, const char *start)
{
	defer(str_clear) struct str line = STR_INIT;
	struct arena arena = ARENA_INIT;

	program_line(&line, sv_cstr(one->command), &arena);
	arena_clear(&arena);
	if (sv_starts(sv_of(&line), sv_cstr(start)))
		return;
	print_error("%s\n  does not begin with %s: %s\n", one->command, start, str_c(&line));
	CHECK(false);
}
