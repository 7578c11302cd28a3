/* When the screen is drawn: at once after a key, else at most every FRAME_MS, and not at all while nothing changes. While
 * a turn runs a slow pulse moves its sign of life. A terminal that does not take its bytes gets no further
 * frame until it has.
 *
 * While a turn runs, and after a resize, each frame asks the terminal for its size (screen.h), and the next one waits
 * for the replies. A terminal that leaves several questions without a reply is not asked again. After a
 * resize nothing is written until the sizes have stopped changing: a window that is dragged has many. */
#include <malloc.h>

#include "front/tui/conversation/tui_agent.h"
#include "front/tui/conversation/tui_hooks.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/tui_frame.h"

#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "front/tui/tui_notify.h"
#include "front/tui/tui_terminal.h"
#include "sys/timer.h"

/* The size of the terminal, and what has been asked about it. */
struct frame_size {
	size_t columns, rows;        /* as the kernel said last */
	bool can_ask;                /* the terminal has answered queries */
	bool waits;                  /* a frame was wanted while a reply was missing */
	bool is_fresh;               /* the terminal was asked just now */
	size_t probes;               /* left, until the terminal has that size too */
	size_t late;                 /* replies that nobody waits for any more */
	size_t missed;               /* deadlines, one after the other */
	int64_t settles_at;          /* nothing is written before */
	int64_t changed_at;          /* when the size did */
	void (*then)(struct tui *t); /* once no reply is missing; usually NULL */
	struct op *deadline;         /* of the reply that is missing; NULL: none is */
};

struct tui_frame {
	struct tui *t;
	struct task task;
	struct op *timer; /* NULL: not running */
	int64_t last;
	bool awaits_output; /* a frame waits until the terminal has taken the last one */
	bool is_burst;      /* it had very many finished rows */
	bool is_for_key;    /* the next one was asked for by a key */
	bool is_heavy; /* a very long answer has been drawn; its memory can go when all is still */
	struct op *pulse; /* a sign of life while a turn runs; NULL: not running */
	struct frame_size size;
	struct page done; /* finished rows for the next frame */
	struct page live; /* scratch */
	enum tui_block last_block;
};

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
	if (t->frame->last_block != TUI_NOTHING)
		page_end_row(&t->frame->done);
	t->frame->last_block = kind;
}

void tui_end_lookups(struct tui *t)
{
	struct view view;

	if (!lookups_count(&t->conversation.lookups))
		return;
	tui_view(t, &view);
	tui_separate(t, TUI_BLOCK);
	lookups_draw(&t->conversation.lookups, &t->frame->done, &view);
	lookups_reset(&t->conversation.lookups);
}

struct page *tui_done(struct tui *t)
{
	return &t->frame->done;
}

struct page *tui_begin_block(struct tui *t)
{
	tui_end_lookups(t);
	tui_separate(t, TUI_BLOCK);
	return &t->frame->done;
}

struct page *tui_begin_row(struct tui *t, enum tui_block kind)
{
	tui_end_lookups(t);
	if (t->frame->last_block != kind)
		tui_separate(t, kind);
	return &t->frame->done;
}

/* --- timers ------------------------------------------------------------------- */

static void tui_frame_on_time(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct tui *t = owner;

	t->frame->timer = NULL;
	if (!why && !t->client.is_leaving)
		tui_draw(t);
}

static void tui_frame_in(struct tui *t, int64_t ms)
{
	if (!t->frame->timer)
		t->frame->timer = timer_start(t->client.loop, ms, THEN(tui_frame_on_time, t));
}

static void tui_frame_on_pulse(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct tui *t = owner;

	t->frame->pulse = NULL;
	if (!why && !t->client.is_leaving)
		tui_draw(t);
}

/* --- frames ----------------------------------------------------------------------- */

void tui_redraw(struct tui *t)
{
	int64_t since = tui_now(t) - t->frame->last,
		pause = t->frame->is_burst ? BURST_MS : FRAME_MS;

	if (since >= pause)
		loop_post(t->client.loop, &t->frame->task);
	else
		tui_frame_in(t, pause - since);
}

void tui_redraw_for_key(struct tui *t)
{
	t->frame->is_for_key = true;
	tui_redraw_now(t);
}

void tui_redraw_now(struct tui *t)
{
	loop_post(t->client.loop, &t->frame->task);
}

void tui_frame_on_written(void *arg)
{
	struct tui *t = arg;

	if (t->frame->awaits_output)
		tui_redraw_now(t);
	t->frame->awaits_output = false;
}

