#include "tool/read/read_lines.h"

#include "base/rng.h"
#include "test.h"

static void check_list(const struct lines_seen *seen, const char *expected)
{
	defer(str_clear) struct str list = STR_INIT;

	lines_list(&list, seen);
	CHECK_STR(str_c(&list), expected);
}

TEST(lines_that_meet_become_one_range)
{
	struct lines_seen seen = { .n = 0 };

	check_list(&seen, "");
	CHECK(!lines_have(&seen, 1, 1) && !lines_are_all(&seen));
	lines_add(&seen, 10, 20);
	lines_add(&seen, 1, 2);
	lines_add(&seen, 30, LINES_END);
	check_list(&seen, "1-2, 10-20, 30-end");
	lines_add(&seen, 3, 5);
	check_list(&seen, "1-5, 10-20, 30-end");
	lines_add(&seen, 12, 29);
	check_list(&seen, "1-5, 10-end");
	CHECK(lines_have(&seen, 2, 5) && lines_have(&seen, 100, LINES_END));
	CHECK(!lines_have(&seen, 5, 6) && !lines_have(&seen, 5, 10));
	lines_add(&seen, 6, 9);
	CHECK(lines_are_all(&seen));
	check_list(&seen, "1-end");
}

TEST(of_too_many_ranges_the_shortest_is_forgotten)
{
	struct lines_seen seen = { .n = 0 };

	for (size_t i = 0; i < LIMIT_LINE_RANGES; i++)
		lines_add(&seen, 1 + 100 * i, 10 + 100 * i + (i != 3));
	CHECK(lines_have(&seen, 301, 310));
	lines_add(&seen, 5000, 5020);
	CHECK_INT(seen.n, LIMIT_LINE_RANGES);
	CHECK(!lines_have(&seen, 301, 301));
	CHECK(lines_have(&seen, 5000, 5020) && lines_have(&seen, 1, 11));
}

struct change_case {
	size_t first, old_n, new_n;
	const char *after; /* of 1-5, 10-20, 30-end */
};

TEST(lines_keep_their_names_when_others_come_and_go)
{
	static const struct change_case cases[] = {
		{ 12, 1, 1, "1-5, 10-20, 30-end" },
		{ 12, 1, 4, "1-5, 10-23, 33-end" },
		{ 12, 3, 0, "1-5, 10-17, 27-end" },
		{ 1, 5, 0, "5-15, 25-end" },
		{ 7, 1, 1, "1-5, 10-20, 30-end" },
		{ 7, 2, 0, "1-5, 8-18, 28-end" },
		/* In place of what was only partly seen comes something unknown. */
		{ 4, 3, 3, "1-3, 10-20, 30-end" },
		{ 18, 15, 1, "1-5, 10-17, 19-end" },
		{ 25, 0, 2, "1-5, 10-20, 25-26, 32-end" },
		{ 40, 1, 2, "1-5, 10-20, 30-end" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct lines_seen seen = { .n = 3,
					   .at = { { 1, 5 }, { 10, 20 }, { 30, LINES_END } } };
		struct lines_seen all = LINES_ALL;

		lines_change(&seen, cases[i].first, cases[i].old_n, cases[i].new_n);
		check_list(&seen, cases[i].after);
		lines_change(&all, cases[i].first, cases[i].old_n, cases[i].new_n);
		CHECK(lines_are_all(&all));
	}
}

struct text_case {
	const char *before, *after;
	const char *left; /* of the lines 2-3 */
};

TEST(a_text_that_became_another_is_followed)
{
	static const struct text_case cases[] = {
		{ "a\nb\nc\nd\n", "a\nb\nc\nd\n", "2-3" },
		{ "a\nb\nc\nd\n", "a\nx\nc\nd\n", "2-3" },
		{ "a\nb\nc\nd\n", "a\nx\ny\nc\nd\n", "2-4" },
		{ "a\nb\nc\nd\n", "a\nc\nd\n", "2-2" },
		{ "a\nb\nc\nd\n", "new\na\nb\nc\nd\n", "1-1, 3-4" },
		{ "a\nb\nc\nd\n", "x\nb\nc\ny\n", "" },
		{ "a\nb\nc\nd", "a\nb\nc\nd\n", "2-3" },
		{ "a\nb\nc\nd", "", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct lines_seen seen = { .n = 1, .at = { { 2, 3 } } };

		lines_change_text(&seen, sv_cstr(cases[i].before), sv_cstr(cases[i].after));
		check_list(&seen, cases[i].left);
	}
}

enum { LINES = 60 };

/* The same kept line by line. */
static void check_model(const struct lines_seen *seen, const bool *model)
{
	for (size_t i = 1; i <= LINES; i++)
		CHECK_INT(lines_have(seen, i, i), model[i]);
	for (size_t i = 0; i + 1 < seen->n; i++)
		CHECK(seen->at[i].last + 1 < seen->at[i + 1].first);
}

TEST(ranges_agree_with_a_list_of_single_lines)
{
	struct rng rng;

	rng_seed(&rng, 11);
	for (int round = 0; round < 300; round++) {
		struct lines_seen seen = { .n = 0 };
		bool model[LINES + 1] = { false };

		for (int step = 0; step < 10; step++) {
			size_t first = 1 + rng_below(&rng, LINES);
			size_t last = first + rng_below(&rng, LINES + 1 - first);

			lines_add(&seen, first, last);
			for (size_t i = first; i <= last; i++)
				model[i] = true;
			check_model(&seen, model);
		}
	}
}
