#include "base/limits.h"
#include "tool/edit/edit_lines.h"
#include "tool/edit/patch_text.h"

enum rung { RUNG_EXACT, RUNG_TRAILING, RUNG_TRIMMED, RUNGS };

/* A file while it is patched. Lines before `passed` are already in `out`. */
struct sheet {
	struct str *out;
	size_t start; /* where the new file starts in `out` */
	struct sv text;
	VEC(size_t) at;    /* offset of each line, and of the end */
	size_t n;          /* lines */
	size_t passed;     /* lines */
	size_t eye;        /* the line where the search starts; at least `passed` */
	size_t steps;      /* bytes compared so far */
	struct sv new_end; /* line end of the new line added last; empty: the last one is old */
};

static void sheet_clear(struct sheet *s)
{
	vec_clear(&s->at);
}

static bool sheet_init(struct sheet *s, struct str *out, struct sv text, struct err *err)
{
	*s = (struct sheet){ .out = out, .start = out->len, .text = text };
	for (size_t at = 0; at < text.len; s->n++) {
		if (s->n == LIMIT_DIFF_LINES)
			return err_set(err, ERR_TOO_BIG, "the file has more than %d lines",
				       LIMIT_DIFF_LINES);
		vec_push(&s->at, at);
		at += min_of(sv_find_char(sv_skip(text, at), '\n'), text.len - at - 1) + 1;
	}
	vec_push(&s->at, text.len);
	return true;
}

/* Including its line end. */
static struct sv patch_apply_bytes_of(const struct sheet *s, size_t line)
{
	return sv_slice(s->text, s->at.at[line], s->at.at[line + 1]);
}

static struct sv patch_apply_line_of(const struct sheet *s, size_t line)
{
	struct sv rest = patch_apply_bytes_of(s, line), text = SV_EMPTY;

	sv_cut_line(&rest, &text);
	return text;
}

/* --- finding lines ---------------------------------------------------------- */

typedef VEC(struct sv) lines;

static bool patch_apply_same(enum rung rung, struct sv a, struct sv b)
{
	switch (rung) {
	case RUNG_EXACT: return sv_eq(a, b);
	case RUNG_TRAILING: return sv_eq(edit_trim_end(a), edit_trim_end(b));
	case RUNG_TRIMMED: return sv_eq(edit_trim(a), edit_trim(b));
	case RUNGS: break;
	}
	return false;
}

/* How many lines of the pattern match after `line`, if `matched` did before (the algorithm of Knuth,
 * Morris and Pratt, on lines). */
static size_t patch_apply_advance(const lines *pattern, const size_t *back, enum rung rung,
				  size_t matched, struct sv line)
{
	while (matched > 0 && !patch_apply_same(rung, pattern->at[matched], line))
		matched = back[matched];
	return patch_apply_same(rung, pattern->at[matched], line) ? matched + 1 : 0;
}

/* The first line at or after `from` where the pattern (not empty) matches, or SIZE_MAX. */
static size_t patch_apply_seek_on(struct sheet *s, const lines *pattern, enum rung rung,
				  size_t from)
{
	defer(mem_freep) size_t *back = xcalloc(pattern->n + 1, sizeof(*back));
	size_t matched = 0;

	for (size_t i = 1; i < pattern->n; i++)
		back[i + 1] = patch_apply_advance(pattern, back, rung, back[i], pattern->at[i]);
	for (size_t i = from; i < s->n && s->steps < LIMIT_EDIT_STEPS; i++) {
		s->steps += patch_apply_bytes_of(s, i).len;
		matched = patch_apply_advance(pattern, back, rung, matched,
					      patch_apply_line_of(s, i));
		if (matched == pattern->n)
			return i + 1 - pattern->n;
	}
	return SIZE_MAX;
}

static size_t patch_apply_seek(struct sheet *s, const lines *pattern, size_t from, bool at_end,
			       enum rung *rung)
{
	size_t found = SIZE_MAX;

