#include "text/json/json.h"

#include <yyjson.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"

struct json_doc {
	yyjson_doc *tree;
};

/* yyjson does not accept const values, though it never changes them. */
static yyjson_val *json_val_of(struct json v)
{
	return (yyjson_val *)v.val;
}

static struct json json_of(const yyjson_val *val)
{
	return (struct json){ .val = val };
}

/* Error positions. */

/* Describe the character at `at`, for the end of a sentence. */
static void json_describe(char *out, size_t size, struct sv text, size_t at)
{
	struct sv rest = sv_skip(text, at);
	uint32_t rune;
	int n = rest.len ? utf8_decode(rest, &rune) : 0;

	if (n == 0)
		snprintf(out, size, "the end of the text");
	else if (n > 0 && rune == '\n')
		snprintf(out, size, "the end of the line");
	else if (n < 0 || rune < ' ' || rune == 0x7f)
		snprintf(out, size, "the byte 0x%02x", (unsigned char)rest.ptr[0]);
	else
		snprintf(out, size, "'%.*s'", n, rest.ptr);
}

bool json_fail_at(struct err *err, struct sv text, size_t at, const char *what)
{
	struct sv before = sv_slice(text, 0, at);
	size_t line = 1, column = 1;
	char found[32];

	for (size_t i = 0; i < before.len; i++) {
		if (before.ptr[i] == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)before.ptr[i] & 0xc0) != 0x80) {
			column++;
		}
	}
	json_describe(found, sizeof(found), text, at);
	return err_set(err, ERR_PARSE, "line %zu, column %zu: %s, found %s", line, column, what,
		       found);
}

static void json_fail_read(struct err *err, struct sv text, const yyjson_read_err *why)
{
	struct sv prefix = SV("unexpected character, ");
	const char *what = why->msg;

	if (!text.len || why->code == YYJSON_READ_ERROR_EMPTY_CONTENT)
		what = "expected a value";
	else if (why->code == YYJSON_READ_ERROR_UNEXPECTED_END)
		what = "incomplete value";
	else if (sv_starts(sv_cstr(what), prefix))
		what += prefix.len;
	json_fail_at(err, text, min_of(why->pos, text.len), what);
}

/* Parsing. */

static void *json_heap_malloc(void *ctx, size_t size)
{
	(void)ctx;
	return xmalloc(size);
}

static void *json_heap_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
	(void)ctx;
	(void)old_size;
	return xrealloc(old, size, 1);
}

