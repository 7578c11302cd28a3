/* Patches with the numbers of their lines: those of removed lines in the old file, all others in the new one. In a pair
 * of lines that are alike, the words that differ are marked. */
#include "front/tui/view/view_code.h"

/* --- the words that differ ------------------------------------------------------------ */

/* The spans of line `line` of hunk `hunk`. There are few pairs, so they are looked at one by one. */
static struct json view_patch_spans(struct json pairs, size_t hunk, size_t line, char kind)
{
	struct json_iter it = json_each(pairs);
	const char *key = kind == '-' ? "oldLine" : "newLine";
	struct json pair;

	while (kind != ' ' && json_next(&it, NULL, &pair))
		if (json_int_or(json_get(pair, "hunk"), -1) == (int64_t)hunk &&
		    json_int_or(json_get(pair, key), -1) == (int64_t)line)
			return json_get(pair, kind == '-' ? "old" : "new");
	return (struct json){ .val = NULL };
}

/* --- lines ------------------------------------------------------------------------------ */

/* Show at most `max` lines of a hunk; returns how many lines it showed. */
static size_t view_patch_hunk(struct view_code *code, struct json data, size_t number, size_t max)
{
	struct json hunk = json_at(json_get(data, "structuredPatch"), number), item;
	size_t before = (size_t)max_of(json_int_or(json_get(hunk, "oldStart"), 1), (int64_t)0);
	size_t after = (size_t)max_of(json_int_or(json_get(hunk, "newStart"), 1), (int64_t)0);
	struct json_iter it = json_each(json_get(hunk, "lines"));
	size_t n = 0;

	for (; n < max && json_next(&it, NULL, &item); n++) {
		struct sv text = json_str_or(item, SV_EMPTY);
		struct view_code_line line = { .kind = text.len ? text.ptr[0] : ' ',
					       .text = sv_skip(text, 1) };

		if (line.kind == '\\') { /* no line end at the end of the file */
			view_code_aside(code, SV("         (no line end)"), code->view->theme->dim);
			continue;
		}
		line.number = line.kind == '-' ? before : after;
		line.spans = view_patch_spans(json_get(data, "awlWordDiff"), number, n, line.kind);
		view_code_line(code, &line);
		before += line.kind != '+';
		after += line.kind != '-';
	}
	return n;
}

void view_patch(struct page *page, const struct view *view, struct json data, struct sv path,
		size_t max_lines)
{
	struct json hunks = json_get(data, "structuredPatch");
	size_t all = 0, shown = 0, n = json_len(hunks);
	struct view_code code;

	for (size_t i = 0; i < n; i++)
		all += json_len(json_get(json_at(hunks, i), "lines"));
	if (view->is_verbose || all <= max_lines + 1)
		max_lines = SIZE_MAX;
	view_code_init(&code, view, path);
	for (size_t i = 0; shown < max_lines && i < n; i++) {
		if (i)
			view_code_aside(&code, SV("       …"), view->theme->dim);
		shown += view_patch_hunk(&code, data, i, max_lines - shown);
	}
	view_code_end(&code, page);
	if (shown < all)
		view_more(page, view, "       ", all - shown);
}

/* --- counting ------------------------------------------------------------------------ */

static void view_patch_count_hunks(struct json file, int64_t *added, int64_t *removed)
{
	struct json_iter hunks = json_each(json_get(file, "structuredPatch")), lines;
	struct json hunk, line;

	while (json_next(&hunks, NULL, &hunk))
		for (lines = json_each(json_get(hunk, "lines")); json_next(&lines, NULL, &line);) {
			*added += sv_starts(json_str_or(line, SV_EMPTY), SV("+"));
			*removed += sv_starts(json_str_or(line, SV_EMPTY), SV("-"));
		}
}

void view_patch_count(struct str *out, struct json data)
{
	int64_t added = 0, removed = 0;

	view_patch_count_hunks(data, &added, &removed);
	if (added || removed)
		str_addf(out, " · +%lld −%lld", (long long)added, (long long)removed);
}
