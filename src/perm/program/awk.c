/* awk programs. One is harmless when it is known and cannot reach beyond its input: no
 * commands, no files, no environment. It is read token by token, so that text and regular
 * expressions hide nothing; where the several awks might read it differently, it is not
 * understood. */
#include "perm/program/table.h"

#include "base/ascii.h"

enum { AWK_SOURCE = 1 };

static const struct option_row awk_options[] = {
	{ "-bcCghIkLMnNOPrsStV -Fv= --field-separator= --assign= --characters-as-bytes "
	  "--traditional --copyright --gen-pot --help --lint=? --bignum --use-lc-numeric "
	  "--non-decimal-data --optimize --posix --re-interval --no-optimize --sandbox "
	  "--lint-old --csv --version" },
	{ "-e= --source=", .tag = AWK_SOURCE, .in_place_of = true },
	{ "-fE= --file= --exec=", EFFECT_LOADS, "takes the program from a file",
	  .in_place_of = true },
	{ "-il= --include= --load=", EFFECT_ACTS, "loads code" },
	{ "-odpD=? --pretty-print=? --dump-variables=? --profile=? --debug=?", EFFECT_ACTS,
	  "writes a file" },
	{ "-W=", EFFECT_ACTS, "may stand for any option" },
};

/* --- tokens ---------------------------------------------------------------------------------- */

enum { MOST_OPEN = 128 };

struct program {
	struct sv text;
	size_t at;
	const char *harm;   /* what it does beyond printing */
	bool after_value;   /* a '/' here divides; else it begins a regular expression */
	bool undecided;     /* after "++": whether it was a value depends on what it is part of */
	bool after_control; /* if, while, for: its parentheses are no value */
	bool in_print;
	size_t print_depth;
	size_t depth;
	bool is_control[MOST_OPEN]; /* of each open bracket */
};

static char at(const struct program *p, size_t ahead)
{
	return p->at + ahead < p->text.len ? p->text.ptr[p->at + ahead] : '\0';
}

