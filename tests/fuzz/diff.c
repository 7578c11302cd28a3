/* Two texts, parted by a NUL; the first byte chooses the context. The hunks lead
 * from the old text to the new; word spans cover all that differs and never cut
 * a character. */
#include "../unit/text/diff/diff_apply.h"
#include "base/utf8.h"
#include "text/diff/word_diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_apart(const struct diff *d)
{
	for (size_t i = 1; i < d->hunks.n; i++) {
		const struct diff_hunk *h = &d->hunks.at[i];

		BUG_ON(h[-1].old_start + h[-1].old_lines > h->old_start + (h->old_lines == 0));
	}
}

static void check_lines(struct sv old_text, struct sv new_text, size_t context)
{
	defer(diff_clear) struct diff d = DIFF_INIT;
	defer(str_clear) struct str applied = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err;

	BUG_ON(!diff_texts(&d, old_text, new_text, context, &err));
	BUG_ON(!diff_apply(&applied, old_text, &d));
	BUG_ON(!sv_eq(sv_of(&applied), new_text));
	BUG_ON((d.hunks.n == 0) != sv_eq(old_text, new_text));
	check_apart(&d);
	diff_format(&text, &d, old_text, new_text);
}

/* Appends what is outside the spans. */
static void add_rest(struct str *out, struct sv line, const struct word_spans *spans)
{
	size_t at = 0;

	for (size_t i = 0; i < spans->of.n; i++) {
		struct word_span span = spans->of.at[i];

		BUG_ON(span.from >= span.to || span.to > line.len || (i > 0 && span.from <= at));
		if (utf8_valid(line, NULL))
			BUG_ON(!utf8_valid(sv_slice(line, span.from, span.to), NULL));
		str_add(out, sv_slice(line, at, span.from));
		at = span.to;
	}
	str_add(out, sv_skip(line, at));
}

static void check_words(struct sv old_line, struct sv new_line)
{
	defer(word_spans_clear) struct word_spans in_old = WORD_SPANS_INIT;
	defer(word_spans_clear) struct word_spans in_new = WORD_SPANS_INIT;
	defer(str_clear) struct str kept_old = STR_INIT;
	defer(str_clear) struct str kept_new = STR_INIT;

	if (!word_diff(old_line, new_line, &in_old, &in_new))
		return;
	add_rest(&kept_old, old_line, &in_old);
	add_rest(&kept_new, new_line, &in_new);
	BUG_ON(!sv_eq(sv_of(&kept_old), sv_of(&kept_new)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv rest = sv_from((const char *)data, size), old_text = SV_EMPTY;
	size_t context = 0;

	if (size > 0) {
		context = data[0] % 8;
		rest = sv_skip(rest, 1);
	}
	sv_cut(&rest, '\0', &old_text);
	check_lines(old_text, rest, context);
	check_lines(rest, old_text, context);
	check_words(old_text, rest);
	return 0;
}
