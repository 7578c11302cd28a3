/* json_write.h - writing JSON as a stream of calls, straight into a string.
 *
 *   struct jw w;
 *
 *   jw_init(&w, &out, JW_COMPACT);
 *   jw_object(&w);
 *   jw_put_str(&w, "type", SV("user"));
 *   jw_put_array(&w, "ids");
 *   jw_int(&w, 1);
 *   jw_end(&w);
 *   jw_end(&w);
 *   jw_done(&w);
 *
 * What comes out is always one valid value: calls that cannot lead to one (a
 * member without a key, an end without a beginning, a second root) are bugs of
 * the caller and end the program. Text is valid UTF-8 whatever went in. */
#ifndef AWL_TEXT_JSON_JSON_WRITE_H
#define AWL_TEXT_JSON_JSON_WRITE_H

#include "base/limits.h"
#include "base/str.h"
#include "text/json/json.h"

enum jw_style {
	JW_COMPACT,
	JW_PRETTY, /* a line per element, two spaces a level; no final newline */
};

/* Our own nesting around a parsed value that is as deep as those get. */
enum { JW_DEPTH = 2 * LIMIT_JSON_DEPTH };

struct jw {
	struct str *out; /* borrowed */
	enum jw_style style;
	unsigned depth;                  /* open containers */
	uint8_t is_object[JW_DEPTH / 8]; /* a bit for each */
	bool any;   /* the innermost has something already, or the root is there */
	bool keyed; /* a key waits for its value */
};

/* Appends to `out`, which outlives the writer and is not to be touched before
 * jw_done(). There is nothing to clear. */
void jw_init(struct jw *w, struct str *out, enum jw_style style);
/* Asserts that the value is whole. */
void jw_done(const struct jw *w);

void jw_object(struct jw *w);
void jw_array(struct jw *w);
void jw_end(struct jw *w); /* of the innermost */
void jw_key(struct jw *w, struct sv key);

/* Malformed UTF-8 is written as U+FFFD. */
void jw_str(struct jw *w, struct sv text);
void jw_strf(struct jw *w, const char *fmt, ...) printf_like(2, 3);
void jw_int(struct jw *w, int64_t n);
void jw_uint(struct jw *w, uint64_t n);
/* The shortest spelling that reads back as the same double, without a fraction
 * when there is none; infinities and NaN, which JSON lacks, become null. */
void jw_real(struct jw *w, double x);
void jw_bool(struct jw *w, bool b);
void jw_null(struct jw *w);
/* Copies `json`, which must be exactly one valid value, byte for byte. */
void jw_raw(struct jw *w, struct sv json);
/* A parsed value; missing becomes null. Every member is written, repeated keys
 * too, and numbers that were kept as spelt stay so. */
void jw_value(struct jw *w, struct json v);

/* A member in one call. */
void jw_put_object(struct jw *w, const char *key);
void jw_put_array(struct jw *w, const char *key);
void jw_put_str(struct jw *w, const char *key, struct sv text);
void jw_put_strf(struct jw *w, const char *key, const char *fmt, ...) printf_like(3, 4);
void jw_put_int(struct jw *w, const char *key, int64_t n);
void jw_put_uint(struct jw *w, const char *key, uint64_t n);
void jw_put_real(struct jw *w, const char *key, double x);
void jw_put_bool(struct jw *w, const char *key, bool b);
void jw_put_null(struct jw *w, const char *key);
void jw_put_raw(struct jw *w, const char *key, struct sv json);
void jw_put_value(struct jw *w, const char *key, struct json v);

#endif
