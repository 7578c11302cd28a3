#include "term/markdown/markdown_stream.h"

#include "base/rng.h"
#include "test.h"

static void rows_text(struct str *out, const struct page *page)
{
	for (size_t i = 0; i < page->rows.n; i++) {
		struct sv row = page_row_text(page, i);

		while (row.len && row.ptr[row.len - 1] == ' ')
			row.len--;
		str_add(out, row);
		str_addc(out, '\n');
	}
}

static const struct {
	const char *markdown;
	size_t columns;
	const char *rows;
} cases[] = {
	{ "", 20, "" },
	{ "one two three four five", 11, "one two\nthree four\nfive\n" },
	{ "one\ntwo\n\nthree", 20, "one two\n\nthree\n" },
	{ "one  \ntwo", 20, "one\ntwo\n" },
	{ "# Title\n\ntext", 20, "Title\n\ntext\n" },
	{ "a **b** *c* `d` ~~e~~", 40, "a b c d e\n" },
	/* Lists. */
	{ "- one\n- two", 20, "- one\n- two\n" },
	{ "- one two three\n- four", 11, "- one two\n  three\n- four\n" },
	{ "text\n\n- one\n- two\n\ntext", 20, "text\n\n- one\n- two\n\ntext\n" },
	{ "3. c\n4. d", 20, "3. c\n4. d\n" },
	{ "- a\n  - b\n  - c\n- d", 20, "- a\n  - b\n  - c\n- d\n" },
	{ "- [ ] open\n- [x] done", 20, "\xe2\x98\x90 open\n\xe2\x98\x92 done\n" },
	{ "- a\n\n- b", 20, "- a\n- b\n" },
	{ "-\n- b", 20, "-\n- b\n" },
	{ "1. a\n\n   more\n2. b", 20, "1. a\n\n   more\n2. b\n" },
	/* Quotations. */
	{ "> one\n> two", 20, "\xe2\x96\x8e one two\n" },
	{ "> one\n>\n> two", 20, "\xe2\x96\x8e one\n\xe2\x96\x8e\n\xe2\x96\x8e two\n" },
	/* Code keeps its blanks and its long lines. */
	{ "```c\nint  x;\n\n  y\n```", 20, "int  x;\n\n  y\n" },
	{ "```\n0123456789\n```", 5, "0123456789\n" },
	{ "a\n```\nb\n```\nc", 20, "a\n\nb\n\nc\n" },
	{ "- a\n  ```\n  b\n  ```", 20, "- a\n  b\n" },
	{ "    indented", 20, "indented\n" },
	/* Links. */
	{ "[text](https://x.org)", 40, "text (https://x.org)\n" },
	{ "<https://x.org>", 40, "https://x.org\n" },
	{ "---", 4, "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\n" },
	/* Tables. */
	{ "|a|b|\n|---|---:|\n|one|2|\n|x|345|", 30,
	  "a   \xe2\x94\x82   b\n"
	  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\x80\xe2"
	  "\x94\x80\xe2\x94\x80\n"
	  "one \xe2\x94\x82   2\n"
	  "x   \xe2\x94\x82 345\n" },
	{ "|key|words|\n|---|---|\n|a|one two three|", 15,
	  "key \xe2\x94\x82 words\n"
	  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\x80\xe2"
	  "\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94"
	  "\x80\n"
	  "a   \xe2\x94\x82 one two\n"
	  "    \xe2\x94\x82 three\n" },
	{ "|a|b|c|\n|---|---|---|\n|1|2|3|\n|4|5|666666|", 10,
	  "a: 1\nb: 2\nc: 3\n\na: 4\nb: 5\nc: 666666\n" },
	/* Nothing reaches the terminal but text. */
	{ "a\x1b[2Jb\x07", 20, "a\xef\xbf\xbd[2Jb\xef\xbf\xbd\n" },
	{ "a\xe2\x80\xae"
	  "b",
	  20,
	  "a\xef\xbf\xbd"
	  "b\n" },
};

TEST(markdown_is_shown_as_people_expect_it)
{
	for (size_t i = 0; i < countof(cases); i++) {
		struct markdown_look look = { .columns = cases[i].columns };
		defer(page_clear) struct page page = { .link = 0 };
		defer(str_clear) struct str out = STR_INIT;

		markdown_paint(&page, sv_cstr(cases[i].markdown), &look);
		rows_text(&out, &page);
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].rows));
	}
}

/* What a screen shows at the end: everything that was finished. */
static void stream_in_pieces(struct str *out, struct sv text, const struct markdown_look *look,
			     size_t max_open, struct rng *rng)
{
	struct markdown_stream stream = { .needs_gap = false };
	defer(page_clear) struct page done = { .link = 0 };

	while (text.len) {
		defer(page_clear) struct page open = { .link = 0 };
		size_t n = 1 + rng_below(rng, 9);

		markdown_stream_add(&stream, sv_slice(text, 0, n));
		text = sv_skip(text, n);
		markdown_stream_paint(&stream, look, max_open, &done, &open);
		CHECK(open.rows.n <= max_open + 1);
	}
	markdown_stream_end(&stream, look, &done);
	rows_text(out, &done);
}

TEST(streamed_text_ends_as_if_it_had_come_at_once)
{
	struct rng rng;

	rng_seed(&rng, 7);
	for (size_t i = 0; i < 20 * countof(cases); i++) {
		size_t k = i % countof(cases);
		struct markdown_look look = { .columns = cases[k].columns };
		defer(str_clear) struct str out = STR_INIT;

		stream_in_pieces(&out, sv_cstr(cases[k].markdown), &look, 20, &rng);
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[k].rows));
	}
}

TEST(long_paragraph_loses_nothing_when_it_outgrows_the_screen)
{
	struct sv text = SV("one two three four five six seven eight nine ten eleven twelve");
	struct markdown_look look = { .columns = 10 };
	defer(page_clear) struct page whole = { .link = 0 };
	defer(str_clear) struct str expected = STR_INIT;
	struct rng rng;

	markdown_paint(&whole, text, &look);
	rows_text(&expected, &whole);
	rng_seed(&rng, 3);
	for (size_t i = 0; i < 50; i++) {
		defer(str_clear) struct str out = STR_INIT;

		stream_in_pieces(&out, text, &look, 2, &rng);
		CHECK_SV_EQ(sv_of(&out), sv_of(&expected));
	}
}

TEST(block_keeps_its_width_once_its_rows_are_printed)
{
	struct markdown_look wide = { .columns = 20 }, narrow = { .columns = 8 };
	struct markdown_stream stream = { .needs_gap = false };
	defer(page_clear) struct page done = { .link = 0 }, open = { .link = 0 };
	defer(str_clear) struct str out = STR_INIT;

	markdown_stream_add(&stream,
			    SV("aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll "));
	markdown_stream_paint(&stream, &wide, 1, &done, &open);
	CHECK(done.rows.n > 0);
	page_reset(&open);
	markdown_stream_add(&stream, SV("mmmm nnnn oooo"));
	markdown_stream_paint(&stream, &narrow, 1, &done, &open);
	markdown_stream_end(&stream, &narrow, &done);
	rows_text(&out, &done);
	CHECK_SV(sv_of(&out),
		 "aaaa bbbb cccc dddd\neeee ffff gggg hhhh\niiii jjjj kkkk llll\nmmmm nnnn oooo\n");
}
