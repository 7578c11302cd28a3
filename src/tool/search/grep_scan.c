#include "tool/search/grep_scan.h"

#include "base/utf8.h"

void grep_scan_clear(struct grep_scan *s)
{
	str_clear(&s->record);
}

/* --- lines ------------------------------------------------------------------------ */

/* Where the line that contains `at` starts, and where it ends: at its newline. */
static size_t grep_scan_line_start(struct sv text, size_t at)
{
	return sv_rfind_char(sv_slice(text, 0, at), '\n') + 1; /* SIZE_MAX + 1 is 0 */
}

static size_t grep_scan_line_end(struct sv text, size_t at)
{
	size_t newline = sv_find_char(sv_skip(text, at), '\n');

	return newline == SIZE_MAX ? text.len : at + newline;
}

/* The same for `at` as for those before it, of which many may be in one long line. */
static void grep_scan_read_line(struct grep_scan *s, size_t at)
{
	if (at >= s->start && at <= s->end && s->end != SIZE_MAX)
		return;
	s->start = grep_scan_line_start(s->text, at);
	s->end = grep_scan_line_end(s->text, at);
}

static size_t grep_scan_number_at(struct grep_scan *s, size_t at)
{
	for (; s->counted < at; s->counted++)
		s->line += s->text.ptr[s->counted] == '\n';
	return s->line;
}

/* --- matches ---------------------------------------------------------------------- */

static bool grep_scan_find(struct grep_scan *s, struct sv text, size_t from,
			   struct regex_match *out)
{
	enum regex_found found = regex_find(s->regex, text, from, &s->budget, out);

	s->gave_up = s->gave_up || found == REGEX_GAVE_UP;
	return found == REGEX_FOUND;
}

static size_t grep_scan_after_char(struct sv text, size_t at)
{
	uint32_t rune;
	int n = at < text.len ? utf8_decode(sv_skip(text, at), &rune) : 1;

	return at + (size_t)(n < 0 ? -n : n);
}

/* No line follows the last newline. */
static bool is_past_end(struct sv text, size_t at)
{
	return at >= text.len && (text.len == 0 || at > text.len || text.ptr[text.len - 1] == '\n');
}

/* The next match, which may span lines. */
static bool grep_scan_next_anywhere(struct grep_scan *s, struct regex_match *out)
{
	if (is_past_end(s->text, s->at) || !grep_scan_find(s, s->text, s->at, out) ||
	    is_past_end(s->text, out->start))
		return false;
	s->at = out->end > out->start ? out->end : grep_scan_after_char(s->text, out->end);
	return true;
}

/* The first match of the next matching line. Searches the whole text at once, which is faster. Only a
 * line whose match extends beyond it is searched alone. */
static bool grep_scan_next_line(struct grep_scan *s, struct regex_match *out)
{
	while (!is_past_end(s->text, s->at) && grep_scan_find(s, s->text, s->at, out) &&
	       !is_past_end(s->text, out->start)) {
		grep_scan_read_line(s, out->start);
		s->at = s->end + 1;
		if (out->end <= s->end)
			return true;
		if (grep_scan_find(s, sv_slice(s->text, s->start, s->end), 0, out)) {
			out->start += s->start;
			out->end += s->start;
			return true;
		}
	}
	return false;
}

/* --- records ---------------------------------------------------------------------- */

static void grep_scan_put(struct grep_scan *s, struct sv record)
{
	s->enough = s->enough || !s->put(s->arg, record);
}

/* Reports the line at `at`. `kind` is ':' for a match and '-' for context; `width` includes the
 * newline, if any. */
static void grep_scan_put_line(struct grep_scan *s, size_t at, struct sv text, size_t width,
			       char kind)
{
	const struct grep_query *q = s->query;

	if (width > GREP_COLUMNS)
		text = kind == ':' ? SV("[Omitted long matching line]")
				   : SV("[Omitted long context line]");
	str_truncate(&s->record, 0);
	if (!q->is_file) {
		str_add(&s->record, s->path);
		str_addc(&s->record, '\0');
	}
	if (!q->is_file || q->numbers)
		str_addf(&s->record, "%zu%c", grep_scan_number_at(s, at), kind);
	str_add(&s->record, text);
	str_addc(&s->record, '\n');
	grep_scan_put(s, sv_of(&s->record));
}

/* Reports the lines from `start`, the start of a line, up to `end`. */
static void grep_scan_put_lines(struct grep_scan *s, size_t start, size_t end, char kind)
{
	while (start < end && !s->enough) {
		size_t newline = grep_scan_line_end(s->text, start);

		grep_scan_put_line(s, start, sv_slice(s->text, start, newline),
				   min_of(newline + 1, s->text.len) - start, kind);
		start = newline + 1;
	}
	s->shown = max_of(s->shown, start);
}

static void grep_scan_put_after_context(struct grep_scan *s, size_t limit)
{
	for (; s->after > 0 && s->shown < limit && !s->enough; s->after--)
		grep_scan_put_lines(s, s->shown, s->shown + 1, '-');
}

/* The context before a match: the remaining lines after the match before, a separator if lines are
 * skipped, and the lines above. */