	if (at_end && s->n >= from + pattern->n)
		from = s->n - pattern->n;
	for (*rung = RUNG_EXACT; *rung < RUNGS; ++*rung) {
		found = patch_apply_seek_on(s, pattern, *rung, from);
		if (found != SIZE_MAX)
			break;
	}
	return found;
}

/* --- adding lines -------------------------------------------------------------- */

static void patch_apply_pass_to(struct sheet *s, size_t line)
{
	if (line == s->passed)
		return;
	str_add(s->out, sv_slice(s->text, s->at.at[s->passed], s->at.at[line]));
	s->passed = line;
	s->new_end = SV_EMPTY;
}

static struct sv patch_apply_end_of(const struct sheet *s, size_t line)
{
	struct sv bytes = line < s->n ? patch_apply_bytes_of(s, line) : SV_EMPTY;

	if (sv_ends(bytes, SV("\r\n")))
		return SV("\r\n");
	return sv_ends(bytes, SV("\n")) ? SV("\n") : SV_EMPTY;
}

/* The line end for a new line here: that of this line, or of the line before if this has none. */
static struct sv patch_apply_end_at(const struct sheet *s, size_t line)
{
	struct sv end = patch_apply_end_of(s, line);

	if (!end.len && line > 0)
		end = patch_apply_end_of(s, line - 1);
	return end.len ? end : SV("\n");
}

/* The additional or missing indentation of a place, compared with the patch. */
struct shift {
	struct sv indent;
	bool less;
};

static void patch_apply_put_new(struct sheet *s, struct sv text, struct sv end,
				const struct shift *shift)
{
	bool torn = s->out->len > s->start && s->out->ptr[s->out->len - 1] != '\n';

	if (torn)
		str_add(s->out, end);
	if (shift->less && sv_starts(text, shift->indent))
		text = sv_skip(text, shift->indent.len);
	else if (!shift->less && edit_trim(text).len > 0)
		str_add(s->out, shift->indent);
	str_add(s->out, text);
	str_add(s->out, end);
	s->new_end = end;
}

static void patch_apply_add_new_lines(struct str *out, const struct patch *p,
				      const struct patch_hunk *hunk)
{
	for (size_t i = hunk->first; i < hunk->first + hunk->n; i++)
		if (p->lines.at[i].kind == '+') {
			str_add(out, p->lines.at[i].text);
			str_addc(out, '\n');
		}
}

/* Sets `shift` if all lines at `at` are shifted by the same blanks. It borrows from
 * `old_text`, which this fills. */
static void patch_apply_find_shift(struct sheet *s, const struct patch *p,
				   const struct patch_hunk *hunk, size_t at, struct str *old_text,
				   struct shift *shift)
{
	defer(edit_lines_clear) struct edit_lines pattern = EDIT_LINES_INIT;
	defer(str_clear) struct str new_text = STR_INIT;
	struct shift found;

	patch_apply_add_new_lines(&new_text, p, hunk);
	patch_old_text(old_text, p, hunk);
	edit_lines_init(&pattern, sv_of(old_text));
	if (edit_lines_shift(&pattern, sv_skip(s->text, s->at.at[at]), sv_of(&new_text), &s->steps,
			     &found.indent, &found.less))
		*shift = found;
}

static void patch_apply_put_hunk(struct sheet *s, const struct patch *p,
				 const struct patch_hunk *hunk, size_t at,
				 const struct shift *shift)
{
	struct sv end = patch_apply_end_at(s, at);

	patch_apply_pass_to(s, at);
	for (size_t i = hunk->first; i < hunk->first + hunk->n; i++) {
		const struct patch_line *line = &p->lines.at[i];

		if (line->kind == '+')
			patch_apply_put_new(s, line->text, end, shift);
		else if (line->kind == ' ')
			patch_apply_pass_to(s, s->passed + 1);
		else
			s->passed++;
	}
	s->eye = s->passed;
}

/* --- hunks ---------------------------------------------------------------------- */

