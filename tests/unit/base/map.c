#include "base/map.h"

#include <stdio.h>

#include "base/rng.h"
#include "test.h"

/* Any non-NULL value will do: addresses within this are told apart. */
static char values[1 << 17];

static struct sv key_of(char buf[24], uint64_t n)
{
	/* Keys of 1 to 17 bytes, so that every branch of the hash is taken. */
	return sv_from(buf,
		       (size_t)snprintf(buf, 24, "%0*lu", (int)(1 + n % 17), (unsigned long)n));
}

TEST(empty_map_has_no_entries)
{
	struct map m = MAP_INIT;
	struct sv key;
	void *value;
	size_t i = 0;

	CHECK(map_get(&m, SV("a")) == NULL);
	CHECK(map_remove(&m, SV("a")) == NULL);
	CHECK(!map_next(&m, &i, &key, &value));
	map_clear(&m);
	map_clear(&m);
}

TEST(keys_are_any_bytes_and_are_copied)
{
	struct map m = MAP_INIT;
	char text[] = "key";

	CHECK(map_put(&m, sv_cstr(text), &values[1]) == NULL);
	text[0] = 'z';
	CHECK(map_get(&m, SV("key")) == &values[1]);
	CHECK(map_get(&m, sv_cstr(text)) == NULL);
	CHECK(map_put(&m, SV(""), &values[2]) == NULL);
	CHECK(map_get(&m, (struct sv){ .ptr = NULL }) == &values[2]);
	CHECK(map_put(&m, SV("a\0b"), &values[3]) == NULL);
	CHECK(map_put(&m, SV("a\0c"), &values[4]) == NULL);
	CHECK(map_put(&m, SV("a"), &values[5]) == NULL);
	CHECK(map_get(&m, SV("a\0b")) == &values[3]);
	CHECK_INT(m.n, 5);
	map_clear(&m);
}

TEST(putting_again_returns_the_old_value_and_keeps_the_place)
{
	struct map m = MAP_INIT;
	struct sv key;
	void *value;
	size_t i = 0;

	map_put(&m, SV("a"), &values[0]);
	map_put(&m, SV("b"), &values[1]);
	CHECK(map_put(&m, SV("a"), &values[2]) == &values[0]);
	CHECK_INT(m.n, 2);
	CHECK(map_next(&m, &i, &key, &value));
	CHECK_SV(key, "a");
	CHECK(value == &values[2]);
	map_clear(&m);
}

TEST(removing_and_putting_moves_a_key_to_the_end)
{
	struct map m = MAP_INIT;
	defer(str_clear) struct str order = STR_INIT;
	struct sv key;
	void *value;

	for (char c = 'a'; c <= 'z'; c++)
		map_put(&m, sv_from(&c, 1), &values[(int)c]);
	CHECK(map_remove(&m, SV("c")) == &values['c']);
	CHECK(map_remove(&m, SV("c")) == NULL);
	CHECK(map_put(&m, SV("c"), &values[0]) == NULL);
	for (size_t i = 0; map_next(&m, &i, &key, &value);)
		str_add(&order, key);
	CHECK_STR(str_c(&order), "abdefghijklmnopqrstuvwxyzc");
	map_clear(&m);
}

TEST(entry_just_visited_may_be_removed)
{
	struct map m = MAP_INIT;
	char buf[24];
	struct sv key;
	void *value;
	size_t seen = 0;

	for (uint64_t n = 0; n < 100; n++)
		map_put(&m, key_of(buf, n), &values[n]);
	for (size_t i = 0; map_next(&m, &i, &key, &value); seen++)
		if (seen % 2 == 0)
			CHECK(map_remove(&m, key) == value);
	CHECK_INT(seen, 100);
	CHECK_INT(m.n, 50);
	for (uint64_t n = 0; n < 100; n++)
		CHECK((map_get(&m, key_of(buf, n)) != NULL) == (n % 2 == 1));
	map_clear(&m);
}

TEST(memory_is_bounded_by_live_entries)
{
	struct map m = MAP_INIT;
	char buf[24];

	for (uint64_t n = 0; n < 100000; n++) {
		map_put(&m, key_of(buf, n), values);
		if (n >= 4)
			CHECK(map_remove(&m, key_of(buf, n - 4)) == values);
	}
	CHECK_INT(m.n, 4);
	CHECK(m.cap < 64 && m.nslots < 256);
	map_clear(&m);
}

/* The model: for each key its value and when it was put, both 0 when absent. */
enum { KEYS = 600 };
struct model {
	void *value[KEYS];
	unsigned born[KEYS];
};

/* That the map visits exactly the model's keys, oldest first. */
static void check_order(const struct map *m, const struct model *model)
{
	unsigned before = 0;
	size_t seen = 0;
	struct sv key;
	void *value;

	for (size_t i = 0; map_next(m, &i, &key, &value); seen++) {
		int64_t n;

		CHECK(sv_to_int(key, &n) && n < KEYS);
		CHECK(value == model->value[n]);
		CHECK(model->born[n] > before);
		before = model->born[n];
	}
	CHECK_INT(seen, m->n);
}

TEST(random_map_operations_agree_with_a_model)
{
	static struct model model;
	struct map m = MAP_INIT;
	struct rng r;
	size_t live = 0;

	rng_seed(&r, 2024);
	for (unsigned op = 1; op <= 100000; op++) {
		uint64_t n = rng_below(&r, KEYS);
		void *old = model.value[n];
		char buf[24];
		struct sv key = key_of(buf, n);

		/* Long spells of mostly growing and of mostly shrinking. */
		if (rng_below(&r, 100) < (op / 10000 % 2 ? 20 : 70)) {
			CHECK(map_put(&m, key, &values[op]) == old);
			model.value[n] = &values[op];
			model.born[n] = old ? model.born[n] : op;
			live += !old;
		} else {
			CHECK(map_remove(&m, key) == old);
			model.value[n] = NULL;
			live -= old != NULL;
		}
		CHECK(map_get(&m, key) == model.value[n]);
		CHECK_INT(m.n, live);
		if (op % 1000 == 0)
			check_order(&m, &model);
	}
	map_clear(&m);
}

TEST(each_map_hashes_differently)
{
	struct map a = MAP_INIT, b = MAP_INIT;

	map_put(&a, SV("key"), values);
	map_put(&b, SV("key"), values);
	CHECK(a.entries[0].hash != b.entries[0].hash);
	map_clear(&a);
	map_clear(&b);
}
