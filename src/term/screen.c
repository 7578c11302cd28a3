/* How the live region stays where it is.
 *
 * The renderer never knows where on the screen it is. It counts from its own cursor instead. `at` is the cursor's place in the live region, and every
 * movement is relative to it: up and down by rows, right by text, left by a carriage return.
 *
 * Printing finished rows is a shift. They are written over the first rows of the live region, which thereby
 * begins that many rows lower; whatever its old rows have left standing there is compared with the new
 * rows as in any other frame. A row past the bottom is begun with a line feed, which scrolls the terminal. So
 * the two cases, live region in the middle of the screen and at its bottom, are the same.
 *
 * A resize is the hard part: the terminal moves what we have written, each kind in its own way (enum
 * screen_reflow). The rows of the live region end in line feeds, so a wider terminal changes nothing. For a narrower
 * one the renderer works out how many lines the rows above the cursor take now, goes up that far, erases
 * everything below and paints anew. When in doubt it goes up too little: a left-over of the old region is
 * ugly, a lost row of the conversation is a lie.
 *
 * A frame that a narrower terminal reads than it was made for begins too low, by the lines that the live region has
 * become higher. But all its movements are relative, and rows of the live region are written without automatic
 * wrapping, one line each. So once the terminal has told how wide it was (struct screen_check), it is known
 * how far up the old live region began. Then everything from there on counts as the live region, and the next frame
 * erases it.
 *
 * One race is left: a frame that goes up over rows which a narrow terminal has folded, and is read by one that has
 * become wider again, would erase too much. No reply can tell before that happens. So the caller writes such a frame
 * (screen_is_lost()) only when the size has been the same for a while. */
#include "term/screen.h"

#include "base/mem.h"
#include "term/drift.h"
#include "term/paint.h"

/* The terminal wraps only while finished rows are written (tty.c sets it so). */
#define WRAP_ON  "\x1b[?7h"
#define WRAP_OFF "\x1b[?7l"
/* From the last column of the last row the cursor reports the size; then it goes back. */
#define ASK_SIZE "\0337\x1b[999;999H\x1b[6n\0338"

/* Sizes between two frames. */
enum { MOST_PASSED = 256 };

/* Rows that are repainted: the live region, or the alternate screen. There is always at least one. */
struct region {
	struct page wanted, shown;
	struct screen_cursor cursor; /* as wanted */
	struct screen_cursor at;     /* as it is */
	bool is_lost;                /* nobody knows what is on the screen: paint anew */
};

/* A frame that the terminal has been asked about. */
struct screen_check {
	bool is_wanted;    /* for the next frame */
	bool is_probe;     /* there is no frame: the question was asked alone */
	size_t replies;    /* that are missing */
	size_t first;      /* the width before the frame; 0: no reply yet */
	struct region old; /* the live region before it: what was shown, and where the cursor was */
	size_t up;         /* the lines that it went up from there */
	struct page rows;  /* finished ones that it has printed */
	bool is_long;      /* there were too many: the frame cannot be taken back */
};

struct screen {
	size_t columns, rows;
	struct drift_size painted;     /* the size when the last frame was made */
	VEC(struct drift_size) passed; /* sizes since then */
	bool is_unsure;                /* some may be missing */
	struct screen_caps caps;
	struct page printed; /* finished rows that wait for the next frame */
	struct screen_check check;
	struct region live, view;
	size_t left; /* rows at the top of `live` that a frame has left of the region before it */
	bool is_viewing, wants_view;

	struct painter painter;
	paint_cells before, now; /* scratch */
	paint_runs runs;
};

/* --- a region -------------------------------------------------------------------- */

/* The region is one empty row, with the cursor at its start. */
static void region_begin(struct region *region)
{
	page_reset(&region->shown);
	page_end_row(&region->shown);
	region->at.row = region->at.cell = 0;
	region->is_lost = false;
}

static void region_init(struct region *region)
{
	region_begin(region);
	page_end_row(&region->wanted);
	region->cursor.is_visible = region->at.is_visible = true;
}

static void region_clear(struct region *region)
{
	page_clear(&region->wanted);
	page_clear(&region->shown);
}

