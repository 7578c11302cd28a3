/* A list to choose from, in the place of the prompt: sessions, models, themes. What is typed narrows it. */
#include "front/tui/commands/tui_list.h"

#include "base/utf8.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "front/tui/tui_terminal.h"
#include "term/fuzzy.h"

/* A list to choose from (tui_list.c). */
struct list_item {
	struct str value, name, detail;
};

struct tui_list {
	bool is_open;
	const char *title;
	VEC(struct list_item) items;
	struct str filter;
	size_t selected; /* of those that match the filter */
	tui_list_fn *chosen;
};

enum { LIST_ROWS = 10, LIST_FRAME = 5, PAGE_ROWS = 10, NAME_CELLS = 24 };

void tui_list_drop_items(struct tui *t)
{
	for (size_t i = 0; i < t->list->items.n; i++) {
		str_clear(&t->list->items.at[i].value);
		str_clear(&t->list->items.at[i].name);
		str_clear(&t->list->items.at[i].detail);
	}
	vec_clear(&t->list->items);
}

static void tui_list_close(struct tui *t)
{
	tui_list_drop_items(t);
	str_clear(&t->list->filter);
	t->list->selected = 0;
	t->list->is_open = false;
}

void tui_list_open(struct tui *t, const char *title, tui_list_fn *chosen)
{
	tui_list_close(t);
	t->list->title = title;
	t->list->chosen = chosen;
	t->list->is_open = true;
}

void tui_list_add(struct tui *t, struct sv value, struct sv name, struct sv detail)
{
	struct list_item *item = vec_add(&t->list->items);

	str_add(&item->value, value);
	str_add(&item->name, name);
	str_add(&item->detail, detail);
}

void tui_list_settle(struct tui *t)
{
	t->list->selected = min_of(t->list->selected, t->list->items.n - 1);
}

bool tui_list_is_open(const struct tui *t)
{
	return t->list->is_open;
}

bool tui_list_is_of(const struct tui *t, tui_list_fn *chosen)
{
	return t->list->is_open && t->list->chosen == chosen;
}

/* --- what is shown ------------------------------------------------------------------ */

static bool list_shows(const struct tui_list *list, const struct list_item *item)
{
	return !list->filter.len || fuzzy_score(sv_of(&item->name), sv_of(&list->filter)) >= 0;
}

static size_t list_count(const struct tui_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->items.n; i++)
		n += list_shows(list, &list->items.at[i]);
	return n;
}

/* The item in a row of those that are shown; NULL: there are not so many. */
static const struct list_item *list_at(const struct tui_list *list, size_t row)
{
	for (size_t i = 0; i < list->items.n; i++)
		if (list_shows(list, &list->items.at[i]) && row-- == 0)
			return &list->items.at[i];
	return NULL;
}

/* --- keys ---------------------------------------------------------------------------- */

/* The callback may open another list. */
static void tui_list_end(struct tui *t, const struct list_item *item)
{
	defer(str_clear) struct str value = STR_INIT;
	tui_list_fn *chosen = t->list->chosen;
	bool is_chosen = item;

	if (item)
		str_add(&value, sv_of(&item->value));
	tui_list_close(t);
	chosen(t, is_chosen, sv_of(&value));
}

static void tui_list_move(struct tui *t, ssize_t by)
{
	size_t n = list_count(t->list);
	ssize_t to = (ssize_t)t->list->selected + by;

	if (!n)
		return;
	if (by == 1 || by == -1)
		t->list->selected = (size_t)(to + (ssize_t)n) % n;
	else
		t->list->selected = (size_t)max_of((ssize_t)0, min_of(to, (ssize_t)n - 1));
}

static void tui_list_type(struct tui *t, const struct key *key)
{
	struct str *filter = &t->list->filter;

	if (key->code == KEY_PAGE_UP || key->code == KEY_PAGE_DOWN) {
		tui_list_move(t, key->code == KEY_PAGE_UP ? -PAGE_ROWS : PAGE_ROWS);
		return;
	}
	if (key->code == KEY_BACKSPACE && !key->mods && filter->len)
		str_truncate(filter, utf8_prefix(sv_of(filter), filter->len - 1).len);
	else if (key->code == KEY_TEXT && !key->mods)
		str_add(filter, key->text);
	else
		return;
	t->list->selected = 0;
}

