/* Here-documents. Their bodies are found by whole lines, before anything in them is looked
 * at: a quote or "$(" in one cannot hide its end. */
#include "text/bash/sh_parser.h"

struct sh_here {
	struct sh_redirect *redirect;
	struct sv delimiter;
	bool is_indented; /* <<- */
	struct sh_here *next;
};

static bool sh_here_not_plain(struct sh_parser *r)
{
	return sh_fail(r, "the delimiter of a here-document is not plain");
}

/* After the opening quote. */
static bool sh_here_quoted_delimiter(struct sh_parser *r, char quote, struct str *out)
{
	for (; sh_peek(r, 0) != quote; r->at++) {
		char c = sh_peek(r, 0);

		if (c == '\0' || c == '\n' || (quote == '"' && strchr("$`\\", c)))
			return sh_here_not_plain(r);
		str_addc(out, c);
	}
	r->at++;
	return true;
}

/* The delimiter without its quotes. What it would be with expansions or line continuations
 * in it nobody should have to know. */
static bool sh_here_read_delimiter(struct sh_parser *r, struct str *out, bool *is_quoted)
{
	while (r->at < r->end && !sh_is_meta(sh_peek(r, 0))) {
		char c = sh_peek(r, 0);

		r->at++;
		if (c == '$' || c == '`' || (c == '\\' && sh_peek(r, 0) <= ' '))
			return sh_here_not_plain(r);
		*is_quoted |= c == '\'' || c == '"' || c == '\\';
		if (c == '\'' || c == '"') {
			if (!sh_here_quoted_delimiter(r, c, out))
				return false;
			continue;
		}
		if (c == '\\') {
			c = sh_peek(r, 0);
			r->at++;
		}
		str_addc(out, c);
	}
	return out->len > 0 || sh_here_not_plain(r);
}

bool sh_note_here(struct sh_parser *r, struct sh_redirect *redirect, bool is_indented)
{
	defer(str_clear) struct str delimiter = STR_INIT;
	struct sh_here *here = sh_new(r, struct sh_here);
	bool is_quoted = false;
	size_t from;

	sh_skip_blanks(r);
	from = r->at;
	if (!here || !sh_here_read_delimiter(r, &delimiter, &is_quoted))
		return false;
	sh_add_span(r, from, r->at, false);
	redirect->kind = is_quoted ? SH_HERE_LITERAL : SH_HERE_DOC;
	here->redirect = redirect;
	here->is_indented = is_indented;
	here->delimiter = arena_dup(r->arena, sv_of(&delimiter));
	*r->last_here = here;
	r->last_here = &here->next;
	return true;
}

/* The end of the line at `from`, without its newline. */
static size_t sh_here_line_end(const struct sh_parser *r, size_t from)
{
	size_t length = sv_find_char(sh_slice(r, from, r->end), '\n');

	return length == SIZE_MAX ? r->end : from + length;
}

/* Whether a line that is not the last ends with an odd number of backslashes. */
static bool is_continued(const struct sh_parser *r, size_t from, size_t end)
{
	size_t n = 0;

	while (end - n > from && r->src.ptr[end - n - 1] == '\\')
		n++;
	return n % 2 == 1 && end < r->end;
}

/* Bash compares the delimiter with lines after they are joined. */
static bool sh_here_skip_joined_lines(struct sh_parser *r, const struct sh_here *here)
{
	defer(str_clear) struct str joined = STR_INIT;
	size_t from = r->at, end = sh_here_line_end(r, from);

	while (is_continued(r, from, end)) {
		str_add(&joined, sh_slice(r, from, end - 1));
		from = end + 1;
		end = sh_here_line_end(r, from);
	}
	str_add(&joined, sh_slice(r, from, end));
	if (sv_find(sv_of(&joined), here->delimiter) != SIZE_MAX)
		return sh_fail(r, "a here-document's delimiter in lines that are joined");
	r->at = min_of(end + 1, r->end);
	return true;
}

/* Whether the line here is the delimiter; then behind it. In parentheses bash also takes
 * "EOF)", and any line that begins with the delimiter and has a ")" somewhere. */
