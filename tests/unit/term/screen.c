#include "term/screen.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "term/vt.h"
#include "test.h"

static const struct style plain;
static const struct style red = { .fg = { .kind = COLOR_INDEX, .index = 1 } };

/* A screen on a terminal. */
struct desk {
	struct screen *screen;
	struct vt *vt;
	struct str bytes; /* of the last frame */
	struct str text;
};

static const struct screen_caps desk_caps = { .depth = DEPTH_256, .reflow = REFLOW_TRACKS };

static void desk_open(struct desk *desk, size_t columns, size_t rows,
		      const struct screen_caps *caps)
{
	*desk = (struct desk){
		.screen = screen_new(columns, rows, caps),
		.vt = vt_new(columns, rows, caps->reflow),
	};
}

static void desk_clear(struct desk *desk)
{
	screen_free(desk->screen);
	vt_free(desk->vt);
	str_clear(&desk->bytes);
	str_clear(&desk->text);
}

static void desk_frame(struct desk *desk)
{
	str_truncate(&desk->bytes, 0);
	screen_frame(desk->screen, &desk->bytes);
	vt_feed(desk->vt, sv_of(&desk->bytes));
	CHECK(vt_is_plain(desk->vt));
	CHECK(!screen_is_dirty(desk->screen));
}

static void desk_print(struct desk *desk, const char *text)
{
	struct page page = { .link = 0 };

	page_add(&page, sv_cstr(text), plain);
	page_finish_row(&page);
	screen_print(desk->screen, &page);
	page_clear(&page);
}

/* The cursor is at the end of the last row. */
static void desk_draw(struct desk *desk, const char *text)
{
	struct page page = { .link = 0 };
	struct screen_cursor cursor = { .is_visible = true };

	page_add(&page, sv_cstr(text), plain);
	cursor.cell = page.cells;
	cursor.row = page.rows.n;
	page_end_row(&page);
	screen_draw(desk->screen, &page, cursor);
	page_clear(&page);
}

static struct sv desk_text(struct desk *desk)
{
	str_truncate(&desk->text, 0);
	vt_text(desk->vt, &desk->text);
	return sv_of(&desk->text);
}

TEST(live_region_stays_below_printed_rows)
{
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 20, 5, &desk_caps);
	desk_draw(&desk, "> ");
	desk_frame(&desk);
	desk_print(&desk, "one\ntwo\n");
	desk_frame(&desk);
	CHECK_SV(desk_text(&desk), "one\ntwo\n>");
	desk_print(&desk, "three\nfour\nfive\nsix\nseven\n");
	desk_draw(&desk, "status\n> x");
	desk_frame(&desk);
	CHECK_SV(desk_text(&desk), "one\ntwo\nthree\nfour\nfive\nsix\nseven\nstatus\n> x");
}

TEST(typing_a_character_writes_that_character)
{
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 20, 5, &desk_caps);
	desk_draw(&desk, "rule\n> hell");
	desk_frame(&desk);
	desk_draw(&desk, "rule\n> hello");
	desk_frame(&desk);
	CHECK_SV(sv_of(&desk.bytes), "o");
}

TEST(frame_without_a_change_is_empty)
{
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 20, 5, &desk_caps);
	desk_draw(&desk, "> a");
	desk_frame(&desk);
	desk_draw(&desk, "> a");
	CHECK(!screen_is_dirty(desk.screen));
	desk_frame(&desk);
	CHECK_SV(sv_of(&desk.bytes), "");
}

TEST(rows_that_are_gone_are_erased)
{
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 20, 6, &desk_caps);
	desk_print(&desk, "kept\n");
	desk_draw(&desk, "one\ntwo\nthree");
	desk_frame(&desk);
	desk_draw(&desk, "x");
	desk_frame(&desk);
	CHECK_SV(desk_text(&desk), "kept\nx");
}

TEST(frame_is_synchronized_where_the_terminal_can)
{
	struct screen_caps caps = desk_caps;
	defer(desk_clear) struct desk desk;

	caps.is_synchronized = true;
	desk_open(&desk, 20, 6, &caps);
	desk_draw(&desk, "a");
	desk_frame(&desk);
	CHECK_SV(sv_of(&desk.bytes), "\x1b[?2026ha\x1b[?2026l");
}

TEST(full_rows_do_not_add_empty_ones)
{
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 5, 4, &desk_caps);
	desk_draw(&desk, "12345\nabcde");
	desk_frame(&desk);
	desk_print(&desk, "vwxyz\n");
	desk_frame(&desk);
	CHECK_SV(desk_text(&desk), "vwxyz\n12345\nabcde");
}

