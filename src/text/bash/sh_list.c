/* Lists and pipelines. */
#include "text/bash/sh_parser.h"

struct sh_node *sh_node_new(struct sh_parser *r, enum sh_kind kind)
{
	struct sh_node *node = sh_new(r, struct sh_node);

	if (node) {
		node->kind = kind;
		node->text = node->name = SV_EMPTY;
	}
	return node;
}

/* Keywords that end a list, and keywords that only occur inside of something. */
static bool is_closing(struct sv word)
{
	static const char words[][5] = { "then", "else", "elif", "fi", "do",
					 "done", "esac", "in",   "}",  "]]" };

	return sv_is_among(word, words);
}

bool sh_is_reserved(struct sv word)
{
	static const char words[][9] = { "if",   "case",     "for", "select", "while", "until",
					 "time", "function", "{",   "!",      "[[",    "coproc" };

	for (size_t i = 0; i < countof(words); i++)
		if (sv_is(word, words[i]))
			return true;
	return is_closing(word);
}

struct sh_node *sh_command(struct sh_parser *r, bool after_keyword)
{
	struct sh_node *node = NULL;

	sh_skip_blanks(r);
	if (!sh_compound(r, &node))
		return NULL;
	if (node)
		return node;
	/* A "time" that is a keyword has been parsed before. */
	if (sh_is_reserved(sh_keyword(r)) && !sv_is(sh_keyword(r), "time")) {
		sh_unexpected(r);
		return NULL;
	}
	return sh_simple(r, after_keyword);
}

/* From `from` to the end of `last`. */
static struct sv sh_list_text_from(const char *from, struct sv last)
{
	return sv_from(from, (size_t)(last.ptr + last.len - from));
}

static struct sh_node *sh_list_wrap(struct sh_parser *r, enum sh_kind kind, struct sv text,
				    struct sh_node *kids)
{
	struct sh_node *node = sh_node_new(r, kind);

	if (node) {
		node->kids = kids;
		node->text = text;
	}
	return node;
}

/* "time" is a word of the command that it measures, so that it can be looked at like the
 * program of this name; only the keyword's own options may be there. */
static bool sh_list_time_words(struct sh_parser *r, struct sh_word **out)
{
	static const char *const words[] = { "time", "-p", "--" };

	for (size_t i = 0; i < countof(words); i++) {
		size_t from = r->at;

		if (!sh_take_keyword(r, words[i]))
			continue;
		*out = sh_text_word(r, from, r->at);
		if (!*out)
			return false;
		out = &(*out)->next;
		sh_add_span(r, from, r->at, i == 0);
		sh_skip_blanks(r);
	}
	if (sh_peek(r, 0) == '-' || sv_is(sh_keyword(r), "time"))
		return sh_fail(r, "time is followed by neither its option nor a command");
	return true;
}

static struct sh_node *sh_list_timed(struct sh_parser *r)
{
	struct sh_word *before = NULL, **last = &before;
	const char *from = r->src.ptr + r->at;
	size_t start = r->at, nspans = r->spans.n;
	struct sh_node *node;

	if (!sh_list_time_words(r, &before))
		return NULL;
	if (sv_is(sh_keyword(r), "{")) { /* tree-sitter takes it for an argument */
		sh_mask_range(r, start, r->at, ' ');
		r->spans.n = nspans;
	}
	node = sh_command(r, true);
	if (!node || node->kind != SH_SIMPLE)
		return node;
	while (*last)
		last = &(*last)->next;
	*last = node->words;
	node->words = before;
	node->text = sh_list_text_from(from, node->text);
	return node;
}

static struct sh_node *sh_list_pipes(struct sh_parser *r)
{
	struct sh_node *first =
		sv_is(sh_keyword(r), "time") ? sh_list_timed(r) : sh_command(r, false);
	struct sh_node *last = first;
	size_t n = 1;

	while (last) {
		sh_skip_blanks(r);
		if (!sh_take(r, "|") && !sh_take(r, "|&"))
			break;
		if (++n > LIMIT_SH_PIPES) {
			err_set(r->err, ERR_TOO_BIG, "byte %zu: a pipe of more than %d commands",
				r->at, LIMIT_SH_PIPES);
			return NULL;
		}
		last->next = sh_skip_newlines(r) ? sh_command(r, false) : NULL;
		last = last->next;
	}
	if (!last || last == first)
		return last;
	return sh_list_wrap(r, SH_PIPE, sh_list_text_from(first->text.ptr, last->text), first);
}

static struct sh_node *sh_list_pipeline(struct sh_parser *r)
{
	const char *from = r->src.ptr + r->at;
	struct sh_node *node;

	if (!sh_take_keyword(r, "!"))
		return sh_list_pipes(r);
	if (sh_peek(r, 0) == '(') {
		sh_fail(r, "!( may be a glob as well");
		return NULL;
	}
	sh_skip_blanks(r);
	node = sh_list_pipes(r);
	return node ? sh_list_wrap(r, SH_NOT, sh_list_text_from(from, node->text), node) : NULL;
}

