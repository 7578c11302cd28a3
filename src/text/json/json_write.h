/* json_write.h - writes JSON as a stream of calls, directly into a string. */
#ifndef AWL_TEXT_JSON_JSON_WRITE_H
#define AWL_TEXT_JSON_JSON_WRITE_H

#include "base/limits.h"
#include "base/str.h"
#include "text/json/json.h"

enum jw_style {
	JW_COMPACT,
	JW_PRETTY, /* one element per line, two spaces per level, no final newline */
};

/* Our own nesting around a parsed value of maximal depth. */
enum { JW_DEPTH = 2 * LIMIT_JSON_DEPTH };

struct jw {
	struct str *out; /* borrowed */
	enum jw_style style;
	unsigned depth;                  /* open containers */
	uint8_t is_object[JW_DEPTH / 8]; /* one bit for each open container */
	bool any;   /* the innermost container is not empty, or the root exists */
	bool keyed; /* a key waits for its value */
};

/* Appends to `out`, which outlives the writer; nobody else may change it before
 * jw_done(). There is nothing to clear. */
void jw_init(struct jw *w, struct str *out, enum jw_style style);
/* Asserts that the value is complete. */
void jw_done(const struct jw *w);

void jw_object(struct jw *w);
void jw_array(struct jw *w);
void jw_end(struct jw *w); /* ends the innermost container */
void jw_key(struct jw *w, struct sv key);

/* Malformed UTF-8 is written as U+FFFD. */
void jw_str(struct jw *w, struct sv text);
void jw_strf(struct jw *w, const char *fmt, ...) printf_like(2, 3);
void jw_int(struct jw *w, int64_t n);
void jw_uint(struct jw *w, uint64_t n);
/* Writes the shortest spelling that reads back as the same double, without a fraction
 * when it has none. Infinities and NaN, which JSON lacks, become null. */
void jw_real(struct jw *w, double x);
void jw_bool(struct jw *w, bool b);
void jw_null(struct jw *w);
/* Copies `json`, which must be exactly one valid value, byte for byte. */
void jw_raw(struct jw *w, struct sv json);
/* Writes a parsed value; missing becomes null. Writes every member, including repeated
 * keys, and keeps the spelling of numbers that were kept as spelt. */
void jw_value(struct jw *w, struct json v);
/* Copies a value into a document of its own. */
struct json_doc *json_copy(struct json v) must_use;

/* These write a key and its value in one call. */
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