/* --- the size of the terminal ------------------------------------------------------ */

static void tui_frame_await(struct tui *t);

/* No reply is missing. */
static void tui_frame_go_on(struct tui *t)
{
	void (*then)(struct tui * t) = move(t->frame->size.then);

	if (t->frame->size.waits || screen_is_dirty(t->screen))
		tui_redraw_now(t);
	t->frame->size.waits = false;
	if (then && !t->client.is_leaving)
		then(t);
}

static void tui_frame_on_deadline(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct tui *t = owner;

	t->frame->size.deadline = NULL;
	if (t->client.is_leaving)
		return;
	if (why) {
		tui_frame_await(t); /* there may be another question already */
		return;
	}
	t->frame->size.late += screen_give_up(t->screen);
	if (++t->frame->size.missed == MOST_MISSED)
		t->frame->size.can_ask = false;
	screen_resize(t->screen, t->frame->size.columns, t->frame->size.rows);
	t->frame->size.probes = 0;
	tui_frame_go_on(t);
}

static void tui_frame_await(struct tui *t)
{
	if (screen_is_asking(t->screen) && !t->frame->size.deadline)
		t->frame->size.deadline =
			timer_start(t->client.loop, REPLY_MS, THEN(tui_frame_on_deadline, t));
}

bool tui_frame_can_lend(struct tui *t, void (*fn)(struct tui *t))
{
	if (screen_is_asking(t->screen))
		t->frame->size.then = fn;
	return !screen_is_asking(t->screen) && !tui_compose_runs(t) && out_is_empty(&t->client.out);
}

/* The size has changed. */
static void tui_frame_settle(struct tui *t)
{
	t->frame->size.settles_at = tui_now(t) + (tui_is_working(t) ? CALM_MS : SETTLE_MS);
}

static void tui_frame_on_reported(struct tui *t, size_t columns, size_t rows)
{
	if (t->frame->size.late) {
		t->frame->size.late--;
		return;
	}
	screen_on_size(t->screen, columns, rows);
	if (screen_is_asking(t->screen))
		return;
	t->frame->size.missed = 0;
	op_cancel(t->frame->size.deadline);
	if (columns == t->frame->size.columns && rows == t->frame->size.rows)
		t->frame->size.probes = 0;
	else
		tui_frame_settle(t);
	tui_frame_go_on(t);
}

void tui_frame_on_reply(struct tui *t, const struct key_event *event)
{
	if (event->reply.what ==
	    KEY_REPLY_ATTRIBUTES) { /* it is the last one of the first queries */
		tui_terminal_on_attributes(t);
		t->frame->size.can_ask = true;
	} else if (event->reply.what == KEY_REPLY_CURSOR) {
		tui_frame_on_reported(t, event->reply.state, event->reply.number);
	}
}

/* The kernel says that the size is another one. It counts once the terminal itself says the same. */
static void tui_frame_on_size(struct tui *t, size_t columns, size_t rows)
{
	t->frame->size.columns = columns;
	t->frame->size.rows = rows;
	screen_pass(t->screen, columns, rows, tui_now(t) - t->frame->size.changed_at >= SURE_MS);
	t->frame->size.changed_at = tui_now(t);
	if (t->frame->size.can_ask) {
		t->frame->size.probes = MOST_PROBES;
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
	if (columns != t->frame->size.columns || rows != t->frame->size.rows)
		tui_frame_on_size(t, columns, rows);
	if (tui_now(t) < t->frame->size.settles_at) {
		tui_frame_in(t, t->frame->size.settles_at - tui_now(t));
		return false;
	}
	if (!t->frame->size.probes)
		return true;
	if (--t->frame->size.probes == 0) {
		screen_resize(t->screen, columns, rows);
		return true;
	}
	tui_frame_probe(t);
	return false;
}

/* --- drawing ------------------------------------------------------------------------- */

static bool tui_frame_can_draw(struct tui *t)
{
	if (tui_compose_runs(t))
		return false;
	if (!out_is_empty(&t->client.out)) {
		t->frame->awaits_output = true;
		return false;
	}
	t->frame->size.waits = screen_is_asking(t->screen);
	return !t->frame->size.waits && tui_frame_resize(t);
}

/* A long frame after a resize prints finished rows alone, and the next one draws the rows below them: should the size change
 * while the terminal reads so much, there is nothing that it could fold or leave over. */
static void tui_frame_print_only(struct tui *t)
{
	static const struct page nothing;

	if (!t->frame->size.can_ask || t->transcript.is_open || !screen_is_lost(t->screen) ||
	    !screen_is_long(t->screen))
		return;
	screen_draw(t->screen, &nothing, (struct screen_cursor){ .is_visible = true });
	t->frame->size.waits = true;
}

/* False: the frame has to wait. */
static bool tui_frame_write(struct tui *t, bool is_quick)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (!screen_is_dirty(t->screen))
		return true;
	if (!is_quick)
		t->frame->is_burst = screen_is_long(t->screen);
	if (t->frame->size.can_ask && !t->frame->size.is_fresh && !t->transcript.is_open &&
	    (screen_is_long(t->screen) || screen_is_lost(t->screen))) {
		t->frame->size.waits = t->frame->size.is_fresh = true;
		tui_frame_probe(t);
		return false;
	}
	t->frame->size.is_fresh = false;
	tui_frame_print_only(t);
	if (t->frame->size.can_ask && (tui_is_working(t) || screen_is_risky(t->screen)))
		screen_ask(t->screen);
	screen_frame(t->screen, &bytes);
	client_write(&t->client, sv_of(&bytes));
	tui_frame_await(t);
	return true;
}

