#include "term/drift.h"

#include "test.h"

/* What xterm.js 6.0 has done with a region of rows of so many cells, painted at 90x30 below a full screen. */
struct drift_case {
	size_t cells[12], n;
	size_t cursor; /* its row */
	struct drift_size sizes[6];
	size_t count;
	size_t lines; /* above the cursor, in the end */
};

static const struct drift_case cases[] = {
	{ { 82, 86, 14, 0, 40, 0, 90, 2, 90, 88 }, 10, 7, { { 108, 37 } }, 1, 7 },
	{ { 81, 87, 74, 0, 40, 0, 90, 2, 90, 88 },
	  10,
	  7,
	  { { 102, 34 }, { 54, 21 }, { 91, 27 } },
	  3,
	  7 },
	{ { 89, 84, 82, 87, 24, 0, 40, 0, 90, 2, 90, 88 },
	  12,
	  9,
	  { { 58, 38 }, { 42, 24 }, { 58, 40 }, { 90, 34 } },
	  4,
	  10 },
	{ { 82, 86, 86, 60, 0, 40, 0, 90, 2, 90, 88 },
	  11,
	  8,
	  { { 72, 40 }, { 56, 19 }, { 40, 26 }, { 40, 15 }, { 119, 13 } },
	  5,
	  9 },
	{ { 86, 36, 0, 40, 0, 90, 2, 90, 88 },
	  9,
	  6,
	  { { 52, 40 }, { 68, 18 }, { 68, 12 }, { 52, 17 }, { 51, 17 } },
	  5,
	  9 },
	{ { 85, 80, 80, 58, 0, 40, 0, 90, 2, 90, 88 },
	  11,
	  8,
	  { { 100, 36 }, { 95, 21 }, { 103, 25 }, { 63, 18 }, { 70, 30 }, { 81, 30 } },
	  6,
	  10 },
	{ { 88, 62, 0, 40, 0, 90, 2, 90, 88 },
	  9,
	  6,
	  { { 50, 23 }, { 113, 29 }, { 41, 22 }, { 64, 36 }, { 88, 14 }, { 51, 21 } },
	  6,
	  9 },
};

static void page_of(struct page *page, const struct drift_case *c)
{
	for (size_t row = 0; row < c->n; row++) {
		for (size_t cell = 0; cell < c->cells[row]; cell++)
			page_add(page, SV("x"), (struct style){ .attrs = 0 });
		page_end_row(page);
	}
}

TEST(cursor_of_xterm_js_is_found_after_any_sizes)
{
	for (size_t i = 0; i < countof(cases); i++) {
		const struct drift_case *c = &cases[i];
		struct page page = { .link = 0 };

		page_of(&page, c);
		CHECK_INT(drift_follow(&page, c->cursor, (struct drift_size){ 90, 30 }, c->sizes,
				       c->count),
			  c->lines);
		page_clear(&page);
	}
}

/* Whatever happened before the last size: too few lines are better than too many, which are not ours. */
TEST(cursor_of_xterm_js_is_never_looked_for_too_high_when_only_the_last_size_is_known)
{
	size_t known = 0, wanted = 0;

	for (size_t i = 0; i < countof(cases); i++) {
		const struct drift_case *c = &cases[i];
		struct page page = { .link = 0 };
		size_t least;

		page_of(&page, c);
		least = drift_follow_least(&page, c->cursor, (struct drift_size){ 90, 30 },
					   &c->sizes[c->count - 1], 1);
		CHECK(least <= c->lines && least >= c->cursor);
		known += least - c->cursor;
		wanted += c->lines - c->cursor;
		page_clear(&page);
	}
	CHECK(known > 0 && known <= wanted);
}