/* Append a row, cut off. */
static void region_copy_row(struct page *page, const struct page *from, size_t row, size_t columns)
{
	paint_cells cells = { .n = 0 };

	if (from->rows.at[row].cells <= columns) {
		page_copy(page, from, row, row + 1);
		return;
	}
	paint_split(&cells, from, row, columns);
	for (size_t i = 0; i < cells.n; i++)
		page_add(page, cells.at[i].text, from->spans.at[cells.at[i].span].style);
	page_end_row(page);
	vec_clear(&cells);
}

static void region_want(struct region *region, const struct page *page, size_t first,
			size_t columns, struct screen_cursor cursor)
{
	page_reset(&region->wanted);
	for (size_t row = first; row < page->rows.n; row++)
		region_copy_row(&region->wanted, page, row, columns);
	if (!region->wanted.rows.n)
		page_end_row(&region->wanted);
	cursor.row -= min_of(cursor.row, first);
	cursor.row = min_of(cursor.row, region->wanted.rows.n - 1);
	region->cursor = cursor;
}

static bool region_is_dirty(const struct region *region)
{
	const struct screen_cursor *cursor = &region->cursor, *at = &region->at;

	if (region->is_lost || region->wanted.rows.n != region->shown.rows.n ||
	    cursor->is_visible != at->is_visible)
		return true;
	if (cursor->is_visible && (cursor->row != at->row || cursor->cell != at->cell))
		return true;
	for (size_t row = 0; row < region->wanted.rows.n; row++)
		if (!page_row_eq(&region->wanted, row, &region->shown, row))
			return true;
	return false;
}

/* The first `lines` rows now belong to the scroll; the region begins below them. */
static void region_shift(struct region *region, size_t lines)
{
	struct page rest = { .link = 0 };

	if (lines >= region->shown.rows.n) {
		region_begin(region);
		return;
	}
	page_copy(&rest, &region->shown, lines, region->shown.rows.n);
	page_clear(&region->shown);
	region->shown = rest;
	region->at.row = region->at.cell = 0;
}

/* --- the screen ------------------------------------------------------------------ */

struct screen *screen_new(size_t columns, size_t rows, const struct screen_caps *caps)
{
	struct screen *s = xcalloc(1, sizeof(*s));

	s->columns = max_of(columns, (size_t)1);
	s->rows = max_of(rows, (size_t)1);
	s->caps = *caps;
	region_init(&s->live);
	region_init(&s->view);
	return s;
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	page_clear(&s->printed);
	page_clear(&s->check.rows);
	region_clear(&s->check.old);
	region_clear(&s->live);
	region_clear(&s->view);
	vec_clear(&s->passed);
	vec_clear(&s->before);
	vec_clear(&s->now);
	vec_clear(&s->runs);
	free(s);
}

void screen_set_caps(struct screen *s, const struct screen_caps *caps)
{
	bool looks_different = s->caps.depth != caps->depth || s->caps.has_links != caps->has_links;

	s->caps = *caps;
	if (looks_different)
		screen_forget(s);
}

size_t screen_columns(const struct screen *s)
{
	return s->columns;
}

size_t screen_rows(const struct screen *s)
{
	return s->rows;
}

size_t screen_live_rows(const struct screen *s)
{
	return max_of(s->rows, (size_t)2) - 1;
}

void screen_forget(struct screen *s)
{
	s->live.is_lost = s->view.is_lost = true;
}

void screen_pass(struct screen *s, size_t columns, size_t rows, bool is_sure)
{
	struct drift_size last = s->passed.n ? *vec_last(&s->passed) : s->painted;

	s->is_unsure = s->is_unsure || !is_sure || s->passed.n == MOST_PASSED;
	if ((last.columns != columns || last.rows != rows) && s->passed.n < MOST_PASSED)
		vec_push(&s->passed, ((struct drift_size){ columns, rows }));
}

void screen_resize(struct screen *s, size_t columns, size_t rows)
{
	columns = max_of(columns, (size_t)1);
	rows = max_of(rows, (size_t)1);
	if (columns == s->columns && rows == s->rows)
		return;
	s->columns = columns;
	s->rows = rows;
	screen_forget(s);
}