static void json_heap_free(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

static const yyjson_alc heap = { json_heap_malloc, json_heap_realloc, json_heap_free, NULL };

enum { JSON_ANY_BYTES = 1 << 16 }; /* private: halves stand in the text as bytes */

static yyjson_doc *json_read_text(struct sv text, unsigned flags, const yyjson_alc *alc,
				  yyjson_read_err *why)
{
	yyjson_read_flag wanted = YYJSON_READ_BIGNUM_AS_RAW;

	if (flags & JSON_LENIENT)
		wanted |= YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS;
	if (flags & JSON_RAW_NUMBERS)
		wanted |= YYJSON_READ_NUMBER_AS_RAW;
	if (flags & JSON_ANY_BYTES && flags & JSON_KEEP_HALVES)
		wanted |= YYJSON_READ_ALLOW_INVALID_UNICODE;
	return yyjson_read_opts((char *)text.ptr, text.len, wanted, alc, why);
}

static struct sv json_skip_bom(struct sv text)
{
	return sv_starts(text, SV("\xef\xbb\xbf")) ? sv_skip(text, 3) : text;
}

/* The value of the four hex digits of a "\uXXXX" at `at`, or -1. */
static int json_escape_at(struct sv text, size_t at)
{
	int unit = 0;

	if (!sv_starts(sv_skip(text, at), SV("\\u")) || text.len - at < 6)
		return -1;
	for (size_t i = at + 2; i < at + 6; i++) {
		char c = text.ptr[i];
		int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;

		if (digit < 0 || digit > 15 || (c > '9' && digit < 10))
			return -1;
		unit = unit << 4 | digit;
	}
	return unit;
}

/* Finds the next escape of a lone surrogate from `*at` on. A backslash outside a string can only be
 * in a comment, where changing it does no harm. */
static bool json_find_lone(struct sv text, size_t *at, int *unit)
{
	size_t i = *at, hop;

	while ((hop = sv_find_char(sv_skip(text, i), '\\')) != SIZE_MAX) {
		bool high, pair;
		int low;

		*unit = json_escape_at(text, i += hop);
		high = *unit >= 0xd800 && *unit < 0xdc00;
		low = high ? json_escape_at(text, i + 6) : -1;
		pair = low >= 0xdc00 && low < 0xe000;
		*at = i;
		if (!pair && *unit >= 0xd800 && *unit < 0xe000)
			return true;
		i += pair ? 12 : 2;
	}
	return false;
}

bool json_replace_lone_surrogates(struct str *text, size_t from)
{
	bool any = false;
	int unit;

	for (; json_find_lone(sv_of(text), &from, &unit); from += 6, any = true)
		memcpy(text->ptr + from, "\\ufffd", 6);
	return any;
}

/* Appends `text` with each lone surrogate as the three bytes that json_halves.h joins. */
static bool json_keep_lone_surrogates(struct str *out, struct sv text)
{
	size_t from = 0, at = 0;
	int unit;

	for (; json_find_lone(text, &at, &unit); from = at += 6) {
		str_add(out, sv_slice(text, from, at));
		str_addc(out, (char)0xed);
		str_addc(out, (char)(0x80 | (unit >> 6 & 0x3f)));
		str_addc(out, (char)(0x80 | (unit & 0x3f)));
	}
	str_add(out, sv_skip(text, from));
	return from > 0;
}

/* Makes of a text that has lone surrogates one that can be parsed. */
static bool json_mend_surrogates(struct str *out, struct sv text, bool keep)
{
	if (keep)
		return json_keep_lone_surrogates(out, text);
	str_add(out, text);
	return json_replace_lone_surrogates(out, 0);
}

/* The depth cannot exceed the number of values, so small documents need no check. In
 * larger ones the values are stored in text order, so one pass is enough. */
static bool json_is_too_deep(yyjson_doc *tree)
{
	size_t n = yyjson_doc_get_val_count(tree), depth = 0;
	yyjson_val *val = yyjson_doc_get_root(tree), *end = val + n;
	yyjson_val *ends[LIMIT_JSON_DEPTH]; /* ends of the containers around `val` */

	if (n <= LIMIT_JSON_DEPTH)
		return false;
	for (; val < end; val++) {
		while (depth && val >= ends[depth - 1])
			depth--;
		if (!yyjson_is_ctn(val))
			continue;
		if (depth == LIMIT_JSON_DEPTH)
			return true;
		ends[depth++] = unsafe_yyjson_get_next(val);
	}
	return false;
}

struct json_doc *json_parse(struct sv text, unsigned flags, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = xnew(struct json_doc);
	defer(str_clear) struct str mended = STR_INIT;
	yyjson_read_err why;

	text = json_skip_bom(text);
	if (text.len > LIMIT_JSON_DOC) {
		err_set(err, ERR_TOO_BIG, "JSON of %zu bytes exceeds the limit of %zu", text.len,
			LIMIT_JSON_DOC);
		return NULL;
	}
	doc->tree = json_read_text(text, flags, &heap, &why);
	if (!doc->tree && why.code == YYJSON_READ_ERROR_INVALID_STRING &&
	    json_mend_surrogates(&mended, text, flags & JSON_KEEP_HALVES))
		doc->tree = json_read_text(sv_of(&mended), flags | JSON_ANY_BYTES, &heap, &why);
	if (!doc->tree) {
		json_fail_read(err, text, &why);
		return NULL;
	}
	if (json_is_too_deep(doc->tree)) {
		err_set(err, ERR_TOO_BIG, "JSON nested deeper than %d levels", LIMIT_JSON_DEPTH);
		return NULL;
	}
	return move(doc);
}

void json_doc_free(struct json_doc *doc)
{
	if (!doc)
		return;
	yyjson_doc_free(doc->tree);
	free(doc);
}

void json_doc_freep(struct json_doc **doc)
{
	json_doc_free(*doc);
	*doc = NULL;
}

struct json json_root(const struct json_doc *doc)
{
	return json_of(doc ? yyjson_doc_get_root(doc->tree) : NULL);
}

/* The free part of a pool. A document takes a copy of its text first and then its values, which may
 * grow; it is not freed on its own. */
struct json_space {
	char *last; /* the latest piece that was taken */
	char *next, *end;
};

enum { JSON_ALIGNMENT = 16 };

static size_t json_align(size_t size)
{
	return (size + JSON_ALIGNMENT - 1) & ~(size_t)(JSON_ALIGNMENT - 1);
}

static void *json_space_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
	struct json_space *space = ctx;

	(void)old_size;
	if (old != space->last || size > (size_t)(space->end - space->last))
		return NULL;
	space->next = space->last + json_align(size);
	return old;
}

static void *json_space_malloc(void *ctx, size_t size)
{
	struct json_space *space = ctx;

	space->last = space->next;
	return json_space_realloc(ctx, space->last, 0, size);
}

static void json_space_free(void *ctx, void *memory)
{
	(void)ctx;
	(void)memory;
}

