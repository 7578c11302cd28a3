#include "tool/edit/patch_json.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/diff/diff.h"
#include "text/diff/word_diff.h"

static void patch_json_add_line(struct jw *w, const struct diff_line *line)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addc(&text, line->kind);
	str_add(&text, line->text);
	jw_str(w, sv_of(&text));
	if (line->no_newline)
		jw_str(w, SV("\\ No newline at end of file"));
}

static size_t patch_json_hunk_size(const struct diff *d, const struct diff_hunk *hunk)
{
	size_t size = 0;

	for (size_t i = 0; i < hunk->n; i++)
		size += d->lines.at[hunk->first + i].text.len + sizeof("\" \",");
	return size;
}

static void patch_json_add_hunk(struct jw *w, const struct diff *d, const struct diff_hunk *hunk)
{
	jw_object(w);
	jw_put_uint(w, "oldStart", hunk->old_start);
	jw_put_uint(w, "oldLines", hunk->old_lines);
	jw_put_uint(w, "newStart", hunk->new_start);
	jw_put_uint(w, "newLines", hunk->new_lines);
	jw_put_array(w, "lines");
	for (size_t i = 0; i < hunk->n; i++)
		patch_json_add_line(w, &d->lines.at[hunk->first + i]);
	jw_end(w);
	jw_end(w);
}

/* --- words -------------------------------------------------------------------- */

struct words {
	struct jw *w;
	const struct diff *d;
	size_t n; /* entries so far */
};

static void patch_json_put_spans(struct jw *w, const char *key, const struct word_spans *spans)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < spans->of.n; i++) {
		jw_array(w);
		jw_uint(w, spans->of.at[i].from);
		jw_uint(w, spans->of.at[i].to);
		jw_end(w);
	}
	jw_end(w);
}

static bool is_all(const struct word_spans *spans, struct sv line)
{
	return spans->of.n == 1 && spans->of.at[0].to - spans->of.at[0].from == line.len;
}

/* Whether similar lines have parts that differ. The spans refer to the lines as JSON contains them. */
static bool patch_json_compare(const struct diff_line *old_line, const struct diff_line *new_line,
			       struct word_spans *old_spans, struct word_spans *new_spans)
{
	defer(str_clear) struct str a = STR_INIT;
	defer(str_clear) struct str b = STR_INIT;

	if (old_line->text.len > LIMIT_READ_LINE || new_line->text.len > LIMIT_READ_LINE)
		return false;
	utf8_repair(&a, old_line->text);
	utf8_repair(&b, new_line->text);
	return word_diff(sv_of(&a), sv_of(&b), old_spans, new_spans) &&
	       old_spans->of.n + new_spans->of.n > 0 && !is_all(old_spans, sv_of(&a)) &&
	       !is_all(new_spans, sv_of(&b));
}

/* A pair of lines of a hunk; `shift` is the distance between them in the JSON array. */
static void patch_json_add_pair(struct words *words, size_t hunk, size_t old_line, size_t new_line,
				size_t shift)
{
	const struct diff_line *lines = &words->d->lines.at[words->d->hunks.at[hunk].first];
	defer(word_spans_clear) struct word_spans old_spans = WORD_SPANS_INIT;
	defer(word_spans_clear) struct word_spans new_spans = WORD_SPANS_INIT;

	if (words->n == LIMIT_PATCH_WORDS ||
	    !patch_json_compare(&lines[old_line], &lines[new_line], &old_spans, &new_spans))
		return;
	if (words->n++ == 0)
		jw_put_array(words->w, "awlWordDiff");
	jw_object(words->w);
	jw_put_uint(words->w, "hunk", hunk);
	jw_put_uint(words->w, "oldLine", old_line);
	jw_put_uint(words->w, "newLine", new_line + shift);
	patch_json_put_spans(words->w, "old", &old_spans);
	patch_json_put_spans(words->w, "new", &new_spans);
	jw_end(words->w);
}

/* The first removed line pairs with the first added line, and so on. Only the last lines of a file
 * can be followed by the note about the missing newline. */
static void patch_json_add_words(struct words *words, size_t hunk)
{
	const struct diff_hunk *h = &words->d->hunks.at[hunk];
	const struct diff_line *lines = &words->d->lines.at[h->first];
	size_t gone = 0, come;

	for (size_t i = 0; i < h->n; i = come) {
		for (gone = i; gone < h->n && lines[gone].kind == '-';)
			gone++;
		for (come = gone; come < h->n && lines[come].kind == '+';)
			come++;
		for (size_t k = 0; k < min_of(gone - i, come - gone); k++)
			patch_json_add_pair(words, hunk, i + k, gone + k,
					    gone > i && lines[gone - 1].no_newline);
		come = max_of(come, i + 1);
	}
}

/* --- the patch ---------------------------------------------------------------- */

void patch_json_put(struct jw *w, struct sv old_text, struct sv new_text)
{
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct words words = { .w = w, .d = &d };
	struct err ignored;
	size_t size = 0, shown = 0;

	jw_put_array(w, "structuredPatch");
	if (diff_texts(&d, old_text, new_text, 3, &ignored))
		for (; shown < d.hunks.n; shown++) {
			size += patch_json_hunk_size(&d, &d.hunks.at[shown]);
			if (size > LIMIT_PATCH)
				break;
			patch_json_add_hunk(w, &d, &d.hunks.at[shown]);
		}
	jw_end(w);
	for (size_t i = 0; i < shown; i++)
		patch_json_add_words(&words, i);
	if (words.n)
		jw_end(w);
}

void patch_json_original(struct jw *w, struct sv text)
{
	if (text.len > LIMIT_ORIGINAL)
		jw_null(w);
	else
		jw_str(w, text);
}