static void grep_scan_put_before_context(struct grep_scan *s, size_t start)
{
	const struct grep_query *q = s->query;
	size_t from = start;

	grep_scan_put_after_context(s, start);
	for (size_t i = 0; i < q->before && from > s->shown; i++)
		from = max_of(grep_scan_line_start(s->text, from - 1), s->shown);
	if (q->before + q->after > 0 && (s->begun ? from > s->shown : s->any) && !s->enough)
		grep_scan_put(s, SV("--\n"));
	s->begun = s->any = true;
	grep_scan_put_lines(s, from, start, '-');
}

/* Reports only the match, one record for each non-empty line of it. */
static void grep_scan_put_match(struct grep_scan *s, struct regex_match m)
{
	bool is_empty = m.start == m.end;

	do {
		struct sv rest = sv_slice(s->text, m.start, m.end);
		size_t end = m.start + min_of(sv_find_char(rest, '\n'), rest.len);

		if (is_empty || end > m.start)
			grep_scan_put_line(s, m.start, sv_slice(s->text, m.start, end),
					   end - m.start, ':');
		m.start = end + 1;
	} while (m.start < m.end && !s->enough);
}

/* Reports all matches of a line. An empty match directly after another does not count. */
static void grep_scan_put_matches(struct grep_scan *s, size_t start, size_t end)
{
	struct sv line = sv_slice(s->text, start, end);
	struct regex_match m;
	size_t last = SIZE_MAX, from = 0;

	while (from <= line.len && !s->enough && grep_scan_find(s, line, from, &m)) {
		bool is_empty = m.start == m.end;

		if (!is_empty || m.start != last)
			grep_scan_put_match(s,
					    (struct regex_match){ start + m.start, start + m.end });
		last = m.end;
		from = is_empty ? grep_scan_after_char(line, m.end) : m.end;
	}
}

/* --- the modes -------------------------------------------------------------------- */

static bool grep_scan_next(struct grep_scan *s, struct regex_match *out)
{
	if (s->enough || s->gave_up)
		return false;
	return s->query->multiline ? grep_scan_next_anywhere(s, out) : grep_scan_next_line(s, out);
}

/* The lines that a match touches: where the first starts and the last ends. */
static struct regex_match grep_scan_lines_of(struct grep_scan *s, struct regex_match m)
{
	struct regex_match lines;

	grep_scan_read_line(s, m.start);
	lines.start = s->start;
	grep_scan_read_line(s, m.end > m.start ? m.end - 1 : m.end);
	lines.end = s->end;
	return lines;
}

static void scan_content(struct grep_scan *s)
{
	struct regex_match m;

	while (grep_scan_next(s, &m)) {
		struct regex_match lines = grep_scan_lines_of(s, m);

		grep_scan_put_before_context(s, lines.start);
		if (!s->query->only)
			grep_scan_put_lines(s, max_of(lines.start, s->shown), lines.end + 1, ':');
		else if (s->query->multiline)
			grep_scan_put_match(s, m);
		else
			grep_scan_put_matches(s, lines.start, lines.end);
		s->shown = max_of(s->shown, lines.end + 1);
		s->after = s->query->after;
	}
	grep_scan_put_after_context(s, s->text.len);
}

/* Counts matching lines; in multiline mode, matches. */
static void scan_count(struct grep_scan *s)
{
	size_t lines = 0, matches = 0;
	bool spans = false;
	struct regex_match m;

	for (; grep_scan_next(s, &m); matches++) {
		struct regex_match touched = grep_scan_lines_of(s, m);

		lines += matches == 0 || touched.start >= s->shown;
		spans = spans || sv_find_char(sv_slice(s->text, m.start, m.end), '\n') != SIZE_MAX;
		s->shown = touched.end + 1;
	}
	if (!matches)
		return;
	str_set(&s->record, s->path);
	str_addc(&s->record, '\0');
	str_addf(&s->record, "%zu\n", spans ? matches : lines);
	grep_scan_put(s, sv_of(&s->record));
}

static void scan_file(struct grep_scan *s)
{
	struct regex_match m;

	if (!grep_scan_next(s, &m))
		return;
	str_set(&s->record, s->path);
	str_addc(&s->record, '\0');
	grep_scan_put(s, sv_of(&s->record));
}

static void scan_binary(struct grep_scan *s, size_t nul_at)
{
	struct regex_match m;

	if (!grep_scan_next(s, &m))
		return;
	str_truncate(&s->record, 0);
	str_addf(&s->record, "binary file matches (found \"\\0\" byte around offset %zu)\n",
		 nul_at);
	grep_scan_put(s, sv_of(&s->record));
}

void grep_scan_text(struct grep_scan *s, struct sv text, struct sv path, size_t nul_at)
{
	s->text = text;
	s->path = path;
	s->at = s->start = s->shown = s->counted = s->after = 0;
	s->line = 1;
	s->end = SIZE_MAX; /* no line yet */
	s->gave_up = s->begun = false;
	switch (s->query->mode) {
	case GREP_FILES: scan_file(s); break;
	case GREP_COUNT: scan_count(s); break;
	case GREP_CONTENT:
		if (nul_at != SIZE_MAX)
			scan_binary(s, nul_at);
		else
			scan_content(s);
		break;
	}
}
