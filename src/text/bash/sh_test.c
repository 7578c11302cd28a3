/* [[ .. ]]: its words and operators, in the order of the text. The grammar is followed all
 * the same, for it tells a word from an operator. */
#include "text/bash/sh_parser.h"

struct test {
	struct sh_parser *r;
	struct sh_word **last;
};

static bool sh_test_add(struct test *t, struct sh_word *word)
{
	if (!word)
		return false;
	*t->last = word;
	t->last = &word->next;
	return true;
}

static bool sh_test_operator(struct test *t, size_t length)
{
	size_t from = t->r->at;

	t->r->at += length;
	return sh_test_add(t, sh_text_word(t->r, from, t->r->at));
}

static bool sh_test_operand(struct test *t, enum sh_place place)
{
	sh_skip_blanks(t->r);
	if (!(sh_at_word(t->r) || (place == SH_IN_REGEX && sv_is(sh_operator(t->r), "("))) ||
	    sv_is(sh_keyword(t->r), "]]"))
		return sh_unexpected(t->r);
	return sh_test_add(t, sh_read_word(t->r, place));
}

static bool is_unary(struct sv word)
{
	return word.len == 2 && word.ptr[0] == '-' &&
	       strchr("abcdefghknoprstuvwxzGLNORS", word.ptr[1]);
}

static bool is_binary(struct sv word)
{
	static const char words[][4] = { "=",   "==",  "!=",  "=~",  "-eq", "-ne", "-lt",
					 "-le", "-gt", "-ge", "-nt", "-ot", "-ef" };

	return sv_is_among(word, words);
}

static bool sh_test_either(struct test *t);

static bool sh_test_parenthesized(struct test *t)
{
	if (!sh_test_operator(t, 1) || !sh_test_either(t))
		return false;
	if (!sv_is(sh_operator(t->r), ")"))
		return sh_unexpected(t->r);
	return sh_test_operator(t, 1);
}

/* A word alone, or with an operator and another. */
static bool sh_test_comparison(struct test *t)
{
	struct sv op;

	if (!sh_test_operand(t, SH_IN_STRING))
		return false;
	sh_skip_blanks(t->r);
	op = sh_operator(t->r);
	if (sv_is(op, "<") || sv_is(op, ">"))
		return sh_test_operator(t, 1) && sh_test_operand(t, SH_IN_STRING);
	op = sh_keyword(t->r);
	if (!is_binary(op))
		return true;
	return sh_test_operator(t, op.len) &&
	       sh_test_operand(t, sv_is(op, "=~")    ? SH_IN_REGEX
				  : op.ptr[0] == '-' ? SH_IN_STRING
						     : SH_IN_PATTERN);
}

static bool sh_test_term(struct test *t)
{
	struct sh_parser *r = t->r;

	if (!sh_skip_newlines(r))
		return false;
	while (sv_is(sh_keyword(r), "!") && sh_peek(r, 1) != '(') {
		if (!sh_test_operator(t, 1))
			return false;
		sh_skip_blanks(r);
	}
	if (sv_is(sh_operator(r), "("))
		return sh_test_parenthesized(t);
	if (is_unary(sh_keyword(r)))
		return sh_test_operator(t, 2) && sh_test_operand(t, SH_IN_STRING);
	return sh_test_comparison(t);
}

/* Terms joined by && and ||. Precedence does not change the words. */
static bool sh_test_either(struct test *t)
{
	if (!sh_enter(t->r))
		return false;
	do {
		if (!sh_test_term(t) || !sh_skip_newlines(t->r))
			return false;
		if (!sv_is(sh_operator(t->r), "&&") && !sv_is(sh_operator(t->r), "||")) {
			sh_leave(t->r);
			return true;
		}
	} while (sh_test_operator(t, 2));
	return false;
}

bool sh_test(struct sh_parser *r, struct sh_node *node)
{
	struct test t = { .r = r, .last = &node->words };

	return sh_test_either(&t) && sh_expect_keyword(r, "]]");
}
