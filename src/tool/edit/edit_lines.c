#include "tool/edit/edit_lines.h"

static bool edit_lines_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct sv edit_trim_end(struct sv line)
{
	while (line.len > 0 && edit_lines_is_blank(line.ptr[line.len - 1]))
		line.len--;
	return line;
}

static struct sv edit_lines_indent_of(struct sv line)
{
	size_t n = 0;

	while (n < line.len && edit_lines_is_blank(line.ptr[n]))
		n++;
	return sv_slice(line, 0, n);
}

struct sv edit_trim(struct sv line)
{
	return edit_trim_end(sv_skip(line, edit_lines_indent_of(line).len));
}

void edit_lines_init(struct edit_lines *lines, struct sv text)
{
	struct sv line;

	lines->ended = sv_ends(text, SV("\n"));
	lines->blank = true;
	while (sv_cut_line(&text, &line)) {
		lines->blank &= edit_trim(line).len == 0;
		vec_push(&lines->at, line);
	}
}

void edit_lines_clear(struct edit_lines *lines)
{
	vec_clear(&lines->at);
}

/* --- scanning ----------------------------------------------------------------- */

static bool edit_lines_same(const struct edit_scan *s, struct sv a, struct sv b)
{
	return s->indented ? sv_eq(edit_trim(a), edit_trim(b))
			   : sv_eq(edit_trim_end(a), edit_trim_end(b));
}

/* How many lines of the pattern match after `line`, if `matched` did before. */
static size_t edit_lines_step(const struct edit_scan *s, size_t matched, struct sv line)
{
	const struct edit_lines *p = s->pattern;

	while (matched > 0 && (matched == p->at.n || !edit_lines_same(s, p->at.at[matched], line)))
		matched = s->back[matched];
	return matched + edit_lines_same(s, p->at.at[matched], line);
}

void edit_scan_init(struct edit_scan *scan, struct sv text, const struct edit_lines *pattern,
		    bool indented)
{
	size_t n = pattern->at.n;

	*scan = (struct edit_scan){ .text = text, .pattern = pattern, .indented = indented };
	if (sv_starts(text, SV("\xef\xbb\xbf")))
		scan->at = 3;
	scan->starts = xcalloc(n, sizeof(*scan->starts));
	scan->back = xcalloc(n + 1, sizeof(*scan->back));
	for (size_t i = 1; i < n; i++)
		scan->back[i + 1] = edit_lines_step(scan, scan->back[i], pattern->at.at[i]);
}

void edit_scan_clear(struct edit_scan *scan)
{
	free(move(scan->back));
	free(move(scan->starts));
}

bool edit_scan_next(struct edit_scan *scan, size_t *from, size_t *to)
{
	size_t n = scan->pattern->at.n;

	while (scan->at < scan->text.len) {
		size_t start = scan->at, end = sv_find_char(sv_skip(scan->text, start), '\n');
		bool ended = end != SIZE_MAX;
		struct sv line = sv_slice(sv_skip(scan->text, start), 0, end);

		scan->at = ended ? start + end + 1 : scan->text.len;
		scan->starts[scan->line++ % n] = start;
		scan->matched = edit_lines_step(scan, scan->matched, line);
		if (scan->matched < n || (scan->pattern->ended && !ended))
			continue;
		*from = scan->starts[scan->line % n];
		*to = scan->pattern->ended ? scan->at : start + edit_trim_end(line).len;
		return true;
	}
	return false;
}

/* --- shifting ----------------------------------------------------------------- */

/* Whether `deep` is `more` followed by `flat`. */
static bool is_deeper(struct sv deep, struct sv more, struct sv flat)
{
	return deep.len == more.len + flat.len && sv_starts(deep, more) && sv_ends(deep, flat);
}

/* The additional indentation of `line` over `old`, or with `*less` the missing one. */
static bool edit_lines_find_shift(struct sv line, struct sv old, struct sv *indent, bool *less)
{
	struct sv a = edit_lines_indent_of(line), b = edit_lines_indent_of(old);

	*less = a.len < b.len;
	*indent = *less ? sv_slice(b, 0, b.len - a.len) : sv_slice(a, 0, a.len - b.len);
	return indent->len > 0;
}

static bool is_shifted(struct sv line, struct sv old, struct sv indent, bool less)
{
	return less ? is_deeper(edit_lines_indent_of(old), indent, edit_lines_indent_of(line))
		    : is_deeper(edit_lines_indent_of(line), indent, edit_lines_indent_of(old));
}

static bool can_lose(struct sv text, struct sv indent, size_t *steps)
{
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		*steps += line.len + 1;
		if (edit_trim(line).len > 0 && !sv_starts(line, indent))
			return false;
	}
	return true;
}

bool edit_lines_shift(const struct edit_lines *pattern, struct sv text, struct sv new_text,
		      size_t *steps, struct sv *indent, bool *less)
{
	bool found = false;
	struct sv line;

	for (size_t i = 0; i < pattern->at.n && sv_cut_line(&text, &line); i++) {
		struct sv old = pattern->at.at[i];

		*steps += line.len + 1;
		if (edit_trim(old).len == 0)
			continue;
		if (!found && !edit_lines_find_shift(line, old, indent, less))
			return false;
		found = true;
		if (!is_shifted(line, old, *indent, *less))
			return false;
	}
	return found && (!*less || can_lose(new_text, *indent, steps));
}