TEST(live_region_keeps_its_end_when_it_is_too_high)
{
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 10, 3, &desk_caps);
	desk_draw(&desk, "a\nb\nc\nd");
	desk_frame(&desk);
	CHECK_SV(desk_text(&desk), "c\nd");
}

TEST(row_that_was_cut_off_does_not_cost_a_printed_one_when_all_is_painted_anew)
{
	for (enum screen_reflow reflow = REFLOW_NONE; reflow <= REFLOW_DRIFTS; reflow++) {
		struct screen_caps caps = { .depth = DEPTH_256, .reflow = reflow };
		defer(desk_clear) struct desk desk;

		desk_open(&desk, 10, 6, &caps);
		vt_feed(desk.vt, SV("\x1b[?7l"));
		desk_print(&desk, "one\ntwo\n");
		desk_draw(&desk, "longer than ten\n> ");
		desk_frame(&desk);
		screen_forget(desk.screen);
		desk_frame(&desk);
		CHECK_SV(desk_text(&desk), "one\ntwo\nlonger tha\n>");
	}
}

TEST(view_hides_the_conversation_and_gives_it_back)
{
	struct page page = { .link = 0 };
	struct str shown = STR_INIT;
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 10, 4, &desk_caps);
	desk_print(&desk, "one\n");
	desk_draw(&desk, "> ");
	desk_frame(&desk);
	page_add(&page, SV("view\nof\n"), plain);
	screen_view(desk.screen, &page, (struct screen_cursor){ .is_visible = false });
	desk_print(&desk, "two\n");
	desk_frame(&desk);
	CHECK(vt_is_alternate(desk.vt));
	vt_screen(desk.vt, &shown);
	CHECK_SV(sv_of(&shown), "view\nof\n");
	CHECK(!vt_cursor_is_visible(desk.vt));
	CHECK_SV(desk_text(&desk), "one\n>");
	screen_view(desk.screen, NULL, (struct screen_cursor){ .row = 0 });
	desk_frame(&desk);
	CHECK(vt_cursor_is_visible(desk.vt));
	CHECK_SV(desk_text(&desk), "one\ntwo\n>");
	page_clear(&page);
	str_clear(&shown);
}

TEST(leaving_removes_the_live_region)
{
	defer(desk_clear) struct desk desk;
	size_t row, column;

	desk_open(&desk, 10, 5, &desk_caps);
	desk_print(&desk, "one\n");
	desk_draw(&desk, "box\n> x\nbox");
	desk_frame(&desk);
	desk_print(&desk, "two\n");
	str_truncate(&desk.bytes, 0);
	screen_leave(desk.screen, &desk.bytes);
	vt_feed(desk.vt, sv_of(&desk.bytes));
	CHECK_SV(desk_text(&desk), "one\ntwo");
	vt_cursor(desk.vt, &row, &column);
	CHECK_INT(row, 2);
	CHECK_INT(column, 0);
}

TEST(styles_end_with_their_text)
{
	struct page page = { .link = 0 };
	defer(desk_clear) struct desk desk;

	desk_open(&desk, 20, 5, &desk_caps);
	page_add(&page, SV("a "), plain);
	page_add(&page, SV("b"), red);
	page_end_row(&page);
	screen_print(desk.screen, &page);
	desk_draw(&desk, "> ");
	desk_frame(&desk);
	CHECK(sv_starts(sv_of(&desk.bytes), SV("\x1b[?7ha \x1b[31mb\x1b[m\r\n")));
	page_clear(&page);
}

/* --- any sequence of frames and sizes ------------------------------------------------ */

/* What should be on the terminal. */
struct model {
	struct rng rng;
	struct str printed, live;
	size_t columns;
};

/* Append a row of random text that is not wider than the screen. */
static void model_add_row(struct model *model, struct str *out)
{
	static const char *const pieces[] = {
		"a", "bc", " ", "word", "\xe4\xbd\xa0", "e\xcc\x81", "====", "x y z",
	};
	size_t cells = 0;

	for (size_t n = rng_below(&model->rng, 12); n > 0; n--) {
		const char *piece = pieces[rng_below(&model->rng, countof(pieces))];

		cells += utf8_cells(sv_cstr(piece));
		if (cells > model->columns)
			break;
		str_adds(out, piece);
	}
	while (out->len && out->ptr[out->len - 1] == ' ')
		str_truncate(out, out->len - 1);
	str_addc(out, '\n');
}

