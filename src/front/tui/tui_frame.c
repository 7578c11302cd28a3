/* When the screen is drawn: at once after a key, else at most every FRAME_MS, and not at all while nothing changes. While
 * a turn runs a slow pulse moves its sign of life. A terminal that does not take its bytes gets no further
 * frame until it has. */
#include "front/tui/tui_internal.h"
#include "sys/timer.h"

enum { FRAME_MS = 16, PULSE_MS = 250, STILL_MS = 1000, SLOW_MS = 50 };

struct page *tui_begin_block(struct tui *t)
{
	if (t->last_block != TUI_NOTHING)
		page_end_row(&t->done);
	t->last_block = TUI_BLOCK;
	return &t->done;
}

struct page *tui_begin_row(struct tui *t, enum tui_block kind)
{
	if (t->last_block != kind)
		tui_begin_block(t);
	t->last_block = kind;
	return &t->done;
}

/* --- timers ------------------------------------------------------------------- */

static void tui_frame_on_time(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct tui *t = owner;

	t->frame_timer = NULL;
	if (!why && !t->client.is_leaving)
		tui_draw(t);
}

static void tui_frame_in(struct tui *t, int64_t ms)
{
	if (!t->frame_timer)
		t->frame_timer = timer_start(t->client.loop, ms, THEN(tui_frame_on_time, t));
}

static void tui_frame_on_pulse(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct tui *t = owner;

	t->pulse = NULL;
	if (!why && !t->client.is_leaving)
		tui_draw(t);
}

/* --- frames ----------------------------------------------------------------------- */

void tui_redraw(struct tui *t)
{
	int64_t since = tui_now(t) - t->last_frame;

	if (since >= FRAME_MS)
		loop_post(t->client.loop, &t->frame);
	else
		tui_frame_in(t, FRAME_MS - since);
}

void tui_redraw_now(struct tui *t)
{
	loop_post(t->client.loop, &t->frame);
}

/* The signal may come late; a frame for the wrong size would be torn. */
static void tui_frame_resize(struct tui *t)
{
	size_t columns, rows;

	tty_size(t->tty, &columns, &rows);
	if (columns != screen_columns(t->screen) || rows != screen_rows(t->screen))
		screen_resize(t->screen, columns, rows);
}

void tui_draw(struct tui *t)
{
	struct screen_cursor cursor = { .is_visible = false };
	defer(str_clear) struct str bytes = STR_INIT;

	if (t->compose.op)
		return;
	if (!out_is_empty(&t->client.out)) {
		tui_frame_in(t, SLOW_MS);
		return;
	}
	tui_frame_resize(t);
	tui_set_title(t);
	page_reset(&t->live);
	tui_draw_live(t, &t->live, &cursor);
	screen_print(t->screen, &t->done);
	page_reset(&t->done);
	screen_draw(t->screen, &t->live, cursor);
	if (t->is_paging)
		tui_draw_transcript(t);
	if (screen_is_dirty(t->screen)) {
		screen_frame(t->screen, &bytes);
		client_write(&t->client, sv_of(&bytes));
	}
	t->is_shown = t->dialog.is_open && !t->is_paging;
	t->last_frame = tui_now(t);
	if (tui_is_working(t) && !t->dialog.is_open && !t->pulse)
		t->pulse = timer_start(t->client.loop, t->is_still ? STILL_MS : PULSE_MS,
				       THEN(tui_frame_on_pulse, t));
}

static void tui_frame_run(struct task *task)
{
	struct tui *t = container_of(task, struct tui, frame);

	if (!t->client.is_leaving)
		tui_draw(t);
}

void tui_frame_init(struct tui *t)
{
	t->frame.run = tui_frame_run;
	t->last_frame = tui_now(t) - FRAME_MS;
}

void tui_frame_stop(struct tui *t)
{
	op_cancel(t->frame_timer);
	op_cancel(t->pulse);
}
