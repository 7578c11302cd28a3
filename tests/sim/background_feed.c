/* What a watched command prints is told in bounded pieces, and not more often than
 * somebody can bear. */
#include "tool/shell/background_feed.h"

#include "base/limits.h"
#include "machine/sim.h"
#include "test.h"

struct world {
	struct sim *sim;
	struct op *feed;
	struct str reported; /* all pieces, a line break after each */
	int pieces;
	size_t biggest;
	int64_t lines; /* told, or counted as left out */
	int64_t last;  /* when it was told */
	int done;
};

/* The number in "[12 more lines]", else one: the line itself. */
static int64_t lines_of(struct sv line)
{
	int64_t n;

	if (sv_starts(line, SV("[")) && sv_ends(line, SV(" more lines]")) &&
	    sv_to_int(sv_slice(line, 1, line.len - strlen(" more lines]")), &n))
		return n;
	return 1;
}

static void on_report(void *arg, struct sv text)
{
	struct world *w = arg;
	struct sv rest = text, line;

	str_add(&w->reported, text);
	str_addc(&w->reported, '\n');
	w->pieces++;
	w->biggest = max_of(w->biggest, text.len);
	w->last = sim_elapsed(w->sim);
	while (sv_cut_line(&rest, &line))
		w->lines += lines_of(line);
}

static void on_done(__attribute__((unused)) struct op *op, void *owner,
		    __attribute__((unused)) const struct err *why)
{
	struct world *w = owner;

	w->feed = NULL;
	w->done++;
}

static void world_init(struct world *w)
{
	*w = (struct world){ .sim = sim_new() };
	w->feed = background_feed_start(sim_loop(w->sim), on_report, w, THEN(on_done, w));
}

static void world_clear(struct world *w)
{
	op_cancel(w->feed);
	CHECK(sim_run(w->sim, SIZE_MAX));
	CHECK_INT(w->done, 1);
	str_clear(&w->reported);
	sim_free(w->sim);
}

#define WORLD(name)                           \
	defer(world_clear) struct world name; \
	world_init(&name)

static void end(struct world *w)
{
	background_feed_end(w->feed);
	CHECK(sim_run(w->sim, SIZE_MAX));
}

TEST(lines_that_come_together_are_one_piece)
{
	WORLD(w);

	background_feed_add(w.feed, SV("one\n"));
	sim_advance(w.sim, 150);
	background_feed_add(w.feed, SV("two\nthree\n"));
	CHECK_INT(w.pieces, 0);
	sim_advance(w.sim, 1000);
	CHECK_STR(str_c(&w.reported), "one\ntwo\nthree\n");
	CHECK_INT(w.pieces, 1);
	CHECK_INT(w.last, 200);
}

TEST(lines_far_apart_are_told_soon_each)
{
	WORLD(w);

	for (int i = 1; i <= 100; i++) {
		background_feed_add(w.feed, SV("tick\n"));
		sim_advance(w.sim, 1000);
		CHECK_INT(w.pieces, i);
		CHECK_INT(w.last, 1000 * (i - 1) + 200);
	}
}

TEST(the_more_comes_the_longer_are_the_pauses_and_no_line_is_uncounted)
{
	WORLD(w);

	for (int i = 0; i < 60 * 60 * 100; i++) { /* an hour of a line every 10 ms */
		background_feed_add(w.feed, SV("the same old story\n"));
		sim_advance(w.sim, 10);
	}
	CHECK(w.pieces > 100 && w.pieces < 140);
	end(&w);
	CHECK(w.biggest <= LIMIT_FEED_TEXT + 64);
	CHECK_INT(w.lines, 60 * 60 * 100);
}

TEST(a_quiet_pause_and_lines_are_told_soon_again)
{
	WORLD(w);

	for (int i = 0; i < 1000; i++) {
		background_feed_add(w.feed, SV("much\n"));
		sim_advance(w.sim, 10);
	}
	sim_advance(w.sim, 120000);
	w.pieces = 0;
	background_feed_add(w.feed, SV("again\n"));
	sim_advance(w.sim, 200);
	CHECK_INT(w.pieces, 1);
}

TEST(of_a_long_line_only_the_beginning_is_told)
{
	WORLD(w);
	defer(str_clear) struct str line = STR_INIT;

	while (line.len < LIMIT_FEED_LINE - 1)
		str_addc(&line, 'x');
	str_adds(&line, "\xe2\x82\xac and more\n"); /* the limit is within this character */
	background_feed_add(w.feed, sv_of(&line));
	end(&w);
	CHECK_INT(w.reported.len, LIMIT_FEED_LINE - 1 + strlen("...\n"));
	CHECK(sv_ends(sv_of(&w.reported), SV("x...\n")));
}

TEST(its_end_tells_the_rest_and_a_cancel_does_not)
{
	WORLD(w);
	WORLD(other);

	background_feed_add(other.feed, SV("never told\n"));
	op_cancel(other.feed);
	background_feed_add(other.feed, SV("nor this\n"));
	CHECK(sim_run(other.sim, SIZE_MAX));
	CHECK_INT(other.pieces, 0);
	CHECK_INT(other.done, 1);
	background_feed_add(w.feed, SV("without its end"));
	background_feed_end(w.feed);
	CHECK_STR(str_c(&w.reported), "without its end\n");
}