void screen_print(struct screen *s, struct page *page)
{
	struct page empty = s->printed;

	if (empty.rows.n) {
		page_copy(&s->printed, page, 0, page->rows.n);
		page_reset(page);
	} else {
		s->printed = *page;
		*page = empty;
	}
}

void screen_draw(struct screen *s, const struct page *live, struct screen_cursor cursor)
{
	size_t most = screen_live_rows(s);

	region_want(&s->live, live, live->rows.n > most ? live->rows.n - most : 0, s->columns,
		    cursor);
}

void screen_view(struct screen *s, const struct page *page, struct screen_cursor cursor)
{
	s->wants_view = page;
	if (page)
		region_want(&s->view, page, page->rows.n > s->rows ? page->rows.n - s->rows : 0,
			    s->columns, cursor);
}

bool screen_is_dirty(const struct screen *s)
{
	if (s->wants_view != s->is_viewing)
		return true;
	if (s->is_viewing)
		return region_is_dirty(&s->view);
	return s->printed.rows.n || region_is_dirty(&s->live);
}

/* --- painting -------------------------------------------------------------------- */

static void screen_go(struct screen *s, struct region *region, size_t row, size_t cell)
{
	struct str *out = s->painter.out;

	if (row < region->at.row)
		str_addf(out, "\x1b[%zuA", region->at.row - row);
	/* Line feeds, because CUD stops at the bottom, where rows may be in a terminal that has become narrower. */
	for (size_t at = region->at.row; at < row; at++)
		str_addc(out, '\n');
	if (cell == 0 && region->at.cell != 0)
		str_addc(out, '\r');
	else if (cell != region->at.cell)
		str_addf(out, "\x1b[%zuG", cell + 1);
	region->at.row = row;
	region->at.cell = cell;
}

/* Erase from the cursor to the end of the row, or of everything below. */
static void screen_erase(struct screen *s, char what)
{
	painter_rest(&s->painter);
	str_addf(s->painter.out, "\x1b[%c", what);
}

/* Erase so many lines from the beginning of this one on. Not all at once: a screen that is erased from its first cell on
 * goes to the scrollback in some terminals. */
static void screen_erase_below(struct screen *s, size_t lines)
{
	if (lines > 1) {
		screen_erase(s, 'K');
		str_addc(s->painter.out, '\n');
		screen_erase(s, 'J');
		str_adds(s->painter.out, "\x1b[A");
	} else {
		screen_erase(s, 'J');
	}
}

/* Begin a row below the last one. */
static void screen_open_row(struct screen *s, struct region *region)
{
	screen_go(s, region, region->shown.rows.n - 1, region->at.cell);
	painter_rest(&s->painter);
	str_adds(s->painter.out, "\r\n");
	page_end_row(&region->shown);
	region->at.row++;
	region->at.cell = 0;
}

/* Write the cells in which a row differs from what is on the screen. A row that becomes shorter is erased first, as a
 * whole: tmux counts cells at its end as used, and would fold them, unless nothing of the row is left. */
static void screen_paint_row(struct screen *s, struct region *region, size_t row)
{
	paint_split(&s->before, &region->shown, row, s->columns);
	paint_split(&s->now, &region->wanted, row, s->columns);
	if (paint_end(&s->now) < paint_end(&s->before)) {
		screen_go(s, region, row, 0);
		screen_erase(s, 'K');
		s->before.n = 0;
	}
	s->runs.n = 0;
	paint_compare(&s->runs, &region->shown, &s->before, &region->wanted, &s->now);
	for (size_t i = 0; i < s->runs.n; i++) {
		const struct paint_cell *last = &s->now.at[s->runs.at[i].end - 1];

		screen_go(s, region, row, s->now.at[s->runs.at[i].first].column);
		paint_run(&s->painter, &region->wanted, &s->now, &s->runs.at[i]);
		/* Past the last column the cursor is in a place of its own, which no number names. */
		region->at.cell = last->column + last->cells;
		if (region->at.cell >= s->columns)
			region->at.cell = SIZE_MAX;
	}
}

static void screen_paint_region(struct screen *s, struct region *region)
{
	for (size_t row = 0; row < region->wanted.rows.n; row++) {
		if (row == region->shown.rows.n)
			screen_open_row(s, region);
		if (!page_row_eq(&region->wanted, row, &region->shown, row))
			screen_paint_row(s, region, row);
	}
	if (region->wanted.rows.n < region->shown.rows.n) {
		screen_go(s, region, region->wanted.rows.n, 0);
		screen_erase(s, 'J');
	}
	page_reset(&region->shown);
	page_copy(&region->shown, &region->wanted, 0, region->wanted.rows.n);
}

