#include "front/tui/view/pager.h"

#include "test.h"

enum { HEIGHT = 5, COLUMNS = 70 };

static void fill(struct pager *pager, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		page_addf(&pager->rows, (struct style){ .attrs = 0 }, "%srow %zu",
			  i % 10 ? "" : "❯ ", i);
		page_end_row(&pager->rows);
	}
	str_set(&pager->title, SV("Rows"));
}

/* Presses keys: characters, or names after a backslash (U, D, P, N, H, E: up, down, pages, home, end; R: enter). */
static void press(struct pager *pager, const char *keys)
{
	static const enum key_code codes[] = { KEY_UP,   KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN,
					       KEY_HOME, KEY_END,  KEY_ENTER };

	for (; *keys; keys++) {
		struct key key = { .code = KEY_TEXT, .text = sv_from(keys, 1) };

		if (*keys == '\\')
			key.code = codes[sv_find_char(SV("UDPNHER"), *++keys)];
		CHECK(pager_key(pager, &key, HEIGHT));
	}
}

TEST(keys_move_a_pager_and_never_past_its_ends)
{
	static const struct {
		const char *keys;
		size_t top;
	} cases[] = {
		{ "", 0 },
		{ "jj", 2 },
		{ "kk", 0 },
		{ "\\D\\D\\U", 1 },
		{ " ", 4 },
		{ " b", 0 },
		{ "G", 26 },
		{ "\\E\\D", 26 },
		{ "Ggj", 1 },
		{ "du", 0 },
		{ "d", 2 },
		{ "}", 10 },
		{ "}}", 20 },
		{ "}}{", 10 },
		{ "/row 17\\R", 17 },
		{ "/ROW 1\\Rn", 10 },
		{ "/row 1\\RN", 19 },
		{ "/nowhere\\Rj", 1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct pager pager = { .top = 0 };

		fill(&pager, 30);
		press(&pager, cases[i].keys);
		CHECK_INT(pager.top, cases[i].top);
		pager_clear(&pager);
	}
}

TEST(a_pager_fills_the_screen_and_says_where_it_is)
{
	const struct theme *theme = theme_find(SV("ansi"), TTY_BACKGROUND_UNKNOWN);
	struct pager pager = { .top = 0 };
	struct screen_cursor cursor;
	struct page page = { .cells = 0 };

	fill(&pager, 30);
	press(&pager, "G/x");
	pager_draw(&pager, theme, COLUMNS, HEIGHT, "q to close · / to search · { } prompts", &page,
		   &cursor);
	CHECK_INT(page.rows.n, HEIGHT);
	CHECK(cursor.is_visible && cursor.row == HEIGHT - 1 && cursor.cell == 2);
	CHECK_SV(page_row_text(&page, HEIGHT - 1), "/x");
	press(&pager, "\\R");
	page_reset(&page);
	pager_draw(&pager, theme, COLUMNS, HEIGHT, "q to close · / to search · { } prompts", &page,
		   &cursor);
	CHECK_SV(page_row_text(&page, 0), "row 26");
	CHECK_SV(page_row_text(&page, HEIGHT - 1),
		 "Rows · 27-30 of 30 · x not found · q to close · / to search");
	page_reset(&page);
	pager_reset(&pager);
	pager_draw(&pager, theme, COLUMNS, HEIGHT, "q to close · / to search · { } prompts", &page,
		   &cursor); /* no rows */
	CHECK_INT(page.rows.n, HEIGHT);
	page_clear(&page);
	pager_clear(&pager);
}