static void model_step(struct model *model, struct desk *desk)
{
	defer(str_clear) struct str text = STR_INIT;

	if (rng_below(&model->rng, 6) == 0) {
		/* The whole live region stays on the screen however it is folded. */
		size_t rows = 14 + rng_below(&model->rng, 8);

		model->columns = 12 + rng_below(&model->rng, 24);
		vt_resize(desk->vt, model->columns, rows);
		screen_resize(desk->screen, model->columns, rows);
	}
	if (rng_below(&model->rng, 2) == 0) {
		for (size_t n = rng_below(&model->rng, 9); n > 0; n--)
			model_add_row(model, &text);
		desk_print(desk, str_c(&text));
		str_add(&model->printed, sv_of(&text));
	}
	str_truncate(&model->live, 0);
	for (size_t n = 1 + rng_below(&model->rng, 3); n > 0; n--)
		model_add_row(model, &model->live);
	str_truncate(&model->live, model->live.len - 1);
	desk_draw(desk, str_c(&model->live));
	if (rng_below(&model->rng, 3))
		desk_frame(desk);
}

static void model_check(struct model *model, struct desk *desk)
{
	defer(str_clear) struct str expected = STR_INIT;

	desk_frame(desk);
	str_add(&expected, sv_of(&model->printed));
	str_add(&expected, sv_of(&model->live));
	while (expected.len && expected.ptr[expected.len - 1] == '\n')
		str_truncate(&expected, expected.len - 1);
	CHECK_SV_EQ(desk_text(desk), sv_of(&expected));
}

static void model_run(uint64_t seed)
{
	struct model model = { .columns = 20 };
	defer(desk_clear) struct desk desk;

	rng_seed(&model.rng, seed);
	desk_open(&desk, model.columns, 14, &desk_caps);
	for (size_t i = 0; i < 60; i++) {
		model_step(&model, &desk);
		model_check(&model, &desk);
	}
	str_clear(&model.printed);
	str_clear(&model.live);
}

TEST(scroll_is_the_conversation_whatever_the_order_of_frames_and_sizes)
{
	for (uint64_t seed = 1; seed <= 300; seed++)
		model_run(seed);
}

/* --- a terminal that has another width than we know ------------------------------------ */

/* One frame that asks, and the replies. */
static void desk_ask(struct desk *desk)
{
	struct vt_place replies[8];
	size_t n;

	screen_ask(desk->screen);
	str_truncate(&desk->bytes, 0);
	screen_frame(desk->screen, &desk->bytes);
	vt_feed(desk->vt, sv_of(&desk->bytes));
	n = vt_replies(desk->vt, replies, countof(replies));
	CHECK_INT(n, screen_is_asking(desk->screen) ? 2 : 0);
	for (size_t i = 0; i < n; i++)
		screen_on_size(desk->screen, replies[i].column, replies[i].row);
	CHECK(!screen_is_asking(desk->screen));
}

TEST(frame_that_a_narrower_terminal_reads_is_taken_back)
{
	for (enum screen_reflow reflow = REFLOW_TRACKS; reflow <= REFLOW_DRIFTS; reflow++) {
		struct screen_caps caps = { .depth = DEPTH_256, .reflow = reflow };
		defer(desk_clear) struct desk desk;

		desk_open(&desk, 20, 16, &caps);
		vt_feed(desk.vt, SV("\x1b[?7l"));
		desk_print(&desk, "one\ntwo\n");
		desk_draw(&desk, "this is open and long\n--------------------\n> ");
		desk_ask(&desk);
		vt_resize(desk.vt, 12, 16);
		desk_print(&desk, "this is finished now\n");
		desk_draw(&desk, "next\n--------------------\n> ");
		desk_ask(&desk);
		CHECK_INT(screen_columns(desk.screen), 12);
		desk_draw(&desk, "next\n------------\n> ");
		desk_ask(&desk);
		CHECK_SV(desk_text(&desk), "one\ntwo\nthis is finished now\nnext\n------------\n>");
	}
}

