#include "text/json/json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "text/json/json_plain.h"

void jw_init(struct jw *w, struct str *out, enum jw_style style)
{
	*w = (struct jw){ .out = out, .style = style };
}

void jw_done(const struct jw *w)
{
	BUG_ON(w->depth || !w->any);
}

static bool jw_in_object(const struct jw *w)
{
	unsigned top = w->depth - 1;

	return w->depth && w->is_object[top / 8] >> top % 8 & 1;
}

static void jw_new_line(struct jw *w)
{
	if (w->style == JW_COMPACT)
		return;
	str_addc(w->out, '\n');
	for (unsigned i = 0; i < w->depth; i++)
		str_add(w->out, SV("  "));
}

/* Write the separator before the next element or key. */
static void jw_next_item(struct jw *w)
{
	if (w->any)
		str_addc(w->out, ',');
	w->any = true;
	jw_new_line(w);
}

/* Called before every value of any kind. */
static void jw_begin_value(struct jw *w)
{
	if (!w->depth) {
		BUG_ON(w->any);
		w->any = true;
	} else if (jw_in_object(w)) {
		BUG_ON(!w->keyed);
		w->keyed = false;
	} else {
		jw_next_item(w);
	}
}

static void jw_begin_container(struct jw *w, bool object)
{
	uint8_t *bits = &w->is_object[w->depth / 8];
	uint8_t bit = (uint8_t)(1u << w->depth % 8);

	BUG_ON(w->depth == JW_DEPTH);
	jw_begin_value(w);
	*bits = object ? *bits | bit : *bits & (uint8_t)~bit;
	w->depth++;
	w->any = false;
	str_addc(w->out, object ? '{' : '[');
}

void jw_object(struct jw *w)
{
	jw_begin_container(w, true);
}

void jw_array(struct jw *w)
{
	jw_begin_container(w, false);
}

void jw_end(struct jw *w)
{
	char bracket = jw_in_object(w) ? '}' : ']';

	BUG_ON(!w->depth || w->keyed);
	w->depth--;
	if (w->any)
		jw_new_line(w);
	w->any = true; /* the outer container now has at least this one */
	str_addc(w->out, bracket);
}

/* Strings. */

/* The length of the prefix of `s` that can be copied unchanged. */
static size_t jw_plain_run(struct sv s)
{
	size_t i = 0;

	while ((i += json_plain_ascii(sv_skip(s, i))) < s.len) {
		uint32_t rune;
		int n = utf8_decode(sv_skip(s, i), &rune);

		if (n < 2)
			break; /* needs an escape, or is malformed */
		i += (size_t)n;
	}
	return i;
}

static void jw_add_escape(struct str *out, char c)
{
	switch (c) {
	case '"': str_add(out, SV("\\\"")); break;
	case '\\': str_add(out, SV("\\\\")); break;
	case '\b': str_add(out, SV("\\b")); break;
	case '\f': str_add(out, SV("\\f")); break;
	case '\n': str_add(out, SV("\\n")); break;
	case '\r': str_add(out, SV("\\r")); break;
	case '\t': str_add(out, SV("\\t")); break;
	default: str_addf(out, "\\u%04x", (unsigned)c); break;
	}
}

static void jw_add_quoted(struct str *out, struct sv text)
{
	str_reserve(out, text.len + 2);
	str_addc(out, '"');
	for (;;) {
		size_t run = jw_plain_run(text);
		uint32_t rune;
		int n;

		str_add(out, sv_slice(text, 0, run));
		text = sv_skip(text, run);
		if (!text.len)
			break;
		n = utf8_decode(text, &rune);
		if (n == 1)
			jw_add_escape(out, text.ptr[0]);
		else
			str_add(out, UTF8_REPLACEMENT);
		text = sv_skip(text, (size_t)abs(n));
	}
	str_addc(out, '"');
}

void jw_key(struct jw *w, struct sv key)
{
	BUG_ON(!jw_in_object(w) || w->keyed);
	jw_next_item(w);
	jw_add_quoted(w->out, key);
	str_add(w->out, w->style == JW_PRETTY ? SV(": ") : SV(":"));
	w->keyed = true;
}

void jw_str(struct jw *w, struct sv text)
{
	jw_begin_value(w);
	jw_add_quoted(w->out, text);
}

static void printf_like(2, 0) jw_add_vquoted(struct jw *w, const char *fmt, va_list args)
{
	defer(str_clear) struct str text = STR_INIT;

	str_vaddf(&text, fmt, args);
	jw_str(w, sv_of(&text));
}

