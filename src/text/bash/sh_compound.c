/* Compound commands. */
#include "text/bash/sh_parser.h"

typedef bool compound_fn(struct sh_parser *r, struct sh_node *node);

static bool sh_add_list(struct sh_parser *r, struct sh_node ***last)
{
	struct sh_node *list = sh_list(r);

	if (!list)
		return false;
	**last = list;
	*last = &list->next;
	return true;
}

/* Groups contain their commands directly. */
static bool sh_fill(struct sh_parser *r, struct sh_node *node)
{
	struct sh_node *list = sh_list(r);

	if (!list)
		return false;
	node->kids = list->kids;
	return true;
}

static bool sh_group(struct sh_parser *r, struct sh_node *node)
{
	return sh_fill(r, node) && sh_expect_keyword(r, "}");
}

static bool sh_subshell(struct sh_parser *r, struct sh_node *node)
{
	r->at++;
	return sh_fill(r, node) && sh_expect(r, ")");
}

/* What is here up to `close` as a word. Its text is from `from` on; that of a whole "((..))"
 * includes the end. */
static bool sh_expression(struct sh_parser *r, size_t from, char close, struct sh_word ***last)
{
	struct sh_word *word = sh_new(r, struct sh_word);
	struct sh_part *part, **parts = word ? &word->parts : NULL, **inner;
	size_t end = r->at > from ? 0 : close == ')' ? 2 : 1;

	part = word ? sh_add_part(r, SH_ARITH, SV_EMPTY, false, &parts) : NULL;
	if (!part)
		return false;
	inner = &part->parts;
	if (!sh_arithmetic(r, close, &inner))
		return false;
	part->text = word->written = sh_slice(r, from, r->at - end);
	**last = word;
	*last = &word->next;
	return true;
}

static bool sh_math(struct sh_parser *r, struct sh_node *node)
{
	struct sh_word **last = &node->words;
	size_t from = r->at;

	r->at += 2;
	if (!sh_expression(r, from, ')', &last))
		return false;
	sh_add_span(r, from, r->at, true);
	return true;
}

static bool sh_if_(struct sh_parser *r, struct sh_node *node)
{
	struct sh_node **last = &node->kids;

	do {
		if (!sh_add_list(r, &last) || !sh_expect_keyword(r, "then") ||
		    !sh_add_list(r, &last))
			return false;
		sh_skip_blanks(r);
	} while (sh_take_keyword(r, "elif"));
	if (sh_take_keyword(r, "else") && !sh_add_list(r, &last))
		return false;
	return sh_expect_keyword(r, "fi");
}

static bool sh_body(struct sh_parser *r, struct sh_node ***last)
{
	bool has_braces;

	if (!sh_skip_newlines(r))
		return false;
	has_braces = sh_take_keyword(r, "{");
	if (!has_braces && !sh_expect_keyword(r, "do"))
		return false;
	return sh_add_list(r, last) && sh_expect_keyword(r, has_braces ? "}" : "done");
}

static bool sh_while_(struct sh_parser *r, struct sh_node *node)
{
	struct sh_node **last = &node->kids;

	return sh_add_list(r, &last) && sh_expect_keyword(r, "do") && sh_add_list(r, &last) &&
	       sh_expect_keyword(r, "done");
}

/* At "((". */
static bool sh_for_math(struct sh_parser *r, struct sh_node *node)
{
	static const char ends[] = { ';', ';', ')' };
	struct sh_word **last = &node->words;
	struct sh_node **last_kid = &node->kids;

	r->at += 2;
	for (size_t i = 0; i < countof(ends); i++)
		if (!sh_expression(r, r->at, ends[i], &last))
			return false;
	sh_skip_blanks(r);
	if (sh_take(r, ";"))
		sh_skip_blanks(r);
	return sh_body(r, &last_kid);
}

static bool sh_for_words(struct sh_parser *r, struct sh_node *node)
{
	struct sh_word **last = &node->words;

	for (sh_skip_blanks(r); sh_at_word(r); sh_skip_blanks(r)) {
		size_t from = r->at;

		if (!sh_read_words(r, SH_IN_COMMAND, &last))
			return false;
		sh_add_span(r, from, r->at, false);
	}
	return sh_take(r, ";") || sh_peek(r, 0) == '\n' || sh_unexpected(r);
}

static bool sh_for_(struct sh_parser *r, struct sh_node *node)
{
	struct sh_node **last = &node->kids;
	size_t n;

	sh_skip_blanks(r);
	if (sh_peek(r, 0) == '(' && sh_peek(r, 1) == '(')
		return sh_for_math(r, node);
	n = sh_name_length(r, r->at);
	if (n == 0 || n != sh_keyword(r).len)
		return sh_unexpected(r);
	node->name = sh_slice(r, r->at, r->at + n);
	r->at += n;
	sh_skip_blanks(r);
	if (sh_take(r, ";"))
		return sh_body(r, &last);
	if (!sh_skip_newlines(r))
		return false;
	if (sh_take_keyword(r, "in") && !sh_for_words(r, node))
		return false;
	return sh_body(r, &last);
}

/* "a | b )" */
static bool sh_patterns(struct sh_parser *r, struct sh_word ***last)
{
	do {
		sh_skip_blanks(r);
		if (!sh_at_word(r))
			return sh_unexpected(r);
		**last = sh_read_word(r, SH_IN_PATTERN);
		if (!**last)
			return false;
		*last = &(**last)->next;
		sh_skip_blanks(r);
	} while (sh_take(r, "|"));
	return sh_expect(r, ")");
}

static bool sh_ends_clause(struct sh_parser *r)
{
	size_t from = r->at;

	if (!sh_take(r, ";;") && !sh_take(r, ";&") && !sh_take(r, ";;&"))
		return false;
	sh_mask(r, from, r->at - from == 2 ? ";;" : ";; ");
	return true;
}