static bool sh_here_take_end(struct sh_parser *r, const struct sh_here *here, bool *found)
{
	size_t from = r->at, end = sh_here_line_end(r, from);
	struct sv rest;

	while (here->is_indented && from < end && r->src.ptr[from] == '\t')
		from++;
	*found = false;
	if (!sv_starts(sh_slice(r, from, end), here->delimiter))
		return true;
	rest = sh_slice(r, from + here->delimiter.len, end);
	if (rest.len == 0 || (r->in_parens && rest.ptr[0] == ')')) {
		*found = true;
		r->at = rest.len == 0 ? min_of(end + 1, r->end) : from + here->delimiter.len;
	} else if (r->in_parens && sv_find_char(rest, ')') != SIZE_MAX) {
		return sh_fail(r, "it is not clear where a here-document ends");
	}
	return true;
}

static bool sh_here_find_end(struct sh_parser *r, const struct sh_here *here, size_t *body_end)
{
	bool joins = here->redirect->kind == SH_HERE_DOC, found = false;
	size_t from = r->at;

	while (r->at < r->end) {
		size_t end = sh_here_line_end(r, r->at);

		*body_end = r->at;
		if (joins && is_continued(r, r->at, end)) {
			if (!sh_here_skip_joined_lines(r, here))
				return false;
			continue;
		}
		if (!sh_here_take_end(r, here, &found) || found)
			return found;
		r->at = min_of(end + 1, r->end);
	}
	return sh_fail_at(r, from, "a here-document without its end");
}

static bool sh_here_literal_body(struct sh_parser *r, bool is_indented, struct sh_part ***last)
{
	size_t from = r->at;

	while (r->at < r->end) {
		size_t tabs = r->at;

		while (is_indented && tabs < r->end && r->src.ptr[tabs] == '\t')
			tabs++;
		if (tabs > r->at) {
			if (r->at > from &&
			    !sh_add_part(r, SH_TEXT, sh_slice(r, from, r->at), true, last))
				return false;
			from = tabs;
		}
		r->at = min_of(sh_here_line_end(r, tabs) + 1, r->end);
	}
	return r->at == from ||
	       sh_add_part(r, SH_TEXT, sh_slice(r, from, r->at), true, last) != NULL;
}

/* What a document holds is like a string in double quotes: shown as one, on its own. The
 * spans from `n` on are those in it. */
static bool sh_here_check_body(struct sh_parser *r, size_t from, size_t to, size_t n)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sh_spans spans = { .n = 0 };
	bool ok;

	str_addf(&text, "\"%.*s\"", SV_ARG(sv_from(r->masked + from, to - from)));
	vec_push(&spans, ((struct sh_span){ .to = text.len, .is_command = true }));
	for (size_t i = n; i < r->spans.n; i++) {
		struct sh_span span = r->spans.at[i];

		span.from -= from - 1;
		span.to -= from - 1;
		vec_push(&spans, span);
	}
	r->spans.n = n;
	ok = sh_cross_check(sv_of(&text), &spans, r->err);
	vec_clear(&spans);
	return ok || err_context(r->err, "in the here-document at byte %zu", from);
}

static bool sh_here_expanding_body(struct sh_parser *r, bool is_indented, struct sh_part ***last)
{
	size_t from = r->at, n = r->spans.n;

	if (!sh_expanding_text(r, '\0', is_indented, last))
		return false;
	return sv_find_char(sh_slice(r, from, r->end), '$') == SIZE_MAX ||
	       sh_here_check_body(r, from, r->end, n);
}

static bool sh_here_read_body(struct sh_parser *r, const struct sh_here *here)
{
	struct sh_raw raw = { .from = r->at };
	struct sh_part **last = &raw.parts;
	size_t after, end = r->end;
	bool ok;

	if (!sh_here_find_end(r, here, &raw.to))
		return false;
	after = r->at;
	r->at = raw.from;
	r->end = raw.to;
	if (here->redirect->kind == SH_HERE_LITERAL)
		ok = sh_here_literal_body(r, here->is_indented, &last);
	else
		ok = sh_here_expanding_body(r, here->is_indented, &last);
	sh_mask_range(r, raw.from, after, ' ');
	r->at = after;
	r->end = end;
	here->redirect->to = ok ? sh_finish(r, &raw, SH_IN_STRING) : NULL;
	return here->redirect->to;
}

bool sh_read_here(struct sh_parser *r)
{
	struct sh_here *here = r->here;

	r->here = NULL;
	r->last_here = &r->here;
	for (; here; here = here->next)
		if (!sh_here_read_body(r, here))
			return false;
	return true;
}