/* Half of a chain of one operator on either side, which means the same as any other way to
 * hang it and is never deep. Takes `n` nodes off `*rest`. */
static struct sh_node *sh_list_chain(struct sh_parser *r, enum sh_kind kind, struct sh_node **rest,
				     size_t n)
{
	struct sh_node *left, *right;

	if (n == 1) {
		left = *rest;
		*rest = left->next;
		left->next = NULL;
		return left;
	}
	left = sh_list_chain(r, kind, rest, n / 2);
	right = left ? sh_list_chain(r, kind, rest, n - n / 2) : NULL;
	if (!right)
		return NULL;
	left->next = right;
	return sh_list_wrap(r, kind, sh_list_text_from(left->text.ptr, right->text), left);
}

static bool sh_list_take_and_or(struct sh_parser *r, enum sh_kind *kind)
{
	sh_skip_blanks(r);
	if (sh_take(r, "&&"))
		*kind = SH_AND;
	else if (sh_take(r, "||"))
		*kind = SH_OR;
	else
		return false;
	return true;
}

/* Commands joined by "&&" and "||", which bind alike, from the left. */
static struct sh_node *sh_list_and_or(struct sh_parser *r)
{
	struct sh_node *first = sh_list_pipeline(r), *last = first;
	enum sh_kind kind = SH_AND, next = SH_AND;
	size_t n = 1, turns = 0;

	while (last && sh_list_take_and_or(r, &next)) {
		if (next != kind && n > 1) {
			last = first = sh_list_chain(r, kind, &first, n);
			n = 1;
			turns++;
		}
		kind = next;
		if (turns > LIMIT_SH_DEPTH)
			err_set(r->err, ERR_TOO_BIG, "byte %zu: && and || in turn, too often",
				r->at);
		if (turns > LIMIT_SH_DEPTH || !last || !sh_skip_newlines(r))
			return NULL;
		last = last->next = sh_list_pipeline(r);
		n++;
	}
	return last && n > 1 ? sh_list_chain(r, kind, &first, n) : last;
}

static bool sh_list_at_end_of(const struct sh_parser *r)
{
	struct sv op = sh_operator(r);

	return r->at >= r->end || sv_is(op, ")") || sv_starts(op, SV(";;")) || sv_is(op, ";&") ||
	       is_closing(sh_keyword(r));
}

/* Whether a command may end here without a separator. */
static bool sh_list_check_end(struct sh_parser *r, const struct sh_node *kid)
{
	size_t end = (size_t)(kid->text.ptr - r->src.ptr) + kid->text.len;
	bool is_closed = end == r->closed_at;

	if (sh_list_at_end_of(r) && (is_closed || r->at >= r->end || sh_operator(r).len > 0))
		return true;
	return sh_unexpected(r);
}

static bool sh_list_fill(struct sh_parser *r, struct sh_node *list)
{
	struct sh_node **last = &list->kids, *kid;
	const char *from = NULL;

	for (;; last = &kid->next) {
		if (!sh_skip_newlines(r))
			return false;
		if (list->kids && sh_list_at_end_of(r))
			return true;
		kid = sh_list_and_or(r);
		if (!kid)
			return false;
		if (!from)
			from = kid->text.ptr;
		sh_skip_blanks(r);
		if (sh_take(r, "&"))
			kid = sh_list_wrap(
				r, SH_BACKGROUND,
				sh_list_text_from(kid->text.ptr, sh_slice(r, r->at - 1, r->at)),
				kid);
		if (!kid)
			return false;
		*last = kid;
		list->text = sh_list_text_from(from, kid->text);
		if (kid->kind == SH_BACKGROUND || sh_take(r, ";") || sh_peek(r, 0) == '\n')
			continue;
		return sh_list_check_end(r, kid);
	}
}

struct sh_node *sh_list(struct sh_parser *r)
{
	struct sh_node *list = sh_node_new(r, SH_LIST);
	bool ok;

	if (!list || !sh_enter(r))
		return NULL;
	ok = sh_list_fill(r, list);
	sh_leave(r);
	return ok ? list : NULL;
}

bool sh_script(struct sh_parser *r, struct sh_node **out)
{
	struct sh_here *here = r->here, **last_here = r->last_here;
	bool in_parens = r->in_parens;

	r->here = NULL;
	r->last_here = &r->here;
	r->in_parens = true;
	if (!sh_skip_newlines(r))
		return false;
	if (!sh_take(r, ")")) {
		*out = sh_list(r);
		if (!*out || !sh_expect(r, ")"))
			return false;
	}
	if (r->here)
		return sh_fail(r, "a here-document without its body");
	r->here = here;
	r->last_here = here ? last_here : &r->here;
	r->in_parens = in_parens;
	return true;
}
