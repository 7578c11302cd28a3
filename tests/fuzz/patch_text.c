/* A text, another and a patch, parted by NULs. Whatever the patch does to the text, it
 * takes lines out and puts lines in as it says; one made of the difference of the two
 * texts turns the first into the second. */
#include "tool/edit/patch_text.h"
#include "base/limits.h"
#include "text/diff/diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_lines(struct sv text)
{
	struct sv line;
	size_t n = 0;

	while (sv_cut_line(&text, &line))
		n++;
	return n;
}

static void check_part(const struct patch *p, const struct patch_part *part, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;
	size_t lines = count_lines(text);
	const struct patch_hunk *failed;
	struct err err;

	BUG_ON(!part->path.len);
	if (part->kind != PATCH_UPDATE)
		return;
	if (!patch_apply(&out, p, part, text, &failed, &err)) {
		BUG_ON(out.len > 0 || err.kind != ERR_NOT_FOUND || !failed);
		return;
	}
	for (size_t i = 0; i < part->n; i++) {
		const struct patch_hunk *hunk = &p->hunks.at[part->first + i];

		for (size_t k = hunk->first; k < hunk->first + hunk->n; k++) {
			const struct patch_line *line = &p->lines.at[k];

			BUG_ON(!memchr(" -+", line->kind, 3));
			lines += line->kind == '+';
			lines -= line->kind == '-';
			BUG_ON(line->kind == '+' &&
			       sv_find(sv_of(&out), sv_trim(line->text)) == SIZE_MAX);
		}
	}
	/* Where the last line has no end, an empty one after it does not show, and a mark
	 * that stands alone counts as a line. */
	BUG_ON(text.len > 0 && sv_ends(text, SV("\n")) && !sv_starts(text, SV("\xef\xbb\xbf")) &&
	       count_lines(sv_of(&out)) != lines);
}

static void check_patch(struct sv patch, struct sv text)
{
	defer(patch_clear) struct patch p = PATCH_INIT;
	struct err err = ERR_INIT;

	if (!patch_parse(&p, patch, &err)) {
		BUG_ON(err.kind != ERR_PARSE || p.parts.n > 0);
		return;
	}
	BUG_ON(p.parts.n == 0 || p.parts.n > LIMIT_PATCH_PARTS);
	for (size_t i = 0; i < p.parts.n; i++)
		check_part(&p, &p.parts.at[i], text);
}

/* Appends the lines without carriage returns, all ended. */
static void add_plain(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != '\r' && text.ptr[i] != '\xef')
			str_addc(out, text.ptr[i]);
	if (out->len > 0 && out->ptr[out->len - 1] != '\n')
		str_addc(out, '\n');
}

static void check_made(struct sv a, struct sv b)
{
	defer(str_clear) struct str old_text = STR_INIT;
	defer(str_clear) struct str new_text = STR_INIT;
	defer(str_clear) struct str patch = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;
	defer(diff_clear) struct diff d = DIFF_INIT;
	defer(patch_clear) struct patch p = PATCH_INIT;
	const struct patch_hunk *failed;
	struct err err;

	add_plain(&old_text, a);
	add_plain(&new_text, b);
	if (!diff_texts(&d, sv_of(&old_text), sv_of(&new_text), SIZE_MAX / 4, &err) || !d.hunks.n)
		return;
	str_adds(&patch, "*** Begin Patch\n*** Update File: f\n@@\n");
	for (size_t i = 0; i < d.lines.n; i++) {
		str_addc(&patch, d.lines.at[i].kind);
		str_add(&patch, d.lines.at[i].text);
		str_addc(&patch, '\n');
	}
	str_adds(&patch, "*** End Patch\n");
	BUG_ON(!patch_parse(&p, sv_of(&patch), &err));
	BUG_ON(!patch_apply(&out, &p, &p.parts.at[0], sv_of(&old_text), &failed, &err));
	BUG_ON(!sv_eq(sv_of(&out), sv_of(&new_text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv rest = sv_from((const char *)data, size), text = SV_EMPTY, other = SV_EMPTY;

	if (size > 8192)
		return 0;
	sv_cut(&rest, '\0', &text);
	sv_cut(&rest, '\0', &other);
	check_patch(rest, text);
	check_made(text, other);
	return 0;
}
