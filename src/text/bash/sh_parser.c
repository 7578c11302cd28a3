#include "text/bash/sh_parser.h"

#include "base/utf8.h"

/* A longer operator comes before its own beginnings. */
static const char operators[][4] = {
	";;&", ";;", ";&", ";",  "&>>", "&>", "&&", "&",  "||", "|&", "|", "<<<",
	"<<-", "<<", "<>", "<&", "<",   ">>", ">|", ">&", ">",  "(",  ")", "\n",
};

bool sh_fail_at(struct sh_parser *r, size_t at, const char *what)
{
	return err_set(r->err, ERR_PARSE, "byte %zu: %s", at, what);
}

bool sh_fail(struct sh_parser *r, const char *what)
{
	return sh_fail_at(r, r->at, what);
}

bool sh_unexpected(struct sh_parser *r)
{
	struct sv op = sh_operator(r), shown = op.len > 0 ? op : utf8_prefix(sh_keyword(r), 20);

	if (r->at >= r->end)
		return sh_fail(r, "the text ends too soon");
	if (sv_is(shown, "\n"))
		return sh_fail(r, "unexpected end of the line");
	return err_set(r->err, ERR_PARSE, "byte %zu: unexpected %.*s", r->at, SV_ARG(shown));
}

bool sh_enter(struct sh_parser *r)
{
	if (r->budget->depth >= LIMIT_SH_DEPTH)
		return err_set(r->err, ERR_TOO_BIG, "byte %zu: nested more than %d deep", r->at,
			       LIMIT_SH_DEPTH);
	r->budget->depth++;
	return true;
}

void sh_leave(struct sh_parser *r)
{
	r->budget->depth--;
}

void *sh_alloc(struct sh_parser *r, size_t size)
{
	if (r->budget->nodes >= LIMIT_SH_NODES) {
		err_set(r->err, ERR_TOO_BIG, "byte %zu: more than %d words and parts", r->at,
			LIMIT_SH_NODES);
		return NULL;
	}
	r->budget->nodes++;
	return arena_calloc(r->arena, 1, size);
}

bool sh_is_meta(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '|' || c == '&' || c == ';' || c == '(' ||
	       c == ')' || c == '<' || c == '>';
}

struct sv sh_slice(const struct sh_parser *r, size_t from, size_t to)
{
	return sv_from(r->src.ptr + from, to - from);
}

size_t sh_name_length(const struct sh_parser *r, size_t from)
{
	size_t to = from;

	if (to < r->end && sh_is_name_start(r->src.ptr[to]))
		while (to < r->end && sh_is_name(r->src.ptr[to]))
			to++;
	return to - from;
}

size_t sh_after_continuations(const struct sh_parser *r, size_t from)
{
	while (r->end - from >= 2 && r->src.ptr[from] == '\\' && r->src.ptr[from + 1] == '\n')
		from += 2;
	return from;
}

void sh_skip_blanks(struct sh_parser *r)
{
	for (;;) {
		r->at = sh_after_continuations(r, r->at);
		if (sh_peek(r, 0) != ' ' && sh_peek(r, 0) != '\t')
			break;
		r->at++;
	}
	if (sh_peek(r, 0) == '#')
		while (r->at < r->end && sh_peek(r, 0) != '\n')
			r->at++;
}

bool sh_skip_newlines(struct sh_parser *r)
{
	for (;;) {
		sh_skip_blanks(r);
		if (sh_peek(r, 0) != '\n')
			return true;
		r->at++;
		if (!sh_read_here(r))
			return false;
	}
}

/* Bash ignores a line end between `op` and `c`: to it they are one operator. */
static bool is_joined(struct sv op, char c)
{
	if (c == '(' && (sv_is(op, "(") || sv_is(op, "<") || sv_is(op, ">")))
		return true;
	for (size_t i = 0; i < countof(operators); i++) {
		struct sv longer = sv_cstr(operators[i]);

		if (longer.len > op.len && sv_starts(longer, op) && longer.ptr[op.len] == c)
			return true;
	}
	return false;
}

struct sv sh_operator(const struct sh_parser *r)
{
	struct sv rest = sh_slice(r, r->at, r->end);

	if (rest.len == 0 || !sh_is_meta(rest.ptr[0]) || sv_starts(rest, SV("<(")) ||
	    sv_starts(rest, SV(">(")))
		return SV_EMPTY;
	for (size_t i = 0; i < countof(operators); i++) {
		struct sv op;
		size_t to, next;

		if (operators[i][0] != rest.ptr[0])
			continue;
		op = sv_cstr(operators[i]);
		to = r->at + op.len;
		if (!sv_starts(rest, op))
			continue;
		next = sh_after_continuations(r, to);
		if (next > to && next < r->end && is_joined(op, r->src.ptr[next]))
			return SV("\\");
		return op;
	}
	return SV_EMPTY; /* a blank */
}

bool sh_take(struct sh_parser *r, const char *op)
{
	struct sv found = sh_operator(r);

	if (!sv_is(found, op))
		return false;
	r->at += found.len;
	return true;
}

bool sh_expect(struct sh_parser *r, const char *op)
{
	sh_skip_blanks(r);
	return sh_take(r, op) || sh_unexpected(r);
}

struct sv sh_keyword(const struct sh_parser *r)
{
	size_t to = r->at;

	while (to < r->end && !sh_is_meta(r->src.ptr[to])) {
		size_t next = sh_after_continuations(r, to);

		if (next > to)
			return next == r->end || sh_is_meta(r->src.ptr[next])
				       ? sh_slice(r, r->at, to)
				       : SV("\\");
		to++;
	}
	return sh_slice(r, r->at, to);
}

bool sh_take_keyword(struct sh_parser *r, const char *word)
{
	if (!sv_is(sh_keyword(r), word))
		return false;
	r->at += strlen(word);
	return true;
}

bool sh_expect_keyword(struct sh_parser *r, const char *word)
{
	sh_skip_blanks(r);
	return sh_take_keyword(r, word) || sh_unexpected(r);
}

void sh_mask(struct sh_parser *r, size_t from, const char *instead)
{
	memcpy(r->masked + from, instead, strlen(instead));
}

void sh_mask_range(struct sh_parser *r, size_t from, size_t to, char instead)
{
	for (size_t i = from; i < to; i++)
		if (r->masked[i] != '\n')
			r->masked[i] = instead;
}

bool sh_at_word(const struct sh_parser *r)
{
	return r->at < r->end && sh_operator(r).len == 0;
}
