#include "tool/patch_json.h"

#include "base/limits.h"
#include "text/diff.h"

static void add_line(struct jw *w, const struct diff_line *line)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addc(&text, line->kind);
	str_add(&text, line->text);
	jw_str(w, sv_of(&text));
	if (line->no_newline)
		jw_str(w, SV("\\ No newline at end of file"));
}

static size_t hunk_size(const struct diff *d, const struct diff_hunk *hunk)
{
	size_t size = 0;

	for (size_t i = 0; i < hunk->n; i++)
		size += d->lines.at[hunk->first + i].text.len + sizeof("\" \",");
	return size;
}

static void add_hunk(struct jw *w, const struct diff *d, const struct diff_hunk *hunk)
{
	jw_object(w);
	jw_put_uint(w, "oldStart", hunk->old_start);
	jw_put_uint(w, "oldLines", hunk->old_lines);
	jw_put_uint(w, "newStart", hunk->new_start);
	jw_put_uint(w, "newLines", hunk->new_lines);
	jw_put_array(w, "lines");
	for (size_t i = 0; i < hunk->n; i++)
		add_line(w, &d->lines.at[hunk->first + i]);
	jw_end(w);
	jw_end(w);
}

void patch_json(struct jw *w, struct sv old_text, struct sv new_text)
{
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct err ignored;
	size_t size = 0;

	jw_array(w);
	if (diff_texts(&d, old_text, new_text, 3, &ignored))
		for (size_t i = 0; i < d.hunks.n; i++) {
			size += hunk_size(&d, &d.hunks.at[i]);
			if (size > LIMIT_PATCH)
				break;
			add_hunk(w, &d, &d.hunks.at[i]);
		}
	jw_end(w);
}

void patch_json_original(struct jw *w, struct sv text)
{
	if (text.len > LIMIT_ORIGINAL)
		jw_null(w);
	else
		jw_str(w, text);
}
