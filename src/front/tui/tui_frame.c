/* When the screen is drawn: at once after a key, else at most every FRAME_MS, and not at all while nothing changes. While
 * a turn runs a slow pulse moves its sign of life. A terminal that does not take its bytes gets no further
 * frame until it has.
 *
 * While a turn runs, and after a resize, each frame asks the terminal for its size (screen.h), and the next one waits
 * for the replies. A terminal that leaves several questions without a reply is not asked again. After a
 * resize nothing is written until the sizes have stopped changing: a window that is dragged has many. */
#include <malloc.h>

#include "front/tui/tui_internal.h"
#include "sys/timer.h"

enum {
	FRAME_MS = 16,
	BURST_MS = 24, /* while more rows arrive than anybody can read */
	PULSE_MS = 250,
	STILL_MS = 1000,
	SETTLE_MS = 50,  /* without another size, before anything is written */
	CALM_MS = 250,   /* likewise while words arrive */
	SURE_MS = 60,    /* between two sizes: no other can have been missed */
	REPLY_MS = 500,  /* for the terminal to tell its size */
	MOST_PROBES = 8, /* until the terminal has the size that the kernel says */
	MOST_MISSED = 3, /* replies */
};

static void tui_separate(struct tui *t, enum tui_block kind)
{
	if (t->last_block != TUI_NOTHING)
		page_end_row(&t->done);
	t->last_block = kind;
}

void tui_end_lookups(struct tui *t)
{
	struct view view;

	if (!lookups_count(&t->lookups))
		return;
	tui_view(t, &view);
	tui_separate(t, TUI_BLOCK);
	lookups_draw(&t->lookups, &t->done, &view);
	lookups_reset(&t->lookups);
}

struct page *tui_begin_block(struct tui *t)
{
	tui_end_lookups(t);
	tui_separate(t, TUI_BLOCK);
	return &t->done;
}

struct page *tui_begin_row(struct tui *t, enum tui_block kind)
{
	tui_end_lookups(t);
	if (t->last_block != kind)
		tui_separate(t, kind);
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
	int64_t since = tui_now(t) - t->last_frame, pause = t->is_burst ? BURST_MS : FRAME_MS;

	if (since >= pause)
		loop_post(t->client.loop, &t->frame);
	else
		tui_frame_in(t, pause - since);
}

void tui_redraw_now(struct tui *t)
{
	loop_post(t->client.loop, &t->frame);
}

void tui_frame_on_written(void *arg)
{
	struct tui *t = arg;

	if (t->awaits_output)
		tui_redraw_now(t);
	t->awaits_output = false;
}

/* --- the size of the terminal ------------------------------------------------------ */

static void tui_frame_await(struct tui *t);

/* No reply is missing. */
static void tui_frame_go_on(struct tui *t)
{
	void (*then)(struct tui * t) = move(t->size.then);

	if (t->size.waits || screen_is_dirty(t->screen))
		tui_redraw_now(t);
	t->size.waits = false;
	if (then && !t->client.is_leaving)
		then(t);
}

static void tui_frame_on_deadline(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct tui *t = owner;

	t->size.deadline = NULL;
	if (t->client.is_leaving)
		return;
	if (why) {
		tui_frame_await(t); /* there may be another question already */
		return;
	}
	t->size.late += screen_give_up(t->screen);
	if (++t->size.missed == MOST_MISSED)
		t->size.can_ask = false;
	screen_resize(t->screen, t->size.columns, t->size.rows);
	t->size.probes = 0;
	tui_frame_go_on(t);
}

static void tui_frame_await(struct tui *t)
{
	if (screen_is_asking(t->screen) && !t->size.deadline)
		t->size.deadline =
			timer_start(t->client.loop, REPLY_MS, THEN(tui_frame_on_deadline, t));
}

bool tui_frame_can_lend(struct tui *t, void (*fn)(struct tui *t))
{
	if (screen_is_asking(t->screen))
		t->size.then = fn;
	return !screen_is_asking(t->screen) && !t->compose.op && out_is_empty(&t->client.out);
}

/* The size has changed. */
static void tui_frame_settle(struct tui *t)
{
	t->size.settles_at = tui_now(t) + (tui_is_working(t) ? CALM_MS : SETTLE_MS);
}

static void tui_frame_on_reported(struct tui *t, size_t columns, size_t rows)
{
	if (t->size.late) {
		t->size.late--;
		return;
	}
	screen_on_size(t->screen, columns, rows);
	if (screen_is_asking(t->screen))
		return;
	t->size.missed = 0;
	op_cancel(t->size.deadline);
	if (columns == t->size.columns && rows == t->size.rows)
		t->size.probes = 0;
	else
		tui_frame_settle(t);
	tui_frame_go_on(t);
}

void tui_frame_on_reply(struct tui *t, const struct key_event *event)
{
	if (event->reply.what ==
	    KEY_REPLY_ATTRIBUTES) { /* it is the last one of the first queries */
		t->awaits_replies = false;
		t->size.can_ask = true;
	} else if (event->reply.what == KEY_REPLY_CURSOR) {
		tui_frame_on_reported(t, event->reply.state, event->reply.number);
	}
}

