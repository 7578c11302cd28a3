#include "text/json/json_span.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "text/json/json.h"
#include "text/json/json_plain.h"

/* A cursor that moves forward through a text. Every skip_x() moves past one x, or fails
 * with `at` on the first invalid byte. */
struct cursor {
	struct sv text;
	size_t at;
	unsigned depth;
	struct err *err;
};

static bool span_fail(const struct cursor *c, const char *what)
{
	return json_fail_at(c->err, c->text, c->at, what);
}

/* The byte under the cursor; NUL, which is never valid, at the end. */
static char span_peek(const struct cursor *c)
{
	return c->at < c->text.len ? c->text.ptr[c->at] : '\0';
}

static bool span_skip_char(struct cursor *c, char wanted)
{
	if (span_peek(c) != wanted || c->at == c->text.len)
		return false;
	c->at++;
	return true;
}

static void span_skip_space(struct cursor *c)
{
	while (span_peek(c) == ' ' || span_peek(c) == '\t' || span_peek(c) == '\n' ||
	       span_peek(c) == '\r')
		c->at++;
}

static void span_skip_bom(struct cursor *c)
{
	if (c->at == 0 && sv_starts(c->text, SV("\xef\xbb\xbf")))
		c->at = 3;
}

static bool is_hex(char c)
{
	return ascii_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static bool span_skip_escape(struct cursor *c)
{
	c->at++;
	if (span_skip_char(c, 'u')) {
		for (int i = 0; i < 4; i++, c->at++)
			if (!is_hex(span_peek(c)))
				return span_fail(c, "expected four hex digits");
		return true;
	}
	if (!span_peek(c) || !strchr("\"\\/bfnrt", span_peek(c)))
		return span_fail(c, "invalid escape in string");
	c->at++;
	return true;
}

static bool span_skip_string(struct cursor *c)
{
	c->at++;
	while ((c->at += json_plain_ascii(sv_skip(c->text, c->at))) < c->text.len) {
		unsigned char byte = (unsigned char)c->text.ptr[c->at];
		uint32_t rune;
		int n;

		if (byte == '"') {
			c->at++;
			return true;
		}
		if (byte == '\\') {
			if (!span_skip_escape(c))
				return false;
			continue;
		}
		if (byte < ' ')
			return span_fail(c, "unexpected control character in string");
		n = utf8_decode(sv_skip(c->text, c->at), &rune);
		if (n < 0)
			return span_fail(c, "invalid UTF-8 in string");
		c->at += (size_t)n;
	}
	return span_fail(c, "unclosed string");
}

static bool span_skip_digits(struct cursor *c, const char *what)
{
	if (!ascii_is_digit(span_peek(c)))
		return span_fail(c, what);
	while (ascii_is_digit(span_peek(c)))
		c->at++;
	return true;
}

static bool span_skip_number(struct cursor *c)
{
	span_skip_char(c, '-');
	if (!span_skip_char(c, '0') && !span_skip_digits(c, "no digit after minus sign"))
		return false;
	if (span_skip_char(c, '.') && !span_skip_digits(c, "no digit after decimal point"))
		return false;
	if (!span_skip_char(c, 'e') && !span_skip_char(c, 'E'))
		return true;
	if (!span_skip_char(c, '+'))
		span_skip_char(c, '-');
	return span_skip_digits(c, "no digit after exponent sign");
}

static bool span_skip_literal(struct cursor *c)
{
	static const struct sv literals[] = { SV_INIT("true"), SV_INIT("false"), SV_INIT("null") };

	for (size_t i = 0; i < countof(literals); i++) {
		if (sv_starts(sv_skip(c->text, c->at), literals[i])) {
			c->at += literals[i].len;
			return true;
		}
	}
	return span_fail(c, "expected a value");
}

static bool span_skip_value(struct cursor *c);

/* Move past one item of a container that ends with `close`, or past its end: then set
 * `*done`. */
static bool span_skip_item(struct cursor *c, char close, bool any, bool *done,
			   struct json_item *item)
{
	span_skip_space(c);
	if (span_skip_char(c, close)) {
		*done = true;
		return true;
	}
	if (any && !span_skip_char(c, ','))
		return span_fail(c, close == '}' ? "expected a comma or a closing brace"
						 : "expected a comma or a closing bracket");
	span_skip_space(c);
	item->key.from = item->key.to = c->at;
	if (close == '}') {
		if (span_peek(c) != '"')
			return span_fail(c, "expected a string for object key");
		if (!span_skip_string(c))
			return false;
		item->key.to = c->at;
		span_skip_space(c);
		if (!span_skip_char(c, ':'))
			return span_fail(c, "expected a colon after object key");
		span_skip_space(c);
	}
	item->value.from = c->at;
	if (!span_skip_value(c))
		return false;
	item->value.to = c->at;
	return true;
}

/* Recursion stops at the depth that json_parse() allows. */
static bool span_skip_container(struct cursor *c, char close)
{
	struct json_item item;
	bool done = false;

	if (c->depth == LIMIT_JSON_DEPTH)
		return err_set(c->err, ERR_TOO_BIG, "JSON nested deeper than %d levels",
			       LIMIT_JSON_DEPTH);
	c->depth++;
	c->at++;
	for (bool any = false; !done; any = true)
		if (!span_skip_item(c, close, any, &done, &item))
			return false;
	c->depth--;
	return true;
}

static bool span_skip_value(struct cursor *c)
{
	switch (span_peek(c)) {
	case '{': return span_skip_container(c, '}');
	case '[': return span_skip_container(c, ']');
	case '"': return span_skip_string(c);
	default: break;
	}
	return span_peek(c) == '-' || ascii_is_digit(span_peek(c)) ? span_skip_number(c)
								   : span_skip_literal(c);
}

static bool span_expect_end(struct cursor *c)
{
	span_skip_space(c);
	return c->at == c->text.len || span_fail(c, "unexpected content after the value");
}

static bool span_check_size(struct sv text, struct err *err)
{
	return text.len <= LIMIT_JSON_DOC ||
	       err_set(err, ERR_TOO_BIG, "JSON of %zu bytes exceeds the limit of %zu", text.len,
		       LIMIT_JSON_DOC);
}

bool json_span_root(struct sv text, struct json_span *out, struct err *err)
{
	struct cursor c = { .text = text, .err = err };
	struct json_span span;

	if (!span_check_size(text, err))
		return false;
	span_skip_bom(&c);
	span_skip_space(&c);
	span.from = c.at;
	if (!span_skip_value(&c))
		return false;
	span.to = c.at;
	if (!span_expect_end(&c))
		return false;
	*out = span;
	return true;
}

/* Visiting. */

bool json_span_each(struct json_span_iter *it, struct sv text, struct json_span span,
		    struct err *err)
{
	struct cursor c = { .text = sv_slice(text, 0, span.to), .at = span.from, .err = err };
	bool object;

	if (!span_check_size(text, err))
		return false;
	span_skip_bom(&c);
	span_skip_space(&c);
	object = span_skip_char(&c, '{');
	if (!object && !span_skip_char(&c, '['))
		return err_set(err, ERR_INVALID, "expected an object or an array");
	*it = (struct json_span_iter){ .text = c.text, .at = c.at, .close = object ? '}' : ']' };
	return true;
}

bool json_span_next(struct json_span_iter *it, struct json_item *item, struct err *err)
{
	struct cursor c = { .text = it->text, .at = it->at, .depth = 1, .err = err };
	struct json_item next;
	bool done = false;

	if (!span_skip_item(&c, it->close, it->any, &done, &next) || (done && !span_expect_end(&c)))
		return false;
	it->at = c.at;
	it->any = true;
	it->done = done;
	if (!done)
		*item = next;
	return true;
}

bool json_span_key_is(struct sv text, struct json_span span, struct sv key)
{
	struct sv quoted = json_span_sv(text, span);
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored;

	if (sv_find_char(quoted, '\\') == SIZE_MAX)
		return sv_eq(sv_slice(quoted, 1, quoted.len - 1), key);
	doc = json_parse(quoted, 0, &ignored);
	return sv_eq(json_str_or(json_root(doc), SV_EMPTY), key);
}
