#include "text/schema/schema_shape.h"

#include <math.h>

#include "base/hash.h"
#include "base/limits.h"

static bool shape_spend(size_t *steps, size_t n)
{
	if (n > *steps) {
		*steps = 0;
		return false;
	}
	*steps -= n;
	return true;
}

static unsigned shape_types_of(struct json value)
{
	switch (json_type(value)) {
	case JSON_NULL: return SCHEMA_NULL;
	case JSON_BOOL: return SCHEMA_BOOLEAN;
	case JSON_NUMBER: return SCHEMA_NUMBER | (json_is_integer(value) ? SCHEMA_INTEGER : 0);
	case JSON_STRING: return SCHEMA_STRING;
	case JSON_ARRAY: return SCHEMA_ARRAY;
	case JSON_OBJECT: return SCHEMA_OBJECT;
	case JSON_MISSING: break;
	}
	return 0;
}

/* A number beyond a double becomes infinite, with the sign of its spelling. */
static double shape_real_of(struct json number)
{
	struct sv spelling = SV_EMPTY;
	double x;

	if (json_real(number, &x))
		return x;
	return json_raw(number, &spelling) && sv_starts(spelling, SV("-")) ? -INFINITY : INFINITY;
}

/* Negative, 0 or positive when `a` is less than, equal to or greater than `b`: exact for
 * 64-bit integers. */
static int shape_compare(struct json a, struct json b)
{
	uint64_t ua, ub;
	int64_t ia, ib;
	double da, db;

	if (json_int(a, &ia) && json_int(b, &ib))
		return ia < ib ? -1 : ia > ib;
	if (json_uint(a, &ua) && json_uint(b, &ub))
		return ua < ub ? -1 : ua > ub;
	da = shape_real_of(a);
	db = shape_real_of(b);
	return da < db ? -1 : da > db;
}

/* 0.3 counts as a multiple of 0.1, although the doubles are not exact multiples. */
static bool is_multiple(struct json value, struct json step)
{
	double quotient, off;
	int64_t a, b;

	if (json_int(value, &a) && json_int(step, &b))
		return a % b == 0; /* a step is never below 1 */
	quotient = fabs(shape_real_of(value) / shape_real_of(step));
	if (quotient >= 0x1p53)
		return isfinite(quotient); /* a double this large has no fraction */
	off = quotient - (double)(int64_t)(quotient + 0.5);
	return fabs(off) <= max_of(1e-9, quotient * 1e-15);
}

static bool is_in_bounds(const struct schema_node *node, struct json value)
{
	return !(json_exists(node->minimum) && shape_compare(value, node->minimum) < 0) &&
	       !(json_exists(node->maximum) && shape_compare(value, node->maximum) > 0) &&
	       !(json_exists(node->above) && shape_compare(value, node->above) <= 0) &&
	       !(json_exists(node->below) && shape_compare(value, node->below) >= 0) &&
	       !(json_exists(node->step) && !is_multiple(value, node->step));
}

static bool is_in_range(struct schema_range range, size_t n)
{
	return n >= range.min && n <= range.max;
}

static size_t shape_characters(struct sv text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
	return n;
}

/* The cost limit of matching: one pass over the text from every start, unless there is
 * only one start. Short strings are cheap; those of 100 kilobytes exceed the limit. */
static size_t shape_cost_of(const struct schema_pattern *pattern, struct sv text)
{
	if (schema_pattern_is_anchored(pattern))
		return 1 + text.len / KIB;
	return 1 + text.len * text.len / (8 * KIB);
}

/* When backtracking makes a match costly all the same, it gets one more try, at a price
 * that only a few matches can pay. */
enum schema_fit schema_matches(const struct schema_pattern *pattern, struct sv text, size_t *steps)
{
	enum schema_match match;

	if (!shape_spend(steps, shape_cost_of(pattern, text)))
		return SCHEMA_UNKNOWN;
	match = schema_pattern_match(pattern, text, LIMIT_PATTERN_STEPS / 1000);
	if (match == SCHEMA_TOO_COSTLY && shape_spend(steps, LIMIT_SCHEMA_STEPS / 8))
		match = schema_pattern_match(pattern, text, LIMIT_PATTERN_STEPS);
	if (match == SCHEMA_TOO_COSTLY) {
		*steps = 0;
		return SCHEMA_UNKNOWN;
	}
	return match == SCHEMA_MATCH ? SCHEMA_FITS : SCHEMA_MISFIT;
}