static void screen_paint_finished(struct screen *s, size_t row, size_t *lines)
{
	struct region *live = &s->live;
	size_t taken = paint_lines(&s->printed, row, s->columns);

	if (taken > 1 && *lines < live->shown.rows.n) {
		screen_erase_below(s, live->shown.rows.n - *lines);
		live->shown.rows.n = *lines;
	}
	if (*lines < live->shown.rows.n &&
	    live->shown.rows.at[*lines].cells > paint_row_cells(&s->printed, row))
		screen_erase(s, 'K');
	paint_row(&s->painter, &s->printed, row);
	painter_rest(&s->painter);
	str_adds(s->painter.out, "\r\n");
	*lines += taken;
}

/* The lines of finished rows that a frame can print and still be taken back. */
static size_t screen_space(const struct screen *s)
{
	size_t live = max_of(s->live.shown.rows.n, s->live.wanted.rows.n);
	size_t space = s->rows > 2 * live ? (s->rows - 2 * live) / 2 : 0;

	return max_of(space, s->rows / 4);
}

/* How many of the finished rows fit into so many lines. */
static size_t screen_fit(const struct screen *s, size_t space)
{
	size_t row = 0;

	for (size_t lines = 0; row < s->printed.rows.n; row++) {
		lines += paint_lines(&s->printed, row, s->columns);
		if (lines > space)
			break;
	}
	return row;
}

/* How many finished rows the next frame prints. xterm.js cuts off the row of the cursor when it becomes narrower, even in the
 * middle of a frame that it reads in pieces. So frames are short there, unless very much is waiting. */
static size_t screen_share(const struct screen *s)
{
	size_t rows = s->printed.rows.n;

	if (!s->check.is_wanted || s->caps.reflow != REFLOW_DRIFTS)
		return rows;
	return max_of(screen_fit(s, max_of(screen_space(s), rows / 8)), min_of(rows, (size_t)1));
}

/* Write finished rows over the beginning of the live region. They alone may be longer than a line. */
static void screen_paint_printed(struct screen *s)
{
	size_t lines = 0, n = screen_share(s);
	struct page rest = { .link = 0 };

	s->check.is_long = n > screen_fit(s, screen_space(s));
	if (s->check.is_wanted && !s->check.is_long)
		page_copy(&s->check.rows, &s->printed, 0, n);
	screen_go(s, &s->live, 0, 0);
	str_adds(s->painter.out, WRAP_ON);
	for (size_t row = 0; row < n; row++)
		screen_paint_finished(s, row, &lines);
	str_adds(s->painter.out, WRAP_OFF);
	region_shift(&s->live, lines);
	if (n == s->printed.rows.n) {
		page_reset(&s->printed);
		return;
	}
	page_copy(&rest, &s->printed, n, s->printed.rows.n);
	page_clear(&s->printed);
	s->printed = rest;
}

/* Lines of the terminal between the start of a region and the cursor, after a resize. */
static size_t screen_lines_above(const struct screen *s, const struct region *region,
				 size_t columns, size_t rows)
{
	const struct page *shown = &region->shown;
	size_t lines = 0;

	if (s->caps.reflow == REFLOW_NONE)
		return region->at.row;
	if (s->caps.reflow == REFLOW_DRIFTS)
		return drift_follow(shown, region->at.row, s->painted,
				    &(struct drift_size){ columns, rows }, 1);
	for (size_t row = 0; row < region->at.row && row < shown->rows.n; row++)
		lines += paint_lines(shown, row, columns);
	return lines + paint_line_of(shown, region->at.row, columns, region->at.cell);
}

/* There were more sizes than one around the frame that has left these rows. Then nobody knows how many they are: cutting
 * their lines off the top of the region keeps the conversation above whole. */
static void screen_drop_left(struct screen *s)
{
	struct page rest = { .link = 0 };

	page_copy(&rest, &s->live.shown, s->left, s->live.shown.rows.n);
	page_clear(&s->live.shown);
	s->live.shown = rest;
	s->live.at.row -= s->left;
	s->left = 0;
}

