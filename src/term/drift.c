#include "term/drift.h"

#include "base/mem.h"
#include "term/paint.h"

enum { MOST_GAPS = 4 }; /* between known sizes, where others are tried */

/* What has become of the rows of a region. */
struct drift {
	VEC(struct drift_row {
		size_t cells; /* that were not cut off; very many: all */
		size_t lines;
	})
	rows;
	size_t cursor; /* its line */
	size_t empty;  /* lines below */
};

static void drift_init(struct drift *drift, const struct page *page, size_t cursor, size_t columns)
{
	drift->cursor = 0;
	for (size_t row = 0; row < page->rows.n; row++) {
		size_t lines = paint_lines(page, row, columns);

		vec_push(&drift->rows,
			 ((struct drift_row){ .cells = SIZE_MAX / 2, .lines = lines }));
		if (row < cursor)
			drift->cursor += lines;
	}
}

/* The lines of a row at this width. */
static size_t drift_lines(const struct drift *drift, const struct page *page, size_t row,
			  size_t columns)
{
	size_t lines = paint_lines(page, row, columns), cells = drift->rows.at[row].cells;

	return min_of(lines, max_of((cells + columns - 1) / columns, (size_t)1));
}

/* Fold each row, from the last one to the first. */
static void drift_narrow(struct drift *drift, const struct page *page, size_t columns)
{
	size_t start = 0;

	for (size_t row = 0; row < drift->rows.n; row++)
		start += drift->rows.at[row].lines;
	for (size_t row = drift->rows.n; row-- > 0;) {
		struct drift_row *at = &drift->rows.at[row];
		size_t lines = drift_lines(drift, page, row, columns);

		start -= at->lines;
		if (drift->cursor >= start && drift->cursor < start + at->lines) {
			at->cells = min_of(at->cells, at->lines * columns);
		} else if (lines > at->lines) {
			drift->cursor += lines - at->lines;
			at->lines = lines;
		}
	}
}

static void drift_widen(struct drift *drift, const struct page *page, size_t columns)
{
	size_t start = 0, gone = 0;

	for (size_t row = 0; row < drift->rows.n; row++) {
		struct drift_row *at = &drift->rows.at[row];
		size_t end = start + at->lines, lines = drift_lines(drift, page, row, columns);

		if ((drift->cursor < start || drift->cursor >= end) && lines < at->lines) {
			gone += at->lines - lines;
			at->lines = lines;
		}
		start = end;
	}
	drift->cursor -= min_of(gone, drift->cursor);
}

static size_t drift_count(const struct drift *drift)
{
	size_t lines = drift->empty;

	for (size_t row = 0; row < drift->rows.n; row++)
		lines += drift->rows.at[row].lines;
	return lines;
}

/* A higher terminal has new lines below, unless the cursor is in the last one. */
static void drift_raise(struct drift *drift, size_t more)
{
	if (drift_count(drift) > drift->cursor + 1)
		drift->empty += more;
}

/* A lower terminal drops lines below the cursor, whatever they contain. */
static void drift_lower(struct drift *drift, size_t less)
{
	size_t lines = drift_count(drift);
	size_t gone = min_of(less, lines > drift->cursor ? lines - drift->cursor - 1 : 0);

	for (; gone && drift->empty; gone--)
		drift->empty--;
	for (; gone && drift->rows.n; gone--)
		if (--vec_last(&drift->rows)->lines == 0)
			drift->rows.n--;
}

size_t drift_follow(const struct page *page, size_t cursor, struct drift_size painted,
		    const struct drift_size *sizes, size_t n)
{
	struct drift drift = { .cursor = 0 };

	drift_init(&drift, page, cursor, painted.columns);
	for (size_t i = 0; i < n; i++) {
		if (sizes[i].rows < painted.rows)
			drift_lower(&drift, painted.rows - sizes[i].rows);
		else
			drift_raise(&drift, sizes[i].rows - painted.rows);
		if (sizes[i].columns < painted.columns)
			drift_narrow(&drift, page, sizes[i].columns);
		else if (sizes[i].columns > painted.columns)
			drift_widen(&drift, page, sizes[i].columns);
		painted = sizes[i];
	}
	vec_clear(&drift.rows);
	return drift.cursor;
}

/* The same with another size before the one at `before`. */
static size_t drift_follow_with(const struct page *page, size_t cursor, struct drift_size painted,
				const struct drift_size *sizes, size_t n, size_t before,
				struct drift_size other)
{
	VEC(struct drift_size) all = VEC_INIT;
	size_t lines;

	for (size_t i = 0; i < n; i++) {
		if (i == before)
			vec_push(&all, other);
		vec_push(&all, sizes[i]);
	}
	lines = drift_follow(page, cursor, painted, all.at, all.n);
	vec_clear(&all);
	return lines;
}

size_t drift_follow_least(const struct page *page, size_t cursor, struct drift_size painted,
			  const struct drift_size *sizes, size_t n)
{
	static const unsigned char columns[] = { 20, 30, 45, 60, 75, 100, 130 },
				   rows[] = { 10, 20, 30, 45 };
	size_t least = drift_follow(page, cursor, painted, sizes, n);

	for (size_t at = n - min_of(n, (size_t)MOST_GAPS); at < n; at++)
		for (size_t i = 0; i < countof(columns) * countof(rows); i++) {
			struct drift_size other = { columns[i / countof(rows)],
						    rows[i % countof(rows)] };

			least = min_of(least, drift_follow_with(page, cursor, painted, sizes, n, at,
								other));
		}
	least -= min_of(least, (size_t)1); /* there may have been more than one */
	return max_of(least, cursor);      /* it is never above its row */
}
