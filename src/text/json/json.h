/* json.h - reads JSON: a text becomes an immutable document, whose values are passed
 * around as small handles.
 *
 *   defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);
 *   struct sv name;
 *
 *   if (!doc || !json_need_str(json_root(doc), "name", &name, err))
 *           return false;
 *
 * A handle, and every view taken from it, borrows from the document. An absent value is
 * a handle too (JSON_MISSING). Every function here accepts it, so lookups chain without
 * checks in between.
 *
 * The parser accepts RFC 8259 and skips a byte-order mark at the start. In two cases it
 * follows JavaScript, because JavaScript writes such files: the escape of a lone
 * surrogate becomes U+FFFD, and the last of several members with the same key counts.
 * Numbers are 64-bit integers or doubles; a number too large for these keeps its
 * spelling. */
#ifndef AWL_TEXT_JSON_JSON_H
#define AWL_TEXT_JSON_JSON_H

#include "base/err.h"
#include "base/str.h"

struct json_doc;
struct yyjson_val;

struct json {
	const struct yyjson_val *val; /* NULL: missing */
};

enum json_type {
	JSON_MISSING,
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

enum json_flags {
	JSON_LENIENT = 1 << 0, /* accept comments and trailing commas, for files that people edit */
	JSON_RAW_NUMBERS = 1 << 1, /* keep the spelling of every number for json_raw() */
	JSON_KEEP_HALVES = 1 << 2, /* keep lone surrogates, for json_halves.h to join */
};

/* Returns an owned document that does not refer to `text`, or NULL. Fails with
 * ERR_PARSE, naming line and column (both from 1, in characters), or with ERR_TOO_BIG
 * past LIMIT_JSON_DOC bytes or LIMIT_JSON_DEPTH levels. Since no value is nested deeper,
 * recursion over a value is safe. */
struct json_doc *json_parse(struct sv text, unsigned flags, struct err *err) must_use;
void json_doc_free(struct json_doc *doc);
void json_doc_freep(struct json_doc **doc);
struct json json_root(const struct json_doc *doc); /* of NULL: missing */

/* A reader for many small documents, one at a time. It reuses its memory, so that in the
 * long run no document costs an allocation. */
struct json_pool {
	void *memory;
	size_t size;
	struct json_doc *big; /* the current document, if it is too long to pool */
};

#define JSON_POOL_INIT         \
	{                      \
		.memory = NULL \
	}

/* Like json_parse(). The document is valid until the next call with this pool,
 * successful or not, or json_pool_clear(). */
must_use bool json_parse_in(struct json_pool *pool, struct sv text, unsigned flags,
			    struct json *root, struct err *err);
void json_pool_clear(struct json_pool *pool);

/* Replaces the escapes of lone surrogates in the JSON from `from` on with "\ufffd", which has the
 * same length. Returns whether there were any. `from` must not be inside of an escape. */
bool json_replace_lone_surrogates(struct str *text, size_t from);

/* Types of values. */
enum json_type json_type(struct json v);
const char *json_type_name(enum json_type type); /* "object", as in JSON Schema */
bool json_is(struct json v, enum json_type type);
static inline bool json_exists(struct json v)
{
	return v.val != NULL;
}
/* A number without a fraction in any spelling (3, 3.0, 1e400). */
bool json_is_integer(struct json v);

/* Elements and members; missing for a value that has no such part. json_get() and
 * json_at() take time linear in the size of the container, so visit big ones with
 * json_next(). */
size_t json_len(struct json v); /* number of elements or members; repeated keys count each time */
struct json json_get(struct json object, const char *key);
struct json json_get_sv(struct json object, struct sv key);
struct json json_at(struct json array, size_t i);
/* Finds members of an object in one pass, for small objects that come by the thousand. `place_of` says
 * where in `out` a member with that name belongs, or JSON_NOWHERE; places of missing members stay as
 * they are. If it compares with sv_is(), that costs next to nothing. */
#define JSON_NOWHERE SIZE_MAX
typedef size_t json_place_fn(struct sv name);
void json_pick(struct json object, json_place_fn *place_of, struct json *out);
/* Follows a path written in our own source, such as "a.b[0].c"; a malformed path is a
 * bug. A path cannot name a key that contains '.' or '['. */
struct json json_path(struct json v, const char *path);

/* Visits elements or members in text order, repeated keys each time they appear: `for
 * (it = json_each(v); json_next(&it, &key, &item);)`. `key` may be NULL, and stays
 * untouched in an array. Visits nothing when the value is not a container. */
struct json_iter {
	const struct yyjson_val *next;
	size_t left;
	bool keyed;
};
struct json_iter json_each(struct json container);
bool json_next(struct json_iter *it, struct sv *key, struct json *item);

/* The value as a C type; false, with `*out` untouched, when it is of another type.
 * Strings are NUL-terminated UTF-8, and may contain NUL bytes. */
must_use bool json_str(struct json v, struct sv *out);
must_use bool json_bool(struct json v, bool *out);
/* An integer in range, in any spelling: 3, 3.0 and 3e0 are the same number. */
must_use bool json_int(struct json v, int64_t *out);
must_use bool json_uint(struct json v, uint64_t *out);
/* Any number except one too large for a double; never infinite. */
must_use bool json_real(struct json v, double *out);
/* The number as spelt in the text: any number after JSON_RAW_NUMBERS; otherwise only
 * numbers too large for a 64-bit integer or, with a fraction, for a double. */
must_use bool json_raw(struct json v, struct sv *out);

/* Getters with a default value. */
struct sv json_str_or(struct json v, struct sv fallback);
int64_t json_int_or(struct json v, int64_t fallback);
double json_real_or(struct json v, double fallback);
bool json_bool_or(struct json v, bool fallback);

/* A required member, for decoding messages. Fails with ERR_INVALID and a text such as:
 * "model" must be a string, not a number. */
must_use bool json_need_str(struct json object, const char *key, struct sv *out, struct err *err);
must_use bool json_need_bool(struct json object, const char *key, bool *out, struct err *err);
must_use bool json_need_int(struct json object, const char *key, int64_t *out, struct err *err);
must_use bool json_need_array(struct json object, const char *key, struct json *out,
			      struct err *err);
must_use bool json_need_object(struct json object, const char *key, struct json *out,
			       struct err *err);

/* Deep equality: numbers compare by value (1 equals 1.0), objects regardless of member
 * order. Where a key repeats, only the last member counts. Numbers that do not fit a
 * 64-bit integer compare as doubles, larger ones by spelling. Missing equals only
 * missing. */
bool json_equal(struct json a, struct json b);

/* Fails with "line 3, column 14: <what>, found 'x'" for the byte at offset `at` of
 * `text` (its length: the end). Every reader of JSON text uses it. */
bool json_fail_at(struct err *err, struct sv text, size_t at, const char *what);

#endif