static bool among(struct sv word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

/* "text"; false: it does not end on its line. */
static bool take_string(struct program *p)
{
	for (p->at++; p->at < p->text.len; p->at++) {
		char c = at(p, 0);

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

static bool take_regex(struct program *p)
{
	p->at = program_skip_regex(p->text, p->at + 1, '/');
	p->after_value = true;
	return p->at != SIZE_MAX;
}

static void harm(struct program *p, const char *what)
{
	if (!p->harm)
		p->harm = what;
}

static void check_word(struct program *p, struct sv word)
{
	static const char *const files[] = { "getline", "ARGV", "ARGC" };
	static const char *const environment[] = { "ENVIRON", "SYMTAB", "PROCINFO" };
	static const char *const gawk_only[] = { "switch", "case" }; /* plain names to others */

	if (sv_is(word, "system"))
		harm(p, "runs a command");
	else if (sv_is(word, "extension"))
		harm(p, "loads code");
	else if (among(word, files, countof(files)))
		harm(p, "may read other files");
	else if (among(word, environment, countof(environment)))
		harm(p, "shows the environment");
	else if (among(word, gawk_only, countof(gawk_only)))
		harm(p, "is not understood");
}

static void take_word(struct program *p)
{
	static const char *const controls[] = { "if", "while", "for" };
	static const char *const leads[] = { "print", "printf", "return", "in",     "else",
					     "do",    "delete", "exit",   "getline" };
	/* Some take a regular expression after these, some a divisor. */
	static const char *const alone[] = { "length", "rand", "srand",    "systime", "fflush",
					     "close",  "next", "nextfile", "break",   "continue" };
	size_t from = p->at;
	struct sv word;

	while (ascii_is_word(at(p, 0)))
		p->at++;
	word = sv_slice(p->text, from, p->at);
	check_word(p, word);
	if (sv_is(word, "print") || sv_is(word, "printf")) {
		p->in_print = true;
		p->print_depth = p->depth;
	}
	p->undecided = among(word, alone, countof(alone));
	p->after_control = among(word, controls, countof(controls));
	p->after_value = !p->after_control && !among(word, leads, countof(leads));
}

/* Letters are left alone: "1e3" is a number, but "1system()" a call. */
static void take_number(struct program *p)
{
	while (ascii_is_one_of(at(p, 0), "0123456789."))
		p->at++;
	p->after_value = true;
}

static bool open_bracket(struct program *p, char c)
{
	if (p->depth == MOST_OPEN)
		return false;
	p->is_control[p->depth++] = c == '(' && p->after_control;
	if (c == '{')
		p->in_print = false;
	p->after_value = false;
	return true;
}

static bool close_bracket(struct program *p, char c)
{
	if (p->depth == 0)
		return false;
	p->depth--;
	p->after_value = c != '}' && !p->is_control[p->depth];
	if (c == '}' || p->depth < p->print_depth)
		p->in_print = false;
	return true;
}

static void take_sign(struct program *p, char c)
{
	bool twice = at(p, 1) == c;

	p->at += twice ? 2 : 1;
	p->undecided = twice;
	p->after_value = false;
}

static bool take_operator(struct program *p, char c)
{
	if (c == '|' && at(p, 1) == '|') {
		p->at++;
	} else if (c == '|') {
		harm(p, "runs a command");
	} else if (c == '>' && p->in_print && p->depth == p->print_depth) {
		harm(p, "writes a file");
	} else if (c == ';') {
		p->in_print = false;
	}
	p->at++;
	p->after_value = false;
	return ascii_is_one_of(c, "|>;<=!&*/%^,?:~$");
}

/* A statement goes on after a comma, an operator and so on. */
static void take_newline(struct program *p)
{
	p->at++;
	if (p->after_value)
		p->in_print = false;
	p->after_value = false;
}

/* One token; false: not understood. */
static bool take_token(struct program *p)
{
	char c = at(p, 0);
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
		take_newline(p);
	} else if (c == '#') {
		while (p->at < p->text.len && at(p, 0) != '\n')
			p->at++;
	} else if (c == '"') {
		return take_string(p);
	} else if (c == '/' && !p->after_value) {
		return take_regex(p);
	} else if ((c >= '0' && c <= '9') || c == '.') {
		take_number(p);
	} else if (ascii_is_word(c)) {
		take_word(p);
	} else if (ascii_is_one_of(c, "([{")) {
		p->at++;
		p->after_control = after_control;
		return open_bracket(p, c);
	} else if (ascii_is_one_of(c, ")]}")) {
		p->at++;
		return close_bracket(p, c);
	} else if (c == '+' || c == '-') {
		take_sign(p, c);
	} else {
		return take_operator(p, c);
	}
	return true;
}

static const char *harm_of(struct sv text)
{
	struct program p = { .text = text };

	while (p.at < text.len)
		if (!take_token(&p))
			return "is not understood";
	return p.harm;
}

/* --- the call ------------------------------------------------------------------------------------ */

enum { MOST_STRINGS = 16 };

/* Any string in a program that does harm may be the command that it runs. */
static void look_at_strings(struct look *look, struct sv text)
{
	struct program p = { .text = text };

	for (size_t n = 0; n < MOST_STRINGS && p.at < text.len;) {
		size_t from = p.at + 1;

		if (at(&p, 0) != '"') {
			p.at++;
		} else if (take_string(&p)) {
			look_aside(look, sv_slice(text, from, p.at - 1));
			n++;
		}
	}
}

static void check_program(struct look *look, struct sv text, bool known, size_t arg)
{
	const char *what = known ? harm_of(text) : NULL;

	look->unclear |= !known;
	if (!what)
		return;
	look_at_strings(look, text);
	look_acts(look, arg, SV("its program"), what);
}

/* "x=1" among the files sets a variable. */
static bool is_assignment(struct sv text)
{
	size_t n = 0;

	while (n < text.len && ascii_is_word(text.ptr[n]))
		n++;
	return n > 0 && n < text.len && text.ptr[n] == '=' &&
	       !(text.ptr[0] >= '0' && text.ptr[0] <= '9');
}

static void check_call(struct look *look)
{
	size_t first = look->first_given ? 0 : 1;

	for (size_t i = 0; i < look->seen.n; i++)
		check_program(look, look->seen.at[i].value, look->seen.at[i].known,
			      look->seen.at[i].arg);
	if (first == 1 && look->operands.n > 0) {
		size_t arg = look->operands.at[0];

		check_program(look, look->argv[arg].text, look->argv[arg].known, arg);
	}
	for (size_t i = first; i < look->operands.n; i++)
		if (!is_assignment(look->argv[look->operands.at[i]].text))
			look_operand(look, look->operands.at[i], OPERAND_READ);
}

static const struct program_row rows[] = {
	{ "awk", OPTIONS(awk_options), .closed = true, .read_only = true, .is_tool = true,
	  .operands = OPERANDS_OWN, .stops_at_operand = true, .special = check_call },
	{ "gawk", .as = "awk" },
	{ "mawk", .as = "awk" },
	{ "nawk", .as = "awk" },
	{ "original-awk", .as = "awk" },
};

const struct program_table program_table_awk = { rows, countof(rows) };