TEST(frame_that_is_too_long_to_be_taken_back_loses_nothing_either)
{
	for (enum screen_reflow reflow = REFLOW_TRACKS; reflow <= REFLOW_DRIFTS; reflow++) {
		struct screen_caps caps = { .depth = DEPTH_256, .reflow = reflow };
		defer(desk_clear) struct desk desk;

		desk_open(&desk, 20, 10, &caps);
		vt_feed(desk.vt, SV("\x1b[?7l"));
		desk_draw(&desk, "a\n> ");
		desk_ask(&desk);
		vt_resize(desk.vt, 12, 10);
		desk_print(&desk, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
		desk_draw(&desk, "this is open and long\n--------------------\n> ");
		CHECK(screen_is_long(desk.screen));
		desk_ask(&desk);
		desk_draw(&desk, "------------\n> ");
		while (screen_is_dirty(desk.screen))
			desk_ask(&desk);
		CHECK_SV(desk_text(&desk),
			 "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n------------\n>");
	}
}

TEST(rows_that_wait_are_printed_in_short_frames_where_a_resize_may_cut_one)
{
	struct screen_caps caps = { .depth = DEPTH_256, .reflow = REFLOW_DRIFTS };
	defer(desk_clear) struct desk desk;
	size_t frames = 0;

	desk_open(&desk, 20, 10, &caps);
	vt_feed(desk.vt, SV("\x1b[?7l"));
	desk_print(&desk, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
	desk_draw(&desk, "> ");
	for (; screen_is_dirty(desk.screen) && frames < 20; frames++) {
		if (frames == 1)
			vt_resize(desk.vt, 12, 10);
		desk_ask(&desk);
	}
	CHECK(frames > 2);
	CHECK_SV(desk_text(&desk), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n>");
}

/* Like model_step(), but nobody says that the size has changed. */
static void model_ask(struct model *model, struct desk *desk, size_t columns)
{
	defer(str_clear) struct str text = STR_INIT;

	model->columns = screen_columns(desk->screen);
	vt_resize(desk->vt, columns, 40);
	for (size_t n = rng_below(&model->rng, 9); n > 0; n--)
		model_add_row(model, &text);
	desk_print(desk, str_c(&text));
	str_add(&model->printed, sv_of(&text));
	do {
		/* What is on the screen twice must fit. */
		model->columns = screen_columns(desk->screen);
		str_truncate(&model->live, 0);
		for (size_t n = 1 + rng_below(&model->rng, 3); n > 0; n--)
			model_add_row(model, &model->live);
		str_truncate(&model->live, model->live.len - 1);
		desk_draw(desk, str_c(&model->live));
		desk_ask(desk);
	} while (screen_is_dirty(desk->screen));
}

TEST(scroll_is_the_conversation_whatever_the_width_was_when_a_frame_was_read)
{
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct screen_caps caps = desk_caps;
		struct model model = { .columns = 30 };
		defer(desk_clear) struct desk desk;
		size_t columns = 30;

		rng_seed(&model.rng, seed);
		caps.reflow = seed % 2 ? REFLOW_TRACKS : REFLOW_DRIFTS;
		desk_open(&desk, columns, 40, &caps);
		vt_feed(desk.vt, SV("\x1b[?7l"));
		for (size_t i = 0; i < 60; i++) {
			if (rng_below(&model.rng, 3) == 0)
				columns = 15 + rng_below(&model.rng, 15);
			model_ask(&model, &desk, columns);
			model_check(&model, &desk);
		}
		str_clear(&model.printed);
		str_clear(&model.live);
	}
}

/* Sizes between two frames, of which the program hears one after the other. */
static void model_drag(struct model *model, struct desk *desk)
{
	for (size_t n = 1 + rng_below(&model->rng, 5); n > 0; n--) {
		model->columns = 15 + rng_below(&model->rng, 25);
		vt_resize(desk->vt, model->columns, 40);
		screen_pass(desk->screen, model->columns, 40, true);
	}
	screen_resize(desk->screen, model->columns, 40);
}

TEST(scroll_is_the_conversation_whatever_the_widths_between_two_frames)
{
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct screen_caps caps = desk_caps;
		struct model model = { .columns = 30 };
		defer(desk_clear) struct desk desk;

		rng_seed(&model.rng, seed);
		caps.reflow = seed % 2 ? REFLOW_TRACKS : REFLOW_DRIFTS;
		desk_open(&desk, 30, 40, &caps);
		vt_feed(desk.vt, SV("\x1b[?7l"));
		for (size_t i = 0; i < 20; i++) {
			model_ask(&model, &desk, model.columns);
			model_drag(&model, &desk);
			model_ask(&model, &desk, model.columns);
			model_check(&model, &desk);
		}
		str_clear(&model.printed);
		str_clear(&model.live);
	}
}
