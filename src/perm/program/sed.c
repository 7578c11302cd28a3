/* sed scripts. `sed -n '10,40p' file` needs no rule, but sed can also write files (w), read others
 * (r) and run commands (e), so a script is read to its end.
 *
 * The reader follows GNU sed: addresses, all one-letter commands with their arguments, the flags
 * of s, groups and comments. Files that a script names are noted as operands; a script that
 * writes, reads another file or runs a command escalates.
 *
 * It gives up ("is not understood") rather than guess: an unknown command, a delimiter that is
 * not printable ASCII, a regular expression whose end is not certain (regex.h), text after a
 * command where none may be, braces that do not match. A script that is not known before the
 * command runs makes the call unclear. */
#include "base/ascii.h"
#include "perm/program/regex.h"
#include "perm/program/special.h"

/* --- the script, read as GNU sed does ------------------------------------------------------ */

struct sed_script {
	struct invocation *inv;
	struct sv text;
	size_t at;
	size_t arg;       /* the argument that holds it, for what is noted */
	size_t depth;     /* of { } */
	size_t bracketed; /* a mark in brackets of the last regular expression; SIZE_MAX: none */
};

static char sed_peek(const struct sed_script *s)
{
	return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

static bool sed_at_end(const struct sed_script *s)
{
	return s->at >= s->text.len;
}

static void sed_skip(struct sed_script *s, const char *set)
{
	while (ascii_is_one_of(sed_peek(s), set))
		s->at++;
}

static void sed_skip_digits(struct sed_script *s)
{
	sed_skip(s, "0123456789");
}

/* Skip to after the next `mark` that has no backslash before it; a newline is an error. */
static bool sed_skip_to(struct sed_script *s, char mark)
{
	for (; !sed_at_end(s); s->at++) {
		char c = sed_peek(s);

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

static bool sed_skip_regex(struct sed_script *s, char mark)
{
	s->at = regex_skip(s->text, s->at, mark, &s->bracketed);
	return s->at != SIZE_MAX;
}

/* Read the character that separates the parts of s, y and \xREx. */
static bool sed_take_mark(struct sed_script *s, char *mark)
{
	*mark = sed_peek(s);
	s->at++;
	return *mark > ' ' && *mark < 0x7f && *mark != '\\';
}

/* Read the rest of the line: the name of a file. */
static struct sv sed_take_line(struct sed_script *s)
{
	size_t from = s->at, end;

	end = sv_find_char(sv_skip(s->text, from), '\n');
	s->at = end == SIZE_MAX ? s->text.len : from + end;
	return sv_slice(s->text, from, s->at);
}

/* Skip the text of a, i and c: the rest of the line, and the next line after a backslash. */
static void sed_skip_text(struct sed_script *s)
{
	for (; !sed_at_end(s) && sed_peek(s) != '\n'; s->at++)
		if (sed_peek(s) == '\\')
			s->at++;
}

static bool sed_take_label(struct sed_script *s)
{
	sed_skip(s, " \t");
	sed_skip(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
	return true;
}

/* --- addresses ----------------------------------------------------------------------------- */

static bool sed_take_regex(struct sed_script *s)
{
	char mark = '/';

	s->at++;
	if (s->text.ptr[s->at - 1] == '\\' && !sed_take_mark(s, &mark))
		return false;
	if (!sed_skip_regex(s, mark))
		return false;
	sed_skip(s, "IM");
	return true;
}

/* Read one address, which may be missing. Return false when it is malformed. */
static bool sed_take_address(struct sed_script *s, bool second)
{
	char c = sed_peek(s);

	if (c == '/' || c == '\\')
		return sed_take_regex(s);
	if (c == '$') {
		s->at++;
		return true;
	}
	if (second && ascii_is_one_of(c, "+~"))
		s->at++;
	if (!ascii_is_digit(sed_peek(s)))
		return !second;
	sed_skip_digits(s);
	if (sed_peek(s) == '~') {
		s->at++;
		sed_skip_digits(s);
	}
	return true;
}

static bool sed_take_addresses(struct sed_script *s)
{
	if (!sed_take_address(s, false))
		return false;
	sed_skip(s, " \t");
	if (sed_peek(s) == ',') {
		s->at++;
		sed_skip(s, " \t");
		if (!sed_take_address(s, true))
			return false;
	}
	sed_skip(s, " \t!");
	return true;
}

/* --- commands ------------------------------------------------------------------------------ */

static void sed_note_file(struct sed_script *s, enum operand_use use)
{
	struct sv path;

	sed_skip(s, " \t");
	path = sed_take_line(s);
	if (sv_is(path, "/dev/stdout") || sv_is(path, "/dev/stderr"))
		return;
	inv_path(s->inv, s->arg, path, use);
	inv_escalates(s->inv, s->arg, SV("its script"),
		      use == OPERAND_WRITE ? "writes a file" : "reads another file");
}

static bool sed_note_run(struct sed_script *s)
{
	inv_escalates(s->inv, s->arg, SV("its script"), "runs a command");
	inv_may_run(s->inv, sv_trim(sed_take_line(s)));
	return true;
}

static bool sed_take_substitute_flags(struct sed_script *s)
{
	for (;;) {
		sed_skip(s, "gpiImM0123456789 \t");
		if (sed_peek(s) == 'e') {
			inv_escalates(s->inv, s->arg, SV("its script"), "runs a command");
			s->at++;
		} else if (sed_peek(s) == 'w') {
			s->at++;
			sed_note_file(s, OPERAND_WRITE);
			return true;
		} else {
			return sed_at_end(s) || ascii_is_one_of(sed_peek(s), ";\n}#");
		}
	}
}

/* For some seds a mark in brackets ends the regular expression. They refuse it, since a bracket is
 * then not closed, but only after they have read the flags, and opened the file of "w". */
static bool sed_may_have_other_flags(struct sed_script s, char mark)
{
	if (s.bracketed == SIZE_MAX)
		return false;
	s.at = s.bracketed + 1;
	if (!sed_skip_to(&s, mark))
		return false;
	sed_skip(&s, "gpiImM0123456789 \t");
	return ascii_is_one_of(sed_peek(&s), "ew");
}

static bool sed_take_substitute(struct sed_script *s)
{
	char mark;

	return sed_take_mark(s, &mark) && sed_skip_regex(s, mark) &&
	       !sed_may_have_other_flags(*s, mark) && sed_skip_to(s, mark) &&
	       sed_take_substitute_flags(s);
}

static bool sed_take_translate(struct sed_script *s)
{
	char mark;

	return sed_take_mark(s, &mark) && sed_skip_to(s, mark) && sed_skip_to(s, mark);
}

static bool sed_close_group(struct sed_script *s)
{
	if (s->depth == 0)
		return false;
	s->depth--;
	return true;
}

/* Read a command and its arguments. Return false when it is not understood. */
static bool sed_take_command(struct sed_script *s)
{
	char c = sed_peek(s);

	s->at++;
	switch (c) {
	case '{': s->depth++; return true;
	case '}': return sed_close_group(s);
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
	case 'c': sed_skip_text(s); return true;
	case ':':
	case 'b':
	case 't':
	case 'T': return sed_take_label(s);
	case 'q':
	case 'Q':
	case 'l':
	case 'L':
		sed_skip(s, " \t");
		sed_skip_digits(s);
		return true;
	case 'e': return sed_note_run(s);
	case 'r':
	case 'R': sed_note_file(s, OPERAND_READ); return true;
	case 'w':
	case 'W': sed_note_file(s, OPERAND_WRITE); return true;
	case 's': return sed_take_substitute(s);
	case 'y': return sed_take_translate(s);
	default: return false;
	}
}

/* Whether the command ends here; after "{" another one may begin at once. */
static bool sed_take_end(struct sed_script *s, bool opened)
{
	sed_skip(s, " \t");
	return opened || sed_at_end(s) || ascii_is_one_of(sed_peek(s), ";\n}#");
}

static bool sed_take_script(struct sed_script *s)
{
	for (;;) {
		bool opened;

		sed_skip(s, " \t\n;");
		if (sed_at_end(s))
			return s->depth == 0;
		if (sed_peek(s) == '#') {
			sed_take_line(s);
			continue;
		}
		if (!sed_take_addresses(s))
			return false;
		opened = sed_peek(s) == '{';
		if (!sed_take_command(s) || !sed_take_end(s, opened))
			return false;
	}
}

static void sed_check_script(struct invocation *inv, struct sv text, size_t arg)
{
	struct sed_script s = { .inv = inv, .text = text, .arg = arg };

	if (!sed_take_script(&s))
		inv_escalates(inv, arg, SV("its script"), "is not understood");
}

/* Join the values of all -e in their order, a line each. Return the argument of the first. */
static size_t sed_join_scripts(struct invocation *inv, struct str *out)
{
	size_t arg = 0;

	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag != SED_SCRIPT)
			continue;
		inv->unclear |= !option->known;
		str_addf(out, "%.*s\n", SV_ARG(option->value));
		arg = arg ? arg : option->arg;
	}
	return arg;
}

void sed_arguments(struct invocation *inv)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t arg = sed_join_scripts(inv, &text), first = inv->first_replaced ? 0 : 1;

	if (first == 1 && inv->operands.n > 0) {
		arg = inv->operands.at[0];
		inv->unclear |= !inv->argv[arg].known;
		str_add(&text, inv->argv[arg].text);
	}
	if (arg > 0 && !inv->unclear)
		sed_check_script(inv, arena_dup(inv->arena, sv_of(&text)), arg);
	for (size_t i = first; i < inv->operands.n; i++)
		inv_operand(inv, inv->operands.at[i],
			    inv_option(inv, SED_IN_PLACE) ? OPERAND_WRITE : OPERAND_READ);
}
