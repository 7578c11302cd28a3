#include "front/tui/view/lookups.h"

enum { MOST_ROWS = 3 }; /* that are not folded */

static enum lookup_kind lookups_kind(struct sv tool)
{
	return sv_is(tool, "Grep")   ? LOOKUP_SEARCHES
	       : sv_is(tool, "Glob") ? LOOKUP_LISTS
				     : LOOKUP_FILES;
}

size_t lookups_count(const struct lookups *l)
{
	size_t n = 0;

	for (size_t i = 0; i < LOOKUP_KINDS; i++)
		n += l->n[i];
	return n;
}

void lookups_add(struct lookups *l, const struct view *view, const struct view_call *call)
{
	l->n[lookups_kind(call->tool)]++;
	if (lookups_count(l) <= MOST_ROWS)
		view_call(&l->rows, view, call);
}

/* "Read 4 files, searched 2 times". */
static void lookups_describe(const struct lookups *l, struct str *out)
{
	static const struct {
		const char *verb, *one, *many;
	} words[LOOKUP_KINDS] = {
		[LOOKUP_FILES] = { "read", "file", "files" },
		[LOOKUP_SEARCHES] = { "searched", "time", "times" },
		[LOOKUP_LISTS] = { "listed files", "time", "times" },
	};

	for (size_t i = 0; i < LOOKUP_KINDS; i++)
		if (l->n[i])
			str_addf(out, "%s%s %zu %s", out->len ? ", " : "", words[i].verb, l->n[i],
				 l->n[i] == 1 ? words[i].one : words[i].many);
	*out->ptr = (char)(*out->ptr - 'a' + 'A');
}

void lookups_draw(const struct lookups *l, struct page *page, const struct view *view)
{
	defer(str_clear) struct str line = STR_INIT;

	if (lookups_count(l) <= MOST_ROWS) {
		page_copy(page, &l->rows, 0, l->rows.rows.n);
		return;
	}
	lookups_describe(l, &line);
	page_add(page, SV("● "), view->theme->success);
	view_add_cut(page, sv_of(&line), view->theme->text, view->columns);
	if (view->key.len) {
		str_truncate(&line, 0);
		str_addf(&line, " · %.*s to see all", SV_ARG(view->key));
		view_add_cut(page, sv_of(&line), view->theme->dim, view->columns);
	}
	page_end_row(page);
}

void lookups_reset(struct lookups *l)
{
	for (size_t i = 0; i < LOOKUP_KINDS; i++)
		l->n[i] = 0;
	page_reset(&l->rows);
}

void lookups_clear(struct lookups *l)
{
	lookups_reset(l);
	page_clear(&l->rows);
}