/* The common case of json_parse_in(); json_parse() handles anything unusual. */
static bool json_parse_pooled(struct json_pool *pool, struct sv text, unsigned flags,
			      struct json *root)
{
	size_t need = json_align(yyjson_read_max_memory_usage(text.len, 0));
	struct json_space space;
	yyjson_alc alc = { json_space_malloc, json_space_realloc, json_space_free, &space };
	yyjson_read_err why;
	yyjson_doc *tree;

	if (need > pool->size) {
		free(pool->memory);
		pool->size = max_of(need, 2 * pool->size);
		pool->memory = xmalloc(pool->size);
	}
	space.next = pool->memory;
	space.end = space.next + pool->size;
	tree = json_read_text(text, flags, &alc, &why);
	if (!tree || json_is_too_deep(tree))
		return false;
	*root = json_of(yyjson_doc_get_root(tree));
	return true;
}

bool json_parse_in(struct json_pool *pool, struct sv text, unsigned flags, struct json *root,
		   struct err *err)
{
	json_doc_freep(&pool->big);
	if (text.len <= LIMIT_JSON_POOLED && json_parse_pooled(pool, text, flags, root))
		return true;
	pool->big = json_parse(text, flags, err);
	if (!pool->big)
		return false;
	*root = json_root(pool->big);
	return true;
}

void json_pool_clear(struct json_pool *pool)
{
	json_doc_freep(&pool->big);
	free(pool->memory);
	*pool = (struct json_pool)JSON_POOL_INIT;
}

/* Types. */

enum json_type json_type(struct json v)
{
	switch (yyjson_get_type(json_val_of(v))) {
	case YYJSON_TYPE_NULL: return JSON_NULL;
	case YYJSON_TYPE_BOOL: return JSON_BOOL;
	case YYJSON_TYPE_RAW:
	case YYJSON_TYPE_NUM: return JSON_NUMBER;
	case YYJSON_TYPE_STR: return JSON_STRING;
	case YYJSON_TYPE_ARR: return JSON_ARRAY;
	case YYJSON_TYPE_OBJ: return JSON_OBJECT;
	default: return JSON_MISSING;
	}
}

const char *json_type_name(enum json_type type)
{
	static const char names[][8] = {
		[JSON_MISSING] = "missing", [JSON_NULL] = "null",     [JSON_BOOL] = "boolean",
		[JSON_NUMBER] = "number",   [JSON_STRING] = "string", [JSON_ARRAY] = "array",
		[JSON_OBJECT] = "object",
	};

	return names[type];
}

bool json_is(struct json v, enum json_type type)
{
	return json_type(v) == type;
}

/* Elements and members. */

size_t json_len(struct json v)
{
	return yyjson_is_ctn(json_val_of(v)) ? unsafe_yyjson_get_len(json_val_of(v)) : 0;
}

struct json_iter json_each(struct json container)
{
	yyjson_val *val = json_val_of(container);
	struct json_iter it = { .left = json_len(container), .keyed = yyjson_is_obj(val) };

	if (it.left)
		it.next = unsafe_yyjson_get_first(val);
	return it;
}

bool json_next(struct json_iter *it, struct sv *key, struct json *item)
{
	yyjson_val *at = (yyjson_val *)it->next;

	if (!it->left)
		return false;
	it->left--;
	if (it->keyed && key)
		*key = sv_from(unsafe_yyjson_get_str(at), unsafe_yyjson_get_len(at));
	if (it->keyed)
		at++;
	*item = json_of(at);
	it->next = unsafe_yyjson_get_next(at);
	return true;
}

struct json json_get_sv(struct json object, struct sv key)
{
	struct json_iter it = json_each(object);
	struct json found = { NULL }, item;
	struct sv name;

	while (it.keyed && json_next(&it, &name, &item))
		if (sv_eq(name, key))
			found = item; /* the last one counts */
	return found;
}

void json_pick(struct json object, json_place_fn *place_of, struct json *out)
{
	yyjson_val *val = json_val_of(object), *key;
	size_t left = yyjson_is_obj(val) ? unsafe_yyjson_get_len(val) : 0;

	key = left ? unsafe_yyjson_get_first(val) : NULL;
	for (; left > 0; left--, key = unsafe_yyjson_get_next(key + 1)) {
		struct sv name = { unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) };
		size_t place = place_of(name);

		if (place != JSON_NOWHERE)
			out[place] = json_of(key + 1); /* the last one counts */
	}
}

struct json json_get(struct json object, const char *key)
{
	return json_get_sv(object, sv_cstr(key));
}

struct json json_at(struct json array, size_t i)
{
	return json_of(yyjson_arr_get(json_val_of(array), i));
}