/* While very much arrives, what a key has changed is shown before that. */
static bool tui_frame_is_quick(const struct tui *t)
{
	return t->frame->is_for_key && t->frame->is_burst && tui_is_busy(t);
}

static void tui_frame_pulse(struct tui *t)
{
	if ((tui_is_working(t) || tui_hooks_run(t)) && !t->dialog.is_open && !t->frame->pulse)
		t->frame->pulse =
			timer_start(t->client.loop, t->settings.is_still ? STILL_MS : PULSE_MS,
				    THEN(tui_frame_on_pulse, t));
}

void tui_frame_trim_later(struct tui *t)
{
	t->frame->is_heavy = true;
}

/* When all of a long answer is on the screen, the memory that it took goes back to the system. */
static void tui_frame_trim(struct tui *t)
{
	if (!t->frame->is_heavy || tui_is_working(t))
		return;
	t->frame->is_heavy = false;
	malloc_trim(0);
}

void tui_draw(struct tui *t)
{
	struct screen_cursor cursor = { .is_visible = false };
	bool is_quick = tui_frame_is_quick(t);

	if (!tui_frame_can_draw(t))
		return;
	t->frame->is_for_key = false;
	tui_set_title(t);
	page_reset(&t->frame->live);
	if (!is_quick)
		tui_advance_answer(t);
	tui_draw_live(t, &t->frame->live, &cursor);
	if (!is_quick)
		screen_print(t->screen, &t->frame->done);
	screen_draw(t->screen, &t->frame->live, cursor);
	if (tui_agent_is_open(t))
		tui_draw_agent(t);
	else if (t->transcript.is_open)
		tui_draw_transcript(t);
	if (!tui_frame_write(t, is_quick))
		return;
	t->question.is_shown = t->dialog.is_open && !t->transcript.is_open;
	tui_frame_pulse(t);
	if (is_quick)
		tui_redraw(t);
	else
		t->frame->last = tui_now(t);
	tui_frame_trim(t);
}

void tui_frame_finish(struct tui *t)
{
	defer(str_clear) struct str bytes = STR_INIT;

	screen_print(t->screen, &t->frame->done);
	screen_frame(t->screen, &bytes);
	screen_leave(t->screen, &bytes);
	client_write(&t->client, sv_of(&bytes));
}

static void tui_frame_run(struct task *task)
{
	struct tui *t = container_of(task, struct tui_frame, task)->t;

	if (!t->client.is_leaving)
		tui_draw(t);
}

void tui_frame_begin(struct tui *t)
{
	t->frame->t = t;
	t->frame->task.run = tui_frame_run;
	t->frame->last = tui_now(t) - FRAME_MS;
	tty_size(t->tty, &t->frame->size.columns, &t->frame->size.rows);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_frame_init(struct tui *t)
{
	t->frame = xnew(struct tui_frame);
}

void tui_frame_stop(struct tui *t)
{
	op_cancel(t->frame->timer);
	op_cancel(t->frame->pulse);
	op_cancel(t->frame->size.deadline);
}

void tui_frame_free(struct tui *t)
{
	page_clear(&t->frame->done);
	page_clear(&t->frame->live);
	free(t->frame);
}
