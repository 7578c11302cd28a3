#include "term/ansi.h"

#include "test.h"

/* Each span as "text" or "[look]text", rows separated by "|". */
static void describe(struct str *out, const struct page *page)
{
	for (size_t row = 0; row < page->rows.n; row++) {
		if (row)
			str_addc(out, '|');
		for (size_t i = page_row_span(page, row); i < page->rows.at[row].span_end; i++) {
			const struct page_span *span = &page->spans.at[i];
			const struct color *fg = &span->style.fg, *bg = &span->style.bg;

			if (fg->kind == COLOR_INDEX)
				str_addf(out, "[%d]", fg->index);
			else if (fg->kind == COLOR_RGB)
				str_addf(out, "[%d,%d,%d]", fg->r, fg->g, fg->b);
			if (bg->kind == COLOR_INDEX)
				str_addf(out, "[on %d]", bg->index);
			if (span->style.attrs)
				str_addf(out, "[+%u]", span->style.attrs);
			if (span->link)
				str_addf(out, "[%.*s]", SV_ARG(page_link(page, span->link)));
			str_add(out, page_span_text(page, i));
		}
	}
}

static const struct {
	const char *text, *rows;
} cases[] = {
	{ "plain", "plain" },
	{ "two\nrows\r\nand three", "two|rows|and three" },
	{ "\x1b[31mred\x1b[0m plain", "[1]red plain" },
	{ "\x1b[1;38;5;208mx\x1b[22my\x1b[39mz", "[208][+1]x[208]yz" },
	{ "\x1b[38;2;1;2;3mx\x1b[48:5:7my", "[1,2,3]x[1,2,3][on 7]y" },
	{ "\x1b[93;102mx\x1b[49my\x1b[mz", "[11][on 10]x[11]yz" },
	{ "\x1b]8;;https://e.com/a\x1b\\link\x1b]8;;\x1b\\ end", "[https://e.com/a]link end" },
	{ "\x1b]8;id=1;https://e.com/a\alink\x1b]8;;\a end", "[https://e.com/a]link end" },
	{ "\x1b]8;;javascript:x\alink", "link" },
	/* everything else leaves nothing */
	{ "a\x1b[2Jb\x1b[10;10Hc\x1b[?1049hd", "abcd" },
	{ "a\x1b]0;title\ab\x1b]52;c;aGk=\ac", "abc" },
	{ "a\x1bPq#0\x1b\\b\x1b(Bc\x1b=d\x1b"
	  "7e",
	  "abcde" },
	{ "a\x1b[", "a" },
	{ "a\x1b", "a" },
	{ "a\x1b]8;;https://e.com", "a" },
	{ "a\x1b[>4;2mb\x1b[38;5mc\x1b[38;2;1;999;3md\x1b[999999999999999999999me", "abcde" },
	{ "over\rwritten", "overwritten" },
};

TEST(only_looks_and_links_come_of_escape_sequences)
{
	for (size_t i = 0; i < countof(cases); i++) {
		struct page page = { .cells = 0 };
		defer(str_clear) struct str rows = STR_INIT;

		ansi_add(&page, sv_cstr(cases[i].text), (struct style){ .attrs = 0 });
		page_end_row(&page);
		describe(&rows, &page);
		CHECK_STR(str_c(&rows), cases[i].rows);
		page_clear(&page);
	}
}
