/* awk programs. One is harmless when it is known and cannot reach beyond its input: no commands,
 * no files, no environment.
 *
 * The reader works token by token, not by searching for words, so that strings, comments and
 * regular expressions hide nothing. It looks for: system(), pipes and getline (commands, files),
 * ">" in a print statement (a file), ENVIRON and its relatives, and code that is loaded. The hard
 * part is "/", which divides after a value and otherwise begins a regular expression; the
 * fields of struct awk_program keep track of that.
 *
 * It gives up ("is not understood") wherever gawk, mawk and the original awk may read a text
 * differently: "/" after "++" or after "length", `switch`, a regular expression whose end is not
 * certain (regex.h), a string across lines, a bracket that closes none or is nested too deep. */
#include "base/ascii.h"
#include "perm/program/regex.h"
#include "perm/program/special.h"

/* --- tokens -------------------------------------------------------------------------------- */

enum { AWK_MAX_OPEN = 128 };

struct awk_program {
	struct sv text;
	size_t at;
	const char *harm;   /* what it does beyond printing */
	bool after_value;   /* a '/' here divides; else it begins a regular expression */
	bool undecided;     /* after "++": only a full parser could tell whether it ends a value */
	bool after_control; /* if, while, for: the closing parenthesis does not end a value */
	bool in_print;
	size_t print_depth;
	size_t depth;
	bool is_control[AWK_MAX_OPEN]; /* of each open bracket */
};

static char awk_peek(const struct awk_program *p, size_t ahead)
{
	return p->at + ahead < p->text.len ? p->text.ptr[p->at + ahead] : '\0';
}

/* Read a string. Return false when it does not end on its line. */
static bool awk_take_string(struct awk_program *p)
{
	for (p->at++; p->at < p->text.len; p->at++) {
		char c = awk_peek(p, 0);

		if (c == '\n')
			return false;
		if (c == '\\')
			p->at++;
		if (c == '"') {
			p->at++;
			p->after_value = true;
			return true;
		}
	}
	return false;
}

/* An awk for which "/" in brackets ends the regular expression refuses the program, since a bracket
 * is then not closed. */
static bool awk_take_regex(struct awk_program *p)
{
	size_t bracketed;

	p->at = regex_skip(p->text, p->at + 1, '/', &bracketed);
	p->after_value = true;
	return p->at != SIZE_MAX;
}

static void awk_harm(struct awk_program *p, const char *what)
{
	if (!p->harm)
		p->harm = what;
}

static void awk_check_word(struct awk_program *p, struct sv word)
{
	static const char files[][8] = { "getline", "ARGV", "ARGC" };
	static const char environment[][9] = { "ENVIRON", "SYMTAB", "PROCINFO" };
	static const char gawk_only[][7] = { "switch", "case" }; /* plain names to others */

	if (sv_is(word, "system"))
		awk_harm(p, "runs a command");
	else if (sv_is(word, "extension"))
		awk_harm(p, "loads code");
	else if (sv_is_among(word, files))
		awk_harm(p, "may read other files");
	else if (sv_is_among(word, environment))
		awk_harm(p, "shows the environment");
	else if (sv_is_among(word, gawk_only))
		awk_harm(p, "is not understood");
}

static void awk_take_word(struct awk_program *p)
{
	static const char controls[][6] = { "if", "while", "for" };
	static const char leads[][8] = { "print", "printf", "return", "in",     "else",
					 "do",    "delete", "exit",   "getline" };
	/* After these, some awks read "/" as the start of a regular expression, some divide. */
	static const char alone[][9] = { "length", "rand", "srand",    "systime", "fflush",
					 "close",  "next", "nextfile", "break",   "continue" };
	size_t from = p->at;
	struct sv word;

	while (ascii_is_word(awk_peek(p, 0)))
		p->at++;
	word = sv_slice(p->text, from, p->at);
	awk_check_word(p, word);
	if (sv_is(word, "print") || sv_is(word, "printf")) {
		p->in_print = true;
		p->print_depth = p->depth;
	}
	p->undecided = sv_is_among(word, alone);
	p->after_control = sv_is_among(word, controls);
	p->after_value = !p->after_control && !sv_is_among(word, leads);
}

/* Letters are not part of it: "1e3" is a number, but "1system()" is a call. */
static void awk_take_number(struct awk_program *p)
{
	while (ascii_is_one_of(awk_peek(p, 0), "0123456789."))
		p->at++;
	p->after_value = true;
}

static bool awk_open_bracket(struct awk_program *p, char c)
{
	if (p->depth == AWK_MAX_OPEN)
		return false;
	p->is_control[p->depth++] = c == '(' && p->after_control;
	if (c == '{')
		p->in_print = false;
	p->after_value = false;
	return true;
}