/* The same for the live region, after each size that the terminal has had. */
static size_t screen_lines_now(struct screen *s)
{
	if (s->caps.reflow != REFLOW_DRIFTS)
		return screen_lines_above(s, &s->live, s->columns, s->rows);
	screen_pass(s, s->columns, s->rows, true);
	if (s->passed.n && s->left)
		screen_drop_left(s);
	if (s->is_unsure)
		return drift_follow_least(&s->live.shown, s->live.at.row, s->painted, s->passed.at,
					  s->passed.n);
	return drift_follow(&s->live.shown, s->live.at.row, s->painted, s->passed.at, s->passed.n);
}

/* Go back to where the live region begins, and erase what is left of it. */
static void screen_find_live(struct screen *s)
{
	size_t lines = screen_lines_now(s);

	s->check.up = lines;
	if (lines)
		str_addf(s->painter.out, "\x1b[%zuA", lines);
	str_addc(s->painter.out, '\r');
	screen_erase_below(s, lines + 1);
	region_begin(&s->live);
	s->left = 0;
}

static void screen_paint_live(struct screen *s)
{
	if (s->live.is_lost)
		screen_find_live(s);
	if (s->printed.rows.n)
		screen_paint_printed(s);
	screen_paint_region(s, &s->live);
}

static void screen_paint_view(struct screen *s)
{
	if (s->view.is_lost) {
		str_adds(s->painter.out, "\x1b[H");
		screen_erase(s, 'J');
		region_begin(&s->view);
	}
	screen_paint_region(s, &s->view);
}

static void screen_switch(struct screen *s)
{
	s->is_viewing = s->wants_view;
	str_adds(s->painter.out, s->is_viewing ? "\x1b[?1049h" : "\x1b[?1049l");
	if (s->is_viewing) {
		s->view.is_lost = true;
		s->view.at.is_visible = s->live.at.is_visible;
	} else {
		s->live.at.is_visible = s->view.at.is_visible;
	}
}

static void screen_show_cursor(struct screen *s, struct region *region, bool visible)
{
	if (region->at.is_visible != visible)
		str_adds(s->painter.out, visible ? "\x1b[?25h" : "\x1b[?25l");
	region->at.is_visible = visible;
}

/* --- questions about the size ------------------------------------------------------ */

static void screen_add_question(struct screen *s, struct str *out)
{
	str_adds(out, ASK_SIZE);
	s->check.replies++;
}

static void screen_begin_check(struct screen *s)
{
	struct region *old = &s->check.old;

	page_reset(&s->check.rows);
	page_reset(&old->shown);
	page_copy(&old->shown, &s->live.shown, 0, s->live.shown.rows.n);
	old->at = s->live.at;
	s->check.up = old->at.row;
	s->check.is_long = s->check.is_probe = false;
	screen_add_question(s, s->painter.out);
	s->check.first = 0;
}

bool screen_is_lost(const struct screen *s)
{
	return s->live.is_lost;
}

bool screen_is_risky(const struct screen *s)
{
	return s->printed.rows.n || screen_is_lost(s);
}

bool screen_is_long(const struct screen *s)
{
	return screen_fit(s, screen_space(s)) < s->printed.rows.n;
}

void screen_ask(struct screen *s)
{
	s->check.is_wanted = !s->wants_view;
}

void screen_probe(struct screen *s, struct str *out)
{
	screen_add_question(s, out);
	s->check.is_probe = true;
	page_reset(&s->check.rows);
}

bool screen_is_asking(const struct screen *s)
{
	return s->check.replies > 0;
}

/* Append what a frame has left of the old live region: in a narrower terminal it began too low. */
static void screen_copy_left(struct screen *s, struct page *page, size_t columns, size_t rows)
{
	const struct region *old = &s->check.old;
	size_t lines = screen_lines_above(s, old, columns, rows);
	size_t left = lines - min_of(lines, s->check.up);

	for (size_t row = 0; left && row < old->shown.rows.n; row++) {
		size_t taken = min_of(paint_lines(&old->shown, row, columns), left);

		region_copy_row(page, &old->shown, row, taken * columns);
		left -= taken;
	}
}

