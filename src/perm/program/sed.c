/* sed scripts. One counts as harmless only when all of it is understood: addresses, and
 * commands that change nothing but what is printed. */
#include "perm/program/table.h"

#include "base/ascii.h"

enum { SED_SCRIPT = 1, SED_IN_PLACE };

static const struct option_row sed_options[] = {
	{ "-nErsuz -l= --quiet --silent --debug --follow-symlinks --line-length= --posix "
	  "--regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated "
	  "--help --version" },
	{ "-e= --expression=", .tag = SED_SCRIPT, .in_place_of = true },
	{ "-f= --file=", EFFECT_LOADS, "takes the script from a file", .in_place_of = true },
	{ "-i=? --in-place=?", EFFECT_ACTS, "edits files in place", .tag = SED_IN_PLACE },
};

/* --- the script, read as GNU sed does ----------------------------------------------------- */

struct script {
	struct look *look;
	struct sv text;
	size_t at;
	size_t arg;   /* the argument that holds it, for what is noted */
	size_t depth; /* of { } */
};

static char peek(const struct script *s)
{
	return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

static bool at_end(const struct script *s)
{
	return s->at >= s->text.len;
}

static void skip(struct script *s, const char *set)
{
	while (ascii_is_one_of(peek(s), set))
		s->at++;
}

static void skip_digits(struct script *s)
{
	skip(s, "0123456789");
}

/* Past the next `mark` that has no backslash before it; a newline there is an error. */
static bool skip_to(struct script *s, char mark)
{
	for (; !at_end(s); s->at++) {
		char c = peek(s);

		if (c == mark) {
			s->at++;
			return true;
		}
		if (c == '\n')
			return false;
		if (c == '\\')
			s->at++;
	}
	return false;
}

static bool skip_regex(struct script *s, char mark)
{
	s->at = program_skip_regex(s->text, s->at, mark);
	return s->at != SIZE_MAX;
}

/* What may stand between the parts of s, y and \xREx. */
static bool take_mark(struct script *s, char *mark)
{
	*mark = peek(s);
	s->at++;
	return *mark > ' ' && *mark < 0x7f && *mark != '\\';
}

/* The rest of the line: the name of a file. */
static struct sv take_line(struct script *s)
{
	size_t from = s->at, end;

	end = sv_find_char(sv_skip(s->text, from), '\n');
	s->at = end == SIZE_MAX ? s->text.len : from + end;
	return sv_slice(s->text, from, s->at);
}

/* Text of a, i and c: to the end of the line, or of several with a backslash at the end. */
static void skip_text(struct script *s)
{
	for (; !at_end(s) && peek(s) != '\n'; s->at++)
		if (peek(s) == '\\')
			s->at++;
}

static bool take_label(struct script *s)
{
	skip(s, " \t");
	skip(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
	return true;
}

/* --- addresses -------------------------------------------------------------------------------- */

static bool take_regex(struct script *s)
{
	char mark = '/';

	s->at++;
	if (s->text.ptr[s->at - 1] == '\\' && !take_mark(s, &mark))
		return false;
	if (!skip_regex(s, mark))
		return false;
	skip(s, "IM");
	return true;
}

/* One address; false: it is malformed. None is fine. */
static bool take_address(struct script *s, bool second)
{
	char c = peek(s);

	if (c == '/' || c == '\\')
		return take_regex(s);
	if (c == '$') {
		s->at++;
		return true;
	}
	if (second && ascii_is_one_of(c, "+~"))
		s->at++;
	if (!ascii_is_digit(peek(s)))
		return !second;
	skip_digits(s);
	if (peek(s) == '~') {
		s->at++;
		skip_digits(s);
	}
	return true;
}

static bool take_addresses(struct script *s)
{
	if (!take_address(s, false))
		return false;
	skip(s, " \t");
	if (peek(s) == ',') {
		s->at++;
		skip(s, " \t");
		if (!take_address(s, true))
			return false;
	}
	skip(s, " \t!");
	return true;
}

/* --- commands --------------------------------------------------------------------------------- */

static void note_file(struct script *s, enum operand_use use)
{
	struct sv path;

	skip(s, " \t");
	path = take_line(s);
	if (sv_is(path, "/dev/stdout") || sv_is(path, "/dev/stderr"))
		return;
	look_path(s->look, s->arg, path, use);
	look_acts(s->look, s->arg, SV("its script"),
		  use == OPERAND_WRITE ? "writes a file" : "reads another file");
}

static bool note_run(struct script *s)
{
	look_acts(s->look, s->arg, SV("its script"), "runs a command");
	look_aside(s->look, sv_trim(take_line(s)));
	return true;
}

static bool take_substitute_flags(struct script *s)
{
	for (;;) {
		skip(s, "gpiImM0123456789 \t");
		if (peek(s) == 'e') {
			look_acts(s->look, s->arg, SV("its script"), "runs a command");
			s->at++;
		} else if (peek(s) == 'w') {
			s->at++;
			note_file(s, OPERAND_WRITE);
			return true;
		} else {
			return at_end(s) || ascii_is_one_of(peek(s), ";\n}#");
		}
	}
}

static bool take_substitute(struct script *s)
{
	char mark;

	return take_mark(s, &mark) && skip_regex(s, mark) && skip_to(s, mark) &&
	       take_substitute_flags(s);
}

static bool take_translate(struct script *s)
{
	char mark;

	return take_mark(s, &mark) && skip_to(s, mark) && skip_to(s, mark);
}

static bool close_group(struct script *s)
{
	if (s->depth == 0)
		return false;
	s->depth--;
	return true;
}

/* The command letter at `at` and its arguments; false: not understood. */
static bool take_command(struct script *s)
{
	char c = peek(s);

	s->at++;
	switch (c) {
	case '{': s->depth++; return true;
	case '}': return close_group(s);
	case '=':
	case 'd':
	case 'D':
	case 'g':
	case 'G':
	case 'h':
	case 'H':
	case 'n':
	case 'N':
	case 'p':
	case 'P':
	case 'x':
	case 'z':
	case 'F': return true;
	case 'a':
	case 'i':
	case 'c': skip_text(s); return true;
	case ':':
	case 'b':
	case 't':
	case 'T': return take_label(s);
	case 'q':
	case 'Q':
	case 'l':
	case 'L':
		skip(s, " \t");
		skip_digits(s);
		return true;
	case 'e': return note_run(s);
	case 'r':
	case 'R': note_file(s, OPERAND_READ); return true;
	case 'w':
	case 'W': note_file(s, OPERAND_WRITE); return true;
	case 's': return take_substitute(s);
	case 'y': return take_translate(s);
	default: return false;
	}
}

/* What may follow a command; after "{" another one may begin at once. */
static bool take_end(struct script *s, bool opened)
{
	skip(s, " \t");
	return opened || at_end(s) || ascii_is_one_of(peek(s), ";\n}#");
}

static bool take_script(struct script *s)
{
	for (;;) {
		bool opened;

		skip(s, " \t\n;");
		if (at_end(s))
			return s->depth == 0;
		if (peek(s) == '#') {
			take_line(s);
			continue;
		}
		if (!take_addresses(s))
			return false;
		opened = peek(s) == '{';
		if (!take_command(s) || !take_end(s, opened))
			return false;
	}
}

static void check_script(struct look *look, struct sv text, size_t arg)
{
	struct script s = { .look = look, .text = text, .arg = arg };

	if (!take_script(&s))
		look_acts(look, arg, SV("its script"), "is not understood");
}

/* All of -e in their order, a line each. */
static size_t join_scripts(struct look *look, struct str *out)
{
	size_t arg = 0;

	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag != SED_SCRIPT)
			continue;
		look->unclear |= !seen->known;
		str_addf(out, "%.*s\n", SV_ARG(seen->value));
		arg = arg ? arg : seen->arg;
	}
	return arg;
}

static void check_call(struct look *look)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t arg = join_scripts(look, &text), first = look->first_given ? 0 : 1;

	if (first == 1 && look->operands.n > 0) {
		arg = look->operands.at[0];
		look->unclear |= !look->argv[arg].known;
		str_add(&text, look->argv[arg].text);
	}
	if (arg > 0 && !look->unclear)
		check_script(look, arena_dup(look->arena, sv_of(&text)), arg);
	for (size_t i = first; i < look->operands.n; i++)
		look_operand(look, look->operands.at[i],
			     look_seen(look, SED_IN_PLACE) ? OPERAND_WRITE : OPERAND_READ);
}

static const struct program_row rows[] = {
	{ "gsed", .as = "sed" },
	{ "sed", OPTIONS(sed_options), .closed = true, .read_only = true, .is_tool = true,
	  .operands = OPERANDS_OWN, .special = check_call },
};

const struct program_table program_table_sed = { rows, countof(rows) };