/* Take "[12]" off the front of `*path`. */
static size_t json_path_index(const char **path)
{
	struct sv digits = sv_from(*path + 1, strcspn(*path + 1, "]"));
	int64_t index;

	if (digits.ptr[digits.len] != ']' || !sv_to_int(digits, &index) || index < 0)
		BUG("malformed index in path: %s", *path);
	*path = digits.ptr + digits.len + 1;
	return (size_t)index;
}

struct json json_path(struct json v, const char *path)
{
	for (const char *at = path; *at;) {
		struct sv key;

		if (*at == '[') {
			v = json_at(v, json_path_index(&at));
			continue;
		}
		at += at != path && *at == '.';
		key = sv_from(at, strcspn(at, ".["));
		if (!key.len)
			BUG("malformed path: %s", path);
		v = json_get_sv(v, key);
		at += key.len;
	}
	return v;
}

/* Scalars. */

/* The number `v` in yyjson's representation, even when it was kept as spelt. */
static bool json_number_of(struct json v, yyjson_val *out)
{
	yyjson_val *val = json_val_of(v);

	if (yyjson_is_raw(val))
		return yyjson_read_number(unsafe_yyjson_get_raw(val), out, 0, &heap, NULL) != NULL;
	if (!yyjson_is_num(val))
		return false;
	*out = *val;
	return true;
}

/* Exclude both ends: -0x1p63 may be the rounding of a number out of range. */
static bool json_fits_int(double x)
{
	return x > -0x1p63 && x < 0x1p63;
}

static bool json_to_int(const yyjson_val *number, int64_t *out)
{
	double x = number->uni.f64;

	if (unsafe_yyjson_is_sint((void *)number) ||
	    (unsafe_yyjson_is_uint((void *)number) && number->uni.u64 <= INT64_MAX))
		*out = number->uni.i64;
	else if (unsafe_yyjson_is_real((void *)number) && json_fits_int(x) &&
		 x == (double)(int64_t)x)
		*out = (int64_t)x;
	else
		return false;
	return true;
}

static bool json_to_uint(const yyjson_val *number, uint64_t *out)
{
	double x = number->uni.f64;
	int64_t n;

	if (json_to_int(number, &n) && n >= 0)
		*out = (uint64_t)n;
	else if (unsafe_yyjson_is_uint((void *)number))
		*out = number->uni.u64;
	else if (unsafe_yyjson_is_real((void *)number) && x >= 0x1p63 && x < 0x1p64)
		*out = (uint64_t)x;
	else
		return false;
	return true;
}

bool json_is_integer(struct json v)
{
	yyjson_val number;
	int64_t n;

	if (!json_is(v, JSON_NUMBER))
		return false;
	if (!json_number_of(v, &number) || !yyjson_is_real(&number))
		return true;
	/* Doubles of this size have no fraction. */
	return !json_fits_int(number.uni.f64) || json_to_int(&number, &n);
}

bool json_str(struct json v, struct sv *out)
{
	yyjson_val *val = json_val_of(v);

	if (!yyjson_is_str(val))
		return false;
	*out = (struct sv){ unsafe_yyjson_get_str(val), unsafe_yyjson_get_len(val) };
	return true;
}

bool json_bool(struct json v, bool *out)
{
	if (!yyjson_is_bool(json_val_of(v)))
		return false;
	*out = unsafe_yyjson_get_bool(json_val_of(v));
	return true;
}

bool json_int(struct json v, int64_t *out)
{
	yyjson_val number;

	return json_number_of(v, &number) && json_to_int(&number, out);
}

bool json_uint(struct json v, uint64_t *out)
{
	yyjson_val number;

	return json_number_of(v, &number) && json_to_uint(&number, out);
}

bool json_real(struct json v, double *out)
{
	yyjson_val number;

	if (!json_number_of(v, &number))
		return false;
	*out = yyjson_get_num(&number);
	return true;
}

bool json_raw(struct json v, struct sv *out)
{
	yyjson_val *val = json_val_of(v);

	if (!yyjson_is_raw(val))
		return false;
	*out = sv_from(unsafe_yyjson_get_raw(val), unsafe_yyjson_get_len(val));
	return true;
}

struct sv json_str_or(struct json v, struct sv fallback)
{
	struct sv text;

	return json_str(v, &text) ? text : fallback;
}

int64_t json_int_or(struct json v, int64_t fallback)
{
	int64_t n;

	return json_int(v, &n) ? n : fallback;
}

double json_real_or(struct json v, double fallback)
{
	double x;

	return json_real(v, &x) ? x : fallback;
}

bool json_bool_or(struct json v, bool fallback)
{
	bool b;

	return json_bool(v, &b) ? b : fallback;
}
