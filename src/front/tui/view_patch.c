/* Patches with the numbers of their lines: those of removed lines in the old file, all others in the new one. */
#include "front/tui/view.h"

struct patch_line {
	char kind;
	size_t number;
	struct sv text;
};

static void view_patch_row(struct page *page, const struct view *view,
			   const struct patch_line *line)
{
	const struct theme *theme = view->theme;
	struct style style = line->kind == '+'   ? theme->added
			     : line->kind == '-' ? theme->removed
						 : theme->dim;

	page_addf(page, theme->dim, "%6zu ", line->number);
	page_addf(page, style, "%c ", line->kind);
	view_add_cut(page, line->text, style, view->columns);
	page_end_row(page);
}

static size_t view_patch_count(struct json hunks)
{
	struct json_iter it = json_each(hunks);
	struct json hunk;
	size_t n = 0;

	while (json_next(&it, NULL, &hunk))
		n += json_len(json_get(hunk, "lines"));
	return n;
}

/* Show at most `max` lines of a hunk; returns how many lines it showed. */
static size_t view_patch_hunk(struct page *page, const struct view *view, struct json hunk,
			      size_t max)
{
	size_t before = (size_t)max_of(json_int_or(json_get(hunk, "oldStart"), 1), (int64_t)0);
	size_t after = (size_t)max_of(json_int_or(json_get(hunk, "newStart"), 1), (int64_t)0);
	struct json_iter it = json_each(json_get(hunk, "lines"));
	struct json item;
	size_t n = 0;

	for (; n < max && json_next(&it, NULL, &item); n++) {
		struct sv text = json_str_or(item, SV_EMPTY);
		struct patch_line line = { .kind = text.len ? text.ptr[0] : ' ',
					   .text = sv_skip(text, 1) };

		if (line.kind == '\\') { /* no line end at the end of the file */
			view_aside(page, view, "         (no line end)");
			continue;
		}
		line.number = line.kind == '-' ? before : after;
		view_patch_row(page, view, &line);
		before += line.kind != '+';
		after += line.kind != '-';
	}
	return n;
}

void view_patch(struct page *page, const struct view *view, struct json hunks, size_t max_lines)
{
	size_t all = view_patch_count(hunks), shown = 0;
	struct json_iter it = json_each(hunks);
	struct json hunk;

	if (view->is_verbose || all <= max_lines + 1)
		max_lines = SIZE_MAX;
	for (size_t i = 0; shown < max_lines && json_next(&it, NULL, &hunk); i++) {
		if (i)
			view_aside(page, view, "       …");
		shown += view_patch_hunk(page, view, hunk, max_lines - shown);
	}
	if (shown < all)
		view_more(page, view, "       ", all - shown);
}