static bool awk_close_bracket(struct awk_program *p, char c)
{
	if (p->depth == 0)
		return false;
	p->depth--;
	p->after_value = c != '}' && !p->is_control[p->depth];
	if (c == '}' || p->depth < p->print_depth)
		p->in_print = false;
	return true;
}

static void awk_take_sign(struct awk_program *p, char c)
{
	bool twice = awk_peek(p, 1) == c;

	p->at += twice ? 2 : 1;
	p->undecided = twice;
	p->after_value = false;
}

static bool awk_take_operator(struct awk_program *p, char c)
{
	if (c == '|' && awk_peek(p, 1) == '|') {
		p->at++;
	} else if (c == '|') {
		awk_harm(p, "runs a command");
	} else if (c == '>' && p->in_print && p->depth == p->print_depth) {
		awk_harm(p, "writes a file");
	} else if (c == ';') {
		p->in_print = false;
	}
	p->at++;
	p->after_value = false;
	return ascii_is_one_of(c, "|>;<=!&*/%^,?:~$");
}

/* A newline ends a statement only after a value; after a comma or an operator it continues. */
static void awk_take_newline(struct awk_program *p)
{
	p->at++;
	if (p->after_value)
		p->in_print = false;
	p->after_value = false;
}

/* Read one token. Return false when it is not understood. */
static bool awk_take_token(struct awk_program *p)
{
	char c = awk_peek(p, 0);
	bool after_control = p->after_control;

	if (ascii_is_one_of(c, " \t\r")) {
		p->at++;
		return true;
	}
	if (c == '\\') {
		p->at += 2;
		return p->at <= p->text.len && p->text.ptr[p->at - 1] == '\n';
	}
	if (c == '/' && p->undecided)
		return false;
	p->after_control = p->undecided = false;
	if (c == '\n') {
		awk_take_newline(p);
	} else if (c == '#') {
		while (p->at < p->text.len && awk_peek(p, 0) != '\n')
			p->at++;
	} else if (c == '"') {
		return awk_take_string(p);
	} else if (c == '/' && !p->after_value) {
		return awk_take_regex(p);
	} else if (ascii_is_digit(c) || c == '.') {
		awk_take_number(p);
	} else if (ascii_is_word(c)) {
		awk_take_word(p);
	} else if (ascii_is_one_of(c, "([{")) {
		p->at++;
		p->after_control = after_control;
		return awk_open_bracket(p, c);
	} else if (ascii_is_one_of(c, ")]}")) {
		p->at++;
		return awk_close_bracket(p, c);
	} else if (c == '+' || c == '-') {
		awk_take_sign(p, c);
	} else {
		return awk_take_operator(p, c);
	}
	return true;
}

static const char *awk_harm_of(struct sv text)
{
	struct awk_program p = { .text = text };

	while (p.at < text.len)
		if (!awk_take_token(&p))
			return "is not understood";
	return p.harm;
}

/* --- the call ------------------------------------------------------------------------------ */

enum { AWK_MAX_STRINGS = 16 };

/* Any string in a harmful program may be the command that it runs. */
static void awk_may_run_strings(struct invocation *inv, struct sv text)
{
	struct awk_program p = { .text = text };

	for (size_t n = 0; n < AWK_MAX_STRINGS && p.at < text.len;) {
		size_t from = p.at + 1;

		if (awk_peek(&p, 0) != '"') {
			p.at++;
		} else if (awk_take_string(&p)) {
			inv_may_run(inv, sv_slice(text, from, p.at - 1));
			n++;
		}
	}
}

static void awk_check_program(struct invocation *inv, struct sv text, bool known, size_t arg)
{
	const char *what = known ? awk_harm_of(text) : NULL;

	inv->unclear |= !known;
	if (!what)
		return;
	awk_may_run_strings(inv, text);
	inv_escalates(inv, arg, SV("its program"), what);
}

/* "x=1" among the files sets a variable. */
static bool awk_is_assignment(struct sv text)
{
	size_t n = 0;

	while (n < text.len && ascii_is_word(text.ptr[n]))
		n++;
	return n > 0 && n < text.len && text.ptr[n] == '=' && !ascii_is_digit(text.ptr[0]);
}

void awk_arguments(struct invocation *inv)
{
	size_t first = inv->first_replaced ? 0 : 1;

	for (size_t i = 0; i < inv->options.n; i++)
		awk_check_program(inv, inv->options.at[i].value, inv->options.at[i].known,
				  inv->options.at[i].arg);
	if (first == 1 && inv->operands.n > 0) {
		size_t arg = inv->operands.at[0];

		awk_check_program(inv, inv->argv[arg].text, inv->argv[arg].known, arg);
	}
	for (size_t i = first; i < inv->operands.n; i++)
		if (!awk_is_assignment(inv->argv[inv->operands.at[i]].text))
			inv_operand(inv, inv->operands.at[i], OPERAND_READ);
}
