/* Deep equality. The recursion is at most as deep as a document may be nested, and every
 * pair of values is compared at most once, so that hostile documents cost no more than
 * their size: objects with many members are looked up by hash. */
#include "base/map.h"
#include "text/json/json.h"

enum { SCAN_MAX = 16 }; /* up to this many members a linear search is faster */

/* Try the kinds of number from the most to the least exact: once one side is of a kind,
 * the other has to be as well. */
static bool json_equal_numbers(struct json a, struct json b)
{
	int64_t a_int = 0, b_int = 0;
	uint64_t a_uint = 0, b_uint = 0;
	double a_real = 0, b_real = 0;
	struct sv a_raw, b_raw;
	bool a_is, b_is;

	a_is = json_int(a, &a_int);
	b_is = json_int(b, &b_int);
	if (a_is || b_is)
		return a_is && b_is && a_int == b_int;
	a_is = json_uint(a, &a_uint);
	b_is = json_uint(b, &b_uint);
	if (a_is || b_is)
		return a_is && b_is && a_uint == b_uint;
	a_is = json_real(a, &a_real);
	b_is = json_real(b, &b_real);
	if (a_is || b_is)
		return a_is && b_is && a_real == b_real;
	return json_raw(a, &a_raw) && json_raw(b, &b_raw) && sv_eq(a_raw, b_raw);
}

static bool json_equal_arrays(struct json a, struct json b)
{
	struct json_iter in_a = json_each(a), in_b = json_each(b);
	struct json x, y;

	if (json_len(a) != json_len(b))
		return false;
	while (json_next(&in_a, NULL, &x) && json_next(&in_b, NULL, &y))
		if (!json_equal(x, y))
			return false;
	return true;
}

/* Empty for an object that is small enough to search. */
static void json_equal_index_members(struct map *index, struct json object)
{
	struct json_iter it = json_each(object);
	struct json item;
	struct sv key;

	if (json_len(object) > SCAN_MAX)
		while (json_next(&it, &key, &item))
			map_put(index, key, (void *)item.val);
}

static struct json json_equal_member(const struct map *index, struct json object, struct sv key)
{
	if (!index->n)
		return json_get_sv(object, key);
	return (struct json){ .val = map_get(index, key) };
}

static bool json_equal_objects(struct json a, struct json b)
{
	defer(map_clear) struct map a_index = MAP_INIT, b_index = MAP_INIT;
	struct json_iter it;
	struct json item;
	struct sv key;

	json_equal_index_members(&a_index, a);
	json_equal_index_members(&b_index, b);
	for (it = json_each(b); json_next(&it, &key, &item);)
		if (!json_exists(json_equal_member(&a_index, a, key)))
			return false;
	for (it = json_each(a); json_next(&it, &key, &item);) {
		if (item.val != json_equal_member(&a_index, a, key).val)
			continue; /* a later member has the same key */
		if (!json_equal(item, json_equal_member(&b_index, b, key)))
			return false;
	}
	return true;
}

bool json_equal(struct json a, struct json b)
{
	enum json_type type = json_type(a);

	if (!json_is(b, type))
		return false;
	switch (type) {
	case JSON_MISSING:
	case JSON_NULL: return true;
	case JSON_BOOL: return json_bool_or(a, false) == json_bool_or(b, false);
	case JSON_NUMBER: return json_equal_numbers(a, b);
	case JSON_STRING: return sv_eq(json_str_or(a, SV_EMPTY), json_str_or(b, SV_EMPTY));
	case JSON_ARRAY: return json_equal_arrays(a, b);
	case JSON_OBJECT: return json_equal_objects(a, b);
	}
	BUG("invalid JSON type %d", type);
}
