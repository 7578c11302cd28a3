#include "tool/shell/background_feed.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sys/timer.h"

enum { PAUSE_MS = 200, LONGEST_PAUSE_MS = 30000 };

struct feed {
	struct op op;
	background_feed_fn *on_text;
	void *arg;
	struct op *timer; /* until the next piece */
	int64_t pause_ms;
	struct str text;
	uint64_t omitted; /* lines */
	bool is_over;
};

static bool background_feed_has_news(const struct feed *f)
{
	return f->text.len || f->omitted;
}

static void background_feed_pass_on(struct feed *f)
{
	if (f->omitted)
		str_addf(&f->text, "[%" PRIu64 " more lines]\n", f->omitted);
	f->omitted = 0;
	f->on_text(f->arg, sv_slice(sv_of(&f->text), 0, f->text.len - 1));
	str_truncate(&f->text, 0);
}

static void background_feed_rest(struct feed *f);

/* After one pause without output, the next line is passed on soon again. */
static void background_feed_on_timer(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct feed *f = owner;

	f->timer = NULL;
	if (f->is_over) {
		op_finish(&f->op, NULL);
	} else if (!why && background_feed_has_news(f)) {
		background_feed_pass_on(f);
		f->pause_ms = min_of(2 * f->pause_ms, (int64_t)LONGEST_PAUSE_MS);
		background_feed_rest(f);
	} else {
		f->pause_ms = PAUSE_MS;
	}
}

static void background_feed_rest(struct feed *f)
{
	f->timer = timer_start(f->op.loop, f->pause_ms, THEN(background_feed_on_timer, f));
}

void background_feed_add(struct op *feed, struct sv text)
{
	struct feed *f = container_of(feed, struct feed, op);
	struct sv line;

	while (!f->is_over && sv_cut_line(&text, &line)) {
		struct sv shown = utf8_prefix(line, LIMIT_FEED_LINE);

		if (f->omitted || f->text.len + shown.len > LIMIT_FEED_TEXT) {
			f->omitted++;
			continue;
		}
		str_add(&f->text, shown);
		str_adds(&f->text, shown.len < line.len ? "...\n" : "\n");
	}
	if (background_feed_has_news(f) && !f->timer && !f->is_over)
		background_feed_rest(f);
}

static void background_feed_finish(struct feed *f)
{
	f->is_over = true;
	if (f->timer)
		op_cancel(f->timer);
	else
		op_finish(&f->op, NULL);
}

void background_feed_end(struct op *feed)
{
	struct feed *f = container_of(feed, struct feed, op);

	if (f->is_over)
		return;
	if (background_feed_has_news(f))
		background_feed_pass_on(f);
	background_feed_finish(f);
}

static void feed_cancel(struct op *op)
{
	struct feed *f = container_of(op, struct feed, op);

	if (!f->is_over)
		background_feed_finish(f);
}

static void feed_free(struct op *op)
{
	struct feed *f = container_of(op, struct feed, op);

	str_clear(&f->text);
	free(f);
}

static const struct op_type feed_type = { .name = "feed",
					  .cancel = feed_cancel,
					  .free = feed_free };

struct op *background_feed_start(struct loop *loop, background_feed_fn *on_text, void *arg,
				 struct then then)
{
	struct feed *f = xnew(struct feed);

	op_init(&f->op, &feed_type, loop, then);
	f->on_text = on_text;
	f->arg = arg;
	f->pause_ms = PAUSE_MS;
	return &f->op;
}
