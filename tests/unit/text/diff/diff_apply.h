/* diff_apply.h - the other direction, written apart from the diff: takes the old
 * text and the hunks, and must come out with the new text. */
#ifndef AWL_TESTS_UNIT_TEXT_DIFF_DIFF_APPLY_H
#define AWL_TESTS_UNIT_TEXT_DIFF_DIFF_APPLY_H

#include "text/diff/diff.h"

/* Takes one line, with its newline, off the front of `*rest`. */
static struct sv diff_apply_cut(struct sv *rest)
{
	size_t newline = sv_find_char(*rest, '\n');
	struct sv line = newline == SIZE_MAX ? *rest : sv_slice(*rest, 0, newline + 1);

	*rest = sv_skip(*rest, line.len);
	return line;
}

/* Applies one hunk at line `*line` of the old text; false when it does not fit
 * the old text or its own header. */
static bool diff_apply_hunk(struct str *out, struct sv *rest, size_t *line, const struct diff *d,
			    const struct diff_hunk *hunk)
{
	size_t old_lines = 0, new_lines = 0;

	for (; *line < hunk->old_start + (hunk->old_lines == 0); ++*line)
		str_add(out, diff_apply_cut(rest));
	for (size_t i = 0; i < hunk->n; i++) {
		const struct diff_line *l = &d->lines.at[hunk->first + i];
		size_t start = out->len;

		str_add(out, l->text);
		if (!l->no_newline)
			str_addc(out, '\n');
		if (l->kind != '+') {
			struct sv mine = sv_skip(sv_of(out), start);

			if (rest->len == 0 || !sv_eq(diff_apply_cut(rest), mine))
				return false;
			old_lines++;
			++*line;
		}
		if (l->kind == '-')
			str_truncate(out, start);
		else
			new_lines++;
	}
	return old_lines == hunk->old_lines && new_lines == hunk->new_lines;
}

static inline bool diff_apply(struct str *out, struct sv old_text, const struct diff *d)
{
	struct sv rest = old_text;
	size_t line = 1, first = 0;
	ptrdiff_t shift = 0; /* of new line numbers against old ones */

	for (size_t i = 0; i < d->hunks.n; i++) {
		const struct diff_hunk *h = &d->hunks.at[i];
		ptrdiff_t old_at = (ptrdiff_t)(h->old_start + (h->old_lines == 0));
		ptrdiff_t new_at = (ptrdiff_t)(h->new_start + (h->new_lines == 0));

		if (h->first != first || new_at - old_at != shift ||
		    !diff_apply_hunk(out, &rest, &line, d, h))
			return false;
		first += h->n;
		shift += (ptrdiff_t)h->new_lines - (ptrdiff_t)h->old_lines;
	}
	str_add(out, rest);
	return first == d->lines.n;
}

#endif