static bool patch_apply_fail(const struct sheet *s, const struct patch_hunk *hunk, const char *what,
			     struct err *err)
{
	if (s->steps >= LIMIT_EDIT_STEPS)
		return err_set(err, ERR_TOO_BIG,
			       "line %zu of the patch: the search for its place takes too long",
			       hunk->number);
	return err_set(err, ERR_NOT_FOUND, "line %zu of the patch: %s", hunk->number, what);
}

static bool patch_apply_find_anchor(struct sheet *s, const struct patch_hunk *hunk, struct err *err)
{
	lines pattern = { .at = (struct sv[]){ hunk->anchor }, .n = 1 };
	enum rung rung;
	size_t at = patch_apply_seek(s, &pattern, s->eye, false, &rung);

	if (at == SIZE_MAX)
		return patch_apply_fail(
			s, hunk,
			"the line after \"@@\" is not in the file, or not after the previous hunk",
			err);
	s->eye = at + 1;
	return true;
}

/* Finds the old lines. A hunk with only new lines goes after the anchor, or to the end. */
static size_t patch_apply_find_place(struct sheet *s, const struct patch *p,
				     const struct patch_hunk *hunk, enum rung *rung)
{
	lines old = VEC_INIT;
	size_t at;

	*rung = RUNG_EXACT;
	for (size_t i = hunk->first; i < hunk->first + hunk->n; i++)
		if (p->lines.at[i].kind != '+')
			vec_push(&old, p->lines.at[i].text);
	if (!old.n)
		return hunk->anchor.len && !hunk->at_end ? s->eye : s->n;
	at = patch_apply_seek(s, &old, s->eye, hunk->at_end, rung);
	/* Some models repeat the anchor as the first line. */
	if (at == SIZE_MAX && hunk->anchor.len)
		at = patch_apply_seek(s, &old, s->eye - 1, hunk->at_end, rung);
	vec_clear(&old);
	return at;
}

static bool apply_hunk(struct sheet *s, const struct patch *p, const struct patch_hunk *hunk,
		       struct err *err)
{
	struct shift shift = { .indent = SV_EMPTY };
	defer(str_clear) struct str old_text = STR_INIT;
	enum rung rung;
	size_t at;

	if (hunk->anchor.len && !patch_apply_find_anchor(s, hunk, err))
		return false;
	if (!hunk->n)
		return true;
	at = patch_apply_find_place(s, p, hunk, &rung);
	if (at == SIZE_MAX)
		return patch_apply_fail(
			s, hunk,
			hunk->at_end
				? "these lines are not at the end of the file"
				: "these lines are not in the file, or not after the previous hunk",
			err);
	if (rung == RUNG_TRIMMED)
		patch_apply_find_shift(s, p, hunk, at, &old_text, &shift);
	patch_apply_put_hunk(s, p, hunk, at, &shift);
	return true;
}

static void sheet_end(struct sheet *s)
{
	bool open = s->text.len > 0 && !sv_ends(s->text, SV("\n"));

	patch_apply_pass_to(s, s->n);
	if (open)
		str_truncate(s->out, s->out->len - s->new_end.len);
}

bool patch_apply(struct str *out, const struct patch *p, const struct patch_part *part,
		 struct sv text, const struct patch_hunk **failed, struct err *err)
{
	struct sv mark = sv_slice(text, 0, sv_starts(text, SV("\xef\xbb\xbf")) ? 3 : 0);
	size_t before = out->len;
	defer(sheet_clear) struct sheet s = { .out = NULL };

	*failed = NULL;
	str_add(out, mark);
	if (!sheet_init(&s, out, sv_skip(text, mark.len), err))
		goto undo;
	for (size_t i = part->first; i < part->first + part->n; i++)
		if (!apply_hunk(&s, p, &p->hunks.at[i], err)) {
			*failed = &p->hunks.at[i];
			goto undo;
		}
	sheet_end(&s);
	return true;
undo:
	str_truncate(out, before);
	return false;
}