/* The frame was read by a narrower terminal: take it back. What it has left of the old live region, the finished rows that
 * it has printed, and the new live region, whose rows were cut off, are all to be erased by the next one. */
static void screen_take_back(struct screen *s, size_t columns, size_t rows)
{
	struct screen_check *check = &s->check;
	bool is_whole = check->first == columns && !check->is_long;
	struct page torn = { .link = 0 }, rest = { .link = 0 };
	struct region *live = &s->live;

	if (is_whole) {
		screen_copy_left(s, &torn, columns, rows);
		s->left = torn.rows.n;
		page_copy(&torn, &check->rows, 0, check->rows.rows.n);
		page_copy(&rest, &check->rows, 0, check->rows.rows.n);
		page_copy(&rest, &s->printed, 0, s->printed.rows.n);
		page_clear(&s->printed);
		s->printed = rest;
	}
	live->at.row += torn.rows.n;
	live->at.cell = min_of(live->at.cell, columns - 1);
	for (size_t row = 0; row < live->shown.rows.n; row++)
		region_copy_row(&torn, &live->shown, row, columns);
	page_clear(&live->shown);
	live->shown = torn;
	live->is_lost = true;
}

/* The last frame was read by a terminal of this size: only those that it had later have moved it. The kernel is never
 * ahead of the terminal by more than one. */
static void screen_set_painted(struct screen *s, size_t columns, size_t rows)
{
	size_t i = s->passed.n;

	while (i > 0 &&
	       (s->passed.at[i - 1].columns != columns || s->passed.at[i - 1].rows != rows))
		i--;
	i = i ? i : s->passed.n;
	s->passed.n -= i;
	if (s->passed.n)
		memmove(s->passed.at, s->passed.at + i, s->passed.n * sizeof(*s->passed.at));
	s->painted = (struct drift_size){ columns, rows };
}

void screen_on_size(struct screen *s, size_t columns, size_t rows)
{
	struct screen_check *check = &s->check;

	if (!check->replies || !columns || !rows)
		return;
	if (--check->replies) {
		check->first = columns;
		return;
	}
	if (columns < s->columns && !s->is_viewing && !check->is_probe)
		screen_take_back(s, columns, rows);
	if (!check->is_probe)
		screen_set_painted(s, columns, rows);
	screen_resize(s, columns, rows);
	page_reset(&check->rows);
}

size_t screen_give_up(struct screen *s)
{
	size_t missing = s->check.replies;

	s->check.replies = 0;
	page_reset(&s->check.rows);
	return missing;
}

void screen_frame(struct screen *s, struct str *out)
{
	struct region *region = s->wants_view ? &s->view : &s->live;

	if (!screen_is_dirty(s))
		return;
	painter_init(&s->painter, out, &s->caps);
	if (s->caps.is_synchronized)
		str_adds(out, "\x1b[?2026h");
	if (s->wants_view != s->is_viewing)
		screen_switch(s);
	if (s->check.is_wanted)
		screen_begin_check(s);
	/* A frame that only changes cells does not make the cursor jump about. */
	if (!s->caps.is_synchronized && region->wanted.rows.n != region->shown.rows.n)
		screen_show_cursor(s, region, false);
	if (s->is_viewing)
		screen_paint_view(s);
	else
		screen_paint_live(s);
	painter_rest(&s->painter);
	region->cursor.cell = min_of(region->cursor.cell, s->columns - 1);
	screen_go(s, region, region->cursor.row, region->cursor.cell);
	if (s->check.is_wanted)
		screen_add_question(s, out);
	s->check.is_wanted = false;
	s->painted = (struct drift_size){ s->columns, s->rows };
	s->passed.n = 0;
	s->is_unsure = false;
	screen_show_cursor(s, region, region->cursor.is_visible);
	if (s->caps.is_synchronized)
		str_adds(out, "\x1b[?2026l");
	painter_clear(&s->painter);
}

void screen_leave(struct screen *s, struct str *out)
{
	static const struct page nothing;

	screen_view(s, NULL, (struct screen_cursor){ .row = 0 });
	screen_draw(s, &nothing, (struct screen_cursor){ .is_visible = true });
	screen_frame(s, out);
}