void jw_strf(struct jw *w, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	jw_add_vquoted(w, fmt, args);
	va_end(args);
}

/* Other values. */

void jw_raw(struct jw *w, struct sv json)
{
	BUG_ON(!json.len);
	jw_begin_value(w);
	str_add(w->out, json);
}

void jw_int(struct jw *w, int64_t n)
{
	jw_begin_value(w);
	str_addf(w->out, "%lld", (long long)n);
}

void jw_uint(struct jw *w, uint64_t n)
{
	jw_begin_value(w);
	str_addf(w->out, "%llu", (unsigned long long)n);
}

void jw_real(struct jw *w, double x)
{
	char text[32];

	if (!isfinite(x)) {
		jw_null(w);
		return;
	}
	/* 15 digits suffice for whatever was written with at most as many, 17 for
	 * all. The point is a point: the program keeps the C locale for numbers. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	jw_raw(w, sv_cstr(text));
}

void jw_bool(struct jw *w, bool b)
{
	jw_raw(w, b ? SV("true") : SV("false"));
}

void jw_null(struct jw *w)
{
	jw_raw(w, SV("null"));
}

static void write_number(struct jw *w, struct json v)
{
	struct sv raw;
	uint64_t u;
	int64_t i;

	if (json_raw(v, &raw))
		jw_raw(w, raw);
	else if (json_int(v, &i))
		jw_int(w, i);
	else if (json_uint(v, &u))
		jw_uint(w, u);
	else
		jw_real(w, json_real_or(v, NAN));
}

static void write_container(struct jw *w, struct json v)
{
	struct json_iter it = json_each(v);
	struct json item;
	struct sv key;

	jw_begin_container(w, it.keyed);
	while (json_next(&it, &key, &item)) {
		if (it.keyed)
			jw_key(w, key);
		jw_value(w, item);
	}
	jw_end(w);
}

void jw_value(struct jw *w, struct json v)
{
	switch (json_type(v)) {
	case JSON_MISSING:
	case JSON_NULL: jw_null(w); break;
	case JSON_BOOL: jw_bool(w, json_bool_or(v, false)); break;
	case JSON_NUMBER: write_number(w, v); break;
	case JSON_STRING: jw_str(w, json_str_or(v, SV_EMPTY)); break;
	case JSON_ARRAY:
	case JSON_OBJECT: write_container(w, v); break;
	}
}

/* Members. */

void jw_put_object(struct jw *w, const char *key)
{
	jw_key(w, sv_cstr(key));
	jw_object(w);
}

void jw_put_array(struct jw *w, const char *key)
{
	jw_key(w, sv_cstr(key));
	jw_array(w);
}

void jw_put_str(struct jw *w, const char *key, struct sv text)
{
	jw_key(w, sv_cstr(key));
	jw_str(w, text);
}

void jw_put_strf(struct jw *w, const char *key, const char *fmt, ...)
{
	va_list args;

	jw_key(w, sv_cstr(key));
	va_start(args, fmt);
	jw_add_vquoted(w, fmt, args);
	va_end(args);
}

void jw_put_int(struct jw *w, const char *key, int64_t n)
{
	jw_key(w, sv_cstr(key));
	jw_int(w, n);
}

void jw_put_uint(struct jw *w, const char *key, uint64_t n)
{
	jw_key(w, sv_cstr(key));
	jw_uint(w, n);
}

void jw_put_real(struct jw *w, const char *key, double x)
{
	jw_key(w, sv_cstr(key));
	jw_real(w, x);
}

void jw_put_bool(struct jw *w, const char *key, bool b)
{
	jw_key(w, sv_cstr(key));
	jw_bool(w, b);
}

void jw_put_null(struct jw *w, const char *key)
{
	jw_key(w, sv_cstr(key));
	jw_null(w);
}

void jw_put_raw(struct jw *w, const char *key, struct sv json)
{
	jw_key(w, sv_cstr(key));
	jw_raw(w, json);
}

void jw_put_value(struct jw *w, const char *key, struct json v)
{
	jw_key(w, sv_cstr(key));
	jw_value(w, v);
}

struct json_doc *json_copy(struct json v)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct json_doc *doc;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, v);
	jw_done(&w);
	doc = json_parse(sv_of(&text), 0, &err);
	if (!doc)
		BUG("what we write is JSON: %s", err.text);
	return doc;
}