static enum schema_fit shape_string(const struct schema_node *node, struct json value,
				    size_t *steps)
{
	struct sv text = json_str_or(value, SV_EMPTY);
	bool bounded = node->length.min > 0 || node->length.max < SIZE_MAX;

	if (bounded && !is_in_range(node->length, shape_characters(text)))
		return SCHEMA_MISFIT;
	return node->pattern ? schema_matches(node->pattern, text, steps) : SCHEMA_FITS;
}

static enum schema_fit shape_choice(const struct schema_node *node, struct json value,
				    size_t *steps)
{
	struct json_iter it = json_each(node->choices);
	struct json choice;

	if (json_exists(node->constant) && !json_equal(node->constant, value))
		return SCHEMA_MISFIT;
	if (!json_exists(node->choices))
		return SCHEMA_FITS;
	while (json_next(&it, NULL, &choice)) {
		if (!shape_spend(steps, 1))
			return SCHEMA_UNKNOWN;
		if (json_equal(choice, value))
			return SCHEMA_FITS;
	}
	return SCHEMA_MISFIT;
}

enum schema_fit schema_shape(const struct schema_node *node, struct json value, size_t *steps)
{
	unsigned types = shape_types_of(value);
	enum schema_fit choice;
	bool fits = true;

	if (node->types && !(node->types & types))
		return SCHEMA_MISFIT;
	choice = shape_choice(node, value, steps);
	if (choice != SCHEMA_FITS)
		return choice;
	if (types & SCHEMA_STRING)
		return shape_string(node, value, steps);
	if (types & SCHEMA_NUMBER)
		fits = is_in_bounds(node, value);
	else if (types & SCHEMA_ARRAY)
		fits = is_in_range(node->items, json_len(value));
	else if (types & SCHEMA_OBJECT)
		fits = is_in_range(node->members, json_len(value));
	return fits ? SCHEMA_FITS : SCHEMA_MISFIT;
}

/* Values that json_equal() considers equal have the same hash, except objects in which a
 * key repeats. */
static uint64_t shape_hash_of(struct json value)
{
	struct json_iter it = json_each(value);
	uint64_t hash = json_type(value);
	struct sv key = SV_EMPTY;
	struct json item;
	double x;

	switch (json_type(value)) {
	case JSON_STRING: return hash_bytes(json_str_or(value, SV_EMPTY), hash);
	case JSON_BOOL: return hash * 2 + json_bool_or(value, false);
	case JSON_NUMBER:
		x = shape_real_of(value) + 0.0; /* -0 is 0 */
		return hash_bytes(sv_from((const char *)&x, sizeof(x)), hash);
	case JSON_ARRAY:
		while (json_next(&it, NULL, &item))
			hash = hash * 31 + shape_hash_of(item);
		return hash;
	case JSON_OBJECT: /* in any order */
		while (json_next(&it, &key, &item))
			hash += hash_bytes(key, shape_hash_of(item));
		return hash;
	case JSON_NULL:
	case JSON_MISSING: break;
	}
	return hash;
}

struct hashed {
	uint64_t hash;
	size_t index;
	struct json item;
};

static int shape_by_hash(const void *left, const void *right)
{
	const struct hashed *a = left, *b = right;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Compare the items that follow `i` and have its hash. */
static enum schema_fit shape_find_equal(const struct hashed *items, size_t n, size_t i,
					size_t *other, size_t *steps)
{
	for (size_t j = i + 1; j < n && items[j].hash == items[i].hash; j++) {
		if (!shape_spend(steps, 1))
			return SCHEMA_UNKNOWN;
		if (json_equal(items[i].item, items[j].item)) {
			*other = items[j].index;
			return SCHEMA_MISFIT;
		}
	}
	return SCHEMA_FITS;
}

enum schema_fit schema_is_unique(struct json array, size_t pair[2], size_t *steps)
{
	VEC(struct hashed) items = VEC_INIT;
	struct json_iter it = json_each(array);
	enum schema_fit fit = SCHEMA_FITS;
	struct json item;

	if (!shape_spend(steps, json_len(array)))
		return SCHEMA_UNKNOWN;
	while (json_next(&it, NULL, &item))
		vec_push(&items, ((struct hashed){ shape_hash_of(item), items.n, item }));
	if (items.n > 0)
		qsort(items.at, items.n, sizeof(*items.at), shape_by_hash);
	for (size_t i = 0; i < items.n && fit == SCHEMA_FITS; i++) {
		pair[0] = items.at[i].index;
		fit = shape_find_equal(items.at, items.n, i, &pair[1], steps);
	}
	vec_clear(&items);
	return fit;
}