void tui_list_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_LIST, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action == ACTION_LIST_CANCEL || action == ACTION_INTERRUPT || action == ACTION_EXIT)
		tui_list_end(t, NULL);
	else if (action == ACTION_LIST_ACCEPT && list_count(t->list))
		tui_list_end(t, list_at(t->list, t->list->selected));
	else if (action == ACTION_LIST_PREVIOUS)
		tui_list_move(t, -1);
	else if (action == ACTION_LIST_NEXT)
		tui_list_move(t, 1);
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
	else if (action != ACTION_LIST_ACCEPT)
		tui_list_type(t, key);
}

/* --- rows ----------------------------------------------------------------------------- */

static bool list_detail_is_short(const struct tui *t, struct sv detail)
{
	return utf8_cells(detail) <= screen_columns(t->screen) / 3;
}

/* Where the details begin. If all are short, they stand at the right edge, and this is 0. */
static size_t tui_list_column(const struct tui *t)
{
	size_t columns = screen_columns(t->screen), longest = 0;
	bool is_short = true;

	for (size_t i = 0; i < t->list->items.n; i++) {
		const struct list_item *item = &t->list->items.at[i];

		longest = max_of(longest, utf8_cells(sv_of(&item->name)));
		is_short &= list_detail_is_short(t, sv_of(&item->detail));
	}
	return is_short ? 0 : max_of(min_of(longest + 5, columns / 2), (size_t)NAME_CELLS);
}

static void tui_draw_detail(struct tui *t, struct page *page, struct sv detail, size_t column)
{
	size_t columns = screen_columns(t->screen);

	if (!detail.len || columns < 2 * NAME_CELLS)
		return;
	page_pad(page, max_of(column ? column : columns - utf8_cells(detail) - 1, page->cells + 2),
		 t->theme->dim);
	view_add_cut(page, detail, t->theme->dim, columns);
}

void tui_draw_item(struct tui *t, struct page *page, struct sv name, struct sv detail,
		   size_t column, bool is_selected)
{
	struct style style = is_selected ? t->theme->selected : t->theme->text;
	size_t columns = screen_columns(t->screen), cells = utf8_cells(detail);

	if (!list_detail_is_short(t, detail))
		column = max_of(column, (size_t)NAME_CELLS);
	page_add(page, is_selected ? SV(" ❯ ") : SV("   "), style);
	view_add_cut(page, name, style, cells && !column ? columns - cells - 3 : columns);
	tui_draw_detail(t, page, detail, column);
	page_end_row(page);
}

static void tui_draw_filter(struct tui *t, struct page *page)
{
	size_t columns = screen_columns(t->screen);
	struct style title = t->theme->text;

	title.attrs |= STYLE_BOLD;
	page_add(page, SV(" "), title);
	view_add_cut(page, sv_cstr(t->list->title), title, columns);
	if (t->list->filter.len) {
		view_add_cut(page, SV("  "), t->theme->dim, columns);
		view_add_cut(page, sv_of(&t->list->filter), t->theme->accent, columns);
	}
	page_end_row(page);
}

void tui_draw_list(struct tui *t, struct page *page, size_t max_rows)
{
	size_t space =
		max_rows > LIST_FRAME + 1 ? min_of(max_rows - LIST_FRAME, (size_t)LIST_ROWS) : 1;
	size_t n = list_count(t->list), first = 0, column = tui_list_column(t);
	defer(str_clear) struct str footer = STR_INIT;

	if (t->list->selected >= space)
		first = t->list->selected - space + 1;
	tui_draw_rule(t, page, t->theme->accent);
	tui_draw_filter(t, page);
	for (size_t i = first; i < n && i < first + space; i++)
		tui_draw_item(t, page, sv_of(&list_at(t->list, i)->name),
			      sv_of(&list_at(t->list, i)->detail), column, i == t->list->selected);
	if (!n)
		page_add(page, SV("   nothing matches"), t->theme->dim);
	page_finish_row(page);
	str_addf(&footer, " %zu of %zu · enter to choose · esc to leave · type to search",
		 n ? t->list->selected + 1 : 0, n);
	view_add_items(page, sv_of(&footer), t->theme->dim, screen_columns(t->screen));
	page_end_row(page);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_list_init(struct tui *t)
{
	t->list = xnew(struct tui_list);
}

void tui_list_free(struct tui *t)
{
	tui_list_close(t);
	free(t->list);
}