static bool sh_case_(struct sh_parser *r, struct sh_node *node)
{
	struct sh_word **last = &node->words;
	struct sh_node **last_kid = &node->kids;

	sh_skip_blanks(r);
	if (!sh_at_word(r))
		return sh_unexpected(r);
	*last = sh_read_word(r, SH_IN_STRING);
	if (!*last || !sh_skip_newlines(r) || !sh_expect_keyword(r, "in"))
		return false;
	last = &(*last)->next;
	for (bool may_go_on = true;;) {
		if (!sh_skip_newlines(r))
			return false;
		if (sh_take_keyword(r, "esac"))
			return true;
		if (!may_go_on)
			return sh_unexpected(r);
		sh_take(r, "(");
		if (!sh_patterns(r, &last) || !sh_skip_newlines(r))
			return false;
		if (!sh_ends_clause(r) && !sv_is(sh_keyword(r), "esac")) {
			if (!sh_add_list(r, &last_kid) || !sh_skip_newlines(r))
				return false;
			may_go_on = sh_ends_clause(r);
		}
	}
}

static bool sh_compound_test(struct sh_parser *r, struct sh_node *node)
{
	size_t from = r->at - 2;

	if (!sh_test(r, node))
		return false;
	sh_add_span(r, from, r->at, true);
	return true;
}

static bool sh_function(struct sh_parser *r, struct sh_node *node)
{
	struct sh_word *name;
	size_t from;

	sh_skip_blanks(r);
	from = r->at;
	name = sh_at_word(r) ? sh_read_word(r, SH_AS_NAME) : NULL;
	if (!name || !name->parts || !sv_eq(name->parts->text, name->written))
		return r->err->kind != ERR_NONE ? false : sh_unexpected(r);
	node->name = name->written;
	sh_add_span(r, from, r->at, true);
	sh_skip_blanks(r);
	if (sh_take(r, "(") && !sh_expect(r, ")"))
		return false;
	return sh_function_body(r, node, from) != NULL;
}

/* A word before a compound command would be the coprocess's name. In $(..) bash runs the text
 * that it prints of what it has read, in which a coprocess has another name than here. */
static bool sh_coproc(struct sh_parser *r, struct sh_node *node)
{
	struct sh_parser ahead;

	if (r->in_parens)
		return sh_fail(r, "a coprocess in a substitution");
	sh_add_span(r, r->at - strlen("coproc"), r->at, true);
	sh_skip_blanks(r);
	ahead = *r;
	ahead.at += sh_keyword(r).len;
	sh_skip_blanks(&ahead);
	if (!sh_is_reserved(sh_keyword(r)) &&
	    (sh_is_reserved(sh_keyword(&ahead)) || sv_is(sh_operator(&ahead), "(")))
		return sh_fail(r, "a coprocess with a name");
	node->kids = sh_command(r, true);
	return node->kids;
}

struct compound {
	const char *keyword;
	enum sh_kind kind;
	compound_fn *read;
	bool may_close; /* a list may end directly after it: { (a) } */
	bool redirects; /* may follow; other commands parse their own */
};

static const struct compound compounds[] = {
	{ "{", SH_GROUP, sh_group, true, true },
	{ "if", SH_IF, sh_if_, true, true },
	{ "while", SH_WHILE, sh_while_, true, true },
	{ "until", SH_WHILE, sh_while_, true, true },
	{ "for", SH_FOR, sh_for_, true, true },
	{ "select", SH_FOR, sh_for_, true, true },
	{ "case", SH_CASE, sh_case_, true, true },
	{ "[[", SH_TEST, sh_compound_test, false, true },
	{ "function", SH_FUNCTION, sh_function, false, false },
	{ "coproc", SH_COPROC, sh_coproc, false, false },
};
static const struct compound in_parens = { "", SH_SUBSHELL, sh_subshell, true, true };
static const struct compound in_double_parens = { "", SH_MATH, sh_math, false, true };

static const struct compound *compound_here(struct sh_parser *r)
{
	if (sv_is(sh_operator(r), "("))
		return sh_peek(r, 1) == '(' ? &in_double_parens : &in_parens;
	for (size_t i = 0; i < countof(compounds); i++)
		if (sh_take_keyword(r, compounds[i].keyword))
			return &compounds[i];
	return NULL;
}

bool sh_compound(struct sh_parser *r, struct sh_node **out)
{
	size_t from = r->at, end;
	const struct compound *type = compound_here(r);
	struct sh_node *node = type ? sh_node_new(r, type->kind) : NULL;

	if (!type)
		return true;
	if (!node || !sh_enter(r) || !type->read(r, node))
		return false;
	sh_leave(r);
	end = r->at;
	if (type->may_close)
		r->closed_at = end;
	if (type->redirects && !sh_redirects(r, node, &end))
		return false;
	node->text =
		node->kind == SH_FUNCTION || node->kind == SH_COPROC
			? sv_from(r->src.ptr + from, (size_t)(node->kids->text.ptr +
							      node->kids->text.len - r->src.ptr) -
							     from)
			: sh_slice(r, from, end);
	*out = node;
	return true;
}

struct sh_node *sh_function_body(struct sh_parser *r, struct sh_node *function, size_t from)
{
	struct sh_node *body = NULL;

	if (!sh_skip_newlines(r) || !sh_compound(r, &body))
		return NULL;
	if (!body || body->kind == SH_FUNCTION || body->kind == SH_COPROC) {
		sh_fail_at(r, from, "a function without a body");
		return NULL;
	}
	function->kids = body;
	function->text = sh_slice(r, from, (size_t)(body->text.ptr + body->text.len - r->src.ptr));
	return function;
}