/* The kernel says that the size is another one. It counts once the terminal itself says the same. */
static void tui_frame_on_size(struct tui *t, size_t columns, size_t rows)
{
	t->size.columns = columns;
	t->size.rows = rows;
	screen_pass(t->screen, columns, rows, tui_now(t) - t->size.changed_at >= SURE_MS);
	t->size.changed_at = tui_now(t);
	if (t->size.can_ask) {
		t->size.probes = MOST_PROBES;
		tui_frame_settle(t);
	} else {
		screen_resize(t->screen, columns, rows);
	}
}

/* Ask for the size, and write nothing before the reply. */
static void tui_frame_probe(struct tui *t)
{
	defer(str_clear) struct str question = STR_INIT;

	screen_probe(t->screen, &question);
	client_write(&t->client, sv_of(&question));
	tui_frame_await(t);
}

/* Follow the size of the terminal; false: nothing can be written yet. The signal may come late, and the terminal may
 * have its new size earlier or later than the kernel. */
static bool tui_frame_resize(struct tui *t)
{
	size_t columns, rows;

	tty_size(t->tty, &columns, &rows);
	if (columns != t->size.columns || rows != t->size.rows)
		tui_frame_on_size(t, columns, rows);
	if (tui_now(t) < t->size.settles_at) {
		tui_frame_in(t, t->size.settles_at - tui_now(t));
		return false;
	}
	if (!t->size.probes)
		return true;
	if (--t->size.probes == 0) {
		screen_resize(t->screen, columns, rows);
		return true;
	}
	tui_frame_probe(t);
	return false;
}

/* --- drawing ------------------------------------------------------------------------- */

static bool tui_frame_can_draw(struct tui *t)
{
	if (t->compose.op)
		return false;
	if (!out_is_empty(&t->client.out)) {
		t->awaits_output = true;
		return false;
	}
	t->size.waits = screen_is_asking(t->screen);
	return !t->size.waits && tui_frame_resize(t);
}

/* A long frame after a resize prints finished rows alone, and the next one draws the rows below them: should the size change
 * while the terminal reads so much, there is nothing that it could fold or leave over. */
static void tui_frame_print_only(struct tui *t)
{
	static const struct page nothing;

	if (!t->size.can_ask || t->is_paging || !screen_is_lost(t->screen) ||
	    !screen_is_long(t->screen))
		return;
	screen_draw(t->screen, &nothing, (struct screen_cursor){ .is_visible = true });
	t->size.waits = true;
}

/* False: the frame has to wait. */
static bool tui_frame_write(struct tui *t, bool is_quick)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (!screen_is_dirty(t->screen))
		return true;
	if (!is_quick)
		t->is_burst = screen_is_long(t->screen);
	if (t->size.can_ask && !t->size.is_fresh && !t->is_paging &&
	    (screen_is_long(t->screen) || screen_is_lost(t->screen))) {
		t->size.waits = t->size.is_fresh = true;
		tui_frame_probe(t);
		return false;
	}
	t->size.is_fresh = false;
	tui_frame_print_only(t);
	if (t->size.can_ask && (tui_is_working(t) || screen_is_risky(t->screen)))
		screen_ask(t->screen);
	screen_frame(t->screen, &bytes);
	client_write(&t->client, sv_of(&bytes));
	tui_frame_await(t);
	return true;
}

/* While very much arrives, what a key has changed is shown before that. */
static bool tui_frame_is_quick(const struct tui *t)
{
	return t->is_for_key && t->is_burst && tui_is_busy(t);
}

static void tui_frame_pulse(struct tui *t)
{
	if ((tui_is_working(t) || t->hooks.n) && !t->dialog.is_open && !t->pulse)
		t->pulse = timer_start(t->client.loop, t->is_still ? STILL_MS : PULSE_MS,
				       THEN(tui_frame_on_pulse, t));
}

/* When all of a long answer is on the screen, the memory that it took goes back to the system. */
static void tui_frame_trim(struct tui *t)
{
	if (!t->was_long || tui_is_working(t))
		return;
	t->was_long = false;
	malloc_trim(0);
}

void tui_draw(struct tui *t)
{
	struct screen_cursor cursor = { .is_visible = false };
	bool is_quick = tui_frame_is_quick(t);

	if (!tui_frame_can_draw(t))
		return;
	t->is_for_key = false;
	tui_set_title(t);
	page_reset(&t->live);
	if (!is_quick)
		tui_advance_answer(t);
	tui_draw_live(t, &t->live, &cursor);
	if (!is_quick)
		screen_print(t->screen, &t->done);
	screen_draw(t->screen, &t->live, cursor);
	if (tui_agent_is_open(t))
		tui_draw_agent(t);
	else if (t->is_paging)
		tui_draw_transcript(t);
	if (!tui_frame_write(t, is_quick))
		return;
	t->is_shown = t->dialog.is_open && !t->is_paging;
	tui_frame_pulse(t);
	if (is_quick)
		tui_redraw(t);
	else
		t->last_frame = tui_now(t);
	tui_frame_trim(t);
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
	tty_size(t->tty, &t->size.columns, &t->size.rows);
}

void tui_frame_stop(struct tui *t)
{
	op_cancel(t->frame_timer);
	op_cancel(t->pulse);
	op_cancel(t->size.deadline);
}
