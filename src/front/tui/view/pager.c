#include "front/tui/view/pager.h"

#include "base/utf8.h"
#include "front/tui/view/view.h"

void pager_clear(struct pager *p)
{
	page_clear(&p->rows);
	str_clear(&p->title);
	str_clear(&p->needle);
	*p = (struct pager){ .top = 0 };
}

void pager_reset(struct pager *p)
{
	page_reset(&p->rows);
	p->top = 0;
	p->is_typing = p->is_missing = false;
	str_truncate(&p->needle, 0);
}

/* The rows that are visible; the last row of the screen is the status. */
static size_t pager_body(size_t height)
{
	return height > 1 ? height - 1 : 1;
}

static void pager_go(struct pager *p, size_t row, size_t height)
{
	size_t last = p->rows.rows.n - min_of(p->rows.rows.n, pager_body(height));

	p->top = min_of(row, last);
}

void pager_go_to_end(struct pager *p, size_t height)
{
	pager_go(p, SIZE_MAX, height);
}

/* --- searching ------------------------------------------------------------------- */

/* Go to the next row after the first one, or the one before it, that has the text; all around. */
static void pager_search(struct pager *p, bool backwards, size_t height)
{
	size_t n = p->rows.rows.n;

	p->is_missing = false;
	if (!p->needle.len)
		return;
	for (size_t i = 1; i <= n; i++) {
		size_t row = (p->top + (backwards ? n - i : i)) % n;

		if (sv_find_nocase(page_row_text(&p->rows, row), sv_of(&p->needle)) != SIZE_MAX) {
			pager_go(p, row, height);
			return;
		}
	}
	p->is_missing = true;
}

/* Go to the next prompt, or the one before. */
static void pager_find_prompt(struct pager *p, bool backwards, size_t height)
{
	size_t n = p->rows.rows.n;

	for (size_t i = 1; i < n; i++) {
		size_t row = backwards ? p->top - i : p->top + i;

		if (row >= n)
			return;
		if (sv_starts(page_row_text(&p->rows, row), SV("❯ "))) {
			pager_go(p, row, height);
			return;
		}
	}
}

static void pager_type(struct pager *p, const struct key *key, size_t height)
{
	if (key->code == KEY_ENTER) {
		p->is_typing = false;
		pager_search(p, false, height);
	} else if (key->code == KEY_ESCAPE || key_is(key, KEY_CTRL, 'c')) {
		p->is_typing = false;
		str_truncate(&p->needle, 0);
	} else if (key->code == KEY_BACKSPACE) {
		size_t len = p->needle.len;

		while (len && ((unsigned char)p->needle.ptr[len - 1] & 0xc0) == 0x80)
			len--;
		str_truncate(&p->needle, len ? len - 1 : 0);
	} else if (key->code == KEY_TEXT && !key->mods) {
		str_add(&p->needle, key->text);
	}
}

/* --- keys -------------------------------------------------------------------------- */

static bool pager_letter(struct pager *p, char c, size_t height)
{
	size_t half = pager_body(height) / 2;

	switch (c) {
	case 'j': pager_go(p, p->top + 1, height); break;
	case 'k': pager_go(p, p->top - min_of(p->top, (size_t)1), height); break;
	case ' ': pager_go(p, p->top + pager_body(height), height); break;
	case 'b': pager_go(p, p->top - min_of(p->top, pager_body(height)), height); break;
	case 'd': pager_go(p, p->top + half, height); break;
	case 'u': pager_go(p, p->top - min_of(p->top, half), height); break;
	case 'g': p->top = 0; break;
	case 'G': pager_go_to_end(p, height); break;
	case '{': pager_find_prompt(p, true, height); break;
	case '}': pager_find_prompt(p, false, height); break;
	case 'n': pager_search(p, false, height); break;
	case 'N': pager_search(p, true, height); break;
	case '/':
		p->is_typing = true;
		str_truncate(&p->needle, 0);
		break;
	default: return false;
	}
	return true;
}

/* The letter that means the same as a key with a name; 0: none. */
static char pager_letter_of(const struct key *key)
{
	switch (key->code) {
	case KEY_UP: return 'k';
	case KEY_DOWN:
	case KEY_ENTER: return 'j';
	case KEY_PAGE_UP: return 'b';
	case KEY_PAGE_DOWN: return ' ';
	case KEY_HOME: return 'g';
	case KEY_END: return 'G';
	case KEY_TEXT: return !key->mods && key->text.len == 1 ? *key->text.ptr : 0;
	case KEY_TAB:
	case KEY_BACKSPACE:
	case KEY_ESCAPE:
	case KEY_LEFT:
	case KEY_RIGHT:
	case KEY_INSERT:
	case KEY_DELETE:
	case KEY_FUNCTION:
	case KEY_OTHER: break;
	}
	return 0;
}

bool pager_key(struct pager *p, const struct key *key, size_t height)
{
	if (p->is_typing) {
		pager_type(p, key, height);
		return true;
	}
	return pager_letter(p, pager_letter_of(key), height);
}

/* --- the screen -------------------------------------------------------------------- */

static void pager_draw_status(struct pager *p, const struct theme *theme, size_t columns,
			      size_t height, const char *hint, struct page *page)
{
	size_t n = p->rows.rows.n, end = min_of(n, p->top + pager_body(height));
	defer(str_clear) struct str line = STR_INIT;

	if (p->is_typing) {
		str_addf(&line, "/%s", str_c(&p->needle));
		view_add_cut(page, sv_of(&line), theme->text, columns);
		return;
	}
	str_addf(&line, "%s · %zu-%zu of %zu", str_c(&p->title), min_of(n, p->top + 1), end, n);
	if (p->is_missing)
		str_addf(&line, " · %s not found", str_c(&p->needle));
	str_addf(&line, " · %s", hint);
	view_add_items(page, sv_of(&line), theme->dim, columns);
}

void pager_draw(struct pager *p, const struct theme *theme, size_t columns, size_t height,
		const char *hint, struct page *page, struct screen_cursor *cursor)
{
	size_t body = pager_body(height), end;

	pager_go(p, p->top, height); /* the screen may have grown */
	end = min_of(p->rows.rows.n, p->top + body);
	page_copy(page, &p->rows, p->top, end);
	for (size_t i = end - p->top; i < body; i++)
		page_end_row(page);
	pager_draw_status(p, theme, columns, height, hint, page);
	*cursor = (struct screen_cursor){ .is_visible = p->is_typing,
					  .row = body,
					  .cell = min_of(page->cells, columns - 1) };
	page_end_row(page);
}
