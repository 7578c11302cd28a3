#include "tool/edit/edit_match.h"

#include "base/limits.h"
#include "tool/edit/edit_lines.h"

void edit_match_clear(struct edit_match *m)
{
	vec_clear(&m->places);
	m->rung = EDIT_NOWHERE;
}

size_t edit_line_of(struct sv text, size_t at)
{
	size_t line = 1, end;

	for (text = sv_slice(text, 0, at); (end = sv_find_char(text, '\n')) != SIZE_MAX; line++)
		text = sv_skip(text, end + 1);
	return line;
}

/* --- bytes -------------------------------------------------------------------- */

/* Whether a cut at `at` would separate a "\r" from its "\n". */
static bool edit_match_parts_line_end(struct sv text, size_t at)
{
	return at > 0 && at < text.len && text.ptr[at - 1] == '\r' && text.ptr[at] == '\n';
}

/* The next place at or after `at`; false if there is none. */
static bool edit_match_next_place(struct sv text, struct sv needle, size_t at,
				  struct edit_place *out)
{
	size_t found = sv_find(sv_skip(text, at), needle);

	if (found == SIZE_MAX)
		return false;
	*out = (struct edit_place){ .from = at + found, .to = at + found + needle.len };
	return true;
}

/* A match that would split a line end does not count: "\n" then means the whole line end, and the
 * next rung finds every place. */
static void edit_match_find_exact(struct edit_match *m, struct sv text, struct sv old_text)
{
	struct edit_place place = { .to = 0 };

	while (m->places.n < LIMIT_EDIT_PLACES &&
	       edit_match_next_place(text, old_text, place.to, &place)) {
		if (edit_match_parts_line_end(text, place.from) ||
		    edit_match_parts_line_end(text, place.to)) {
			m->places.n = 0;
			return;
		}
		vec_push(&m->places, place);
	}
}

/* Appends `text` with every "\r\n" replaced by "\n". */
static void edit_match_add_plain(struct str *out, struct sv text)
{
	size_t at;

	str_reserve(out, text.len);
	while ((at = sv_find(text, SV("\r\n"))) != SIZE_MAX) {
		str_add(out, sv_slice(text, 0, at));
		text = sv_skip(text, at + 1);
	}
	str_add(out, text);
}

/* Advances `*raw` in `text` and `*plain` in its plain form together, until `*plain` is `to`. */
static size_t edit_match_raw_of(struct sv text, size_t *raw, size_t *plain, size_t to)
{
	for (; *plain < to; ++*plain)
		*raw += edit_match_parts_line_end(text, *raw + 1) ? 2 : 1;
	return *raw;
}

static void edit_match_find_line_ends(struct edit_match *m, struct sv text, struct sv old_text)
{
	defer(str_clear) struct str plain_text = STR_INIT;
	defer(str_clear) struct str plain_old = STR_INIT;
	struct edit_place place = { .to = 0 };
	size_t raw = 0, plain = 0;

	if (sv_find_char(text, '\r') == SIZE_MAX && sv_find_char(old_text, '\r') == SIZE_MAX)
		return;
	edit_match_add_plain(&plain_text, text);
	edit_match_add_plain(&plain_old, old_text);
	while (m->places.n < LIMIT_EDIT_PLACES &&
	       edit_match_next_place(sv_of(&plain_text), sv_of(&plain_old), place.to, &place)) {
		struct edit_place there;

		there = (struct edit_place){ .from = edit_match_raw_of(text, &raw, &plain,
								       place.from) };
		there.to = edit_match_raw_of(text, &raw, &plain, place.to);
		vec_push(&m->places, there);
	}
}

/* --- whole lines -------------------------------------------------------------- */

static void edit_match_find_lines(struct edit_match *m, struct sv text,
				  const struct edit_lines *pattern, struct sv new_text)
{
	bool shifted = m->rung == EDIT_INDENT;
	struct edit_scan scan;
	struct edit_place place;
	size_t free_from = 0, steps = 0;

	edit_scan_init(&scan, text, pattern, shifted);
	while (m->places.n < LIMIT_EDIT_PLACES && steps < LIMIT_EDIT_STEPS &&
	       edit_scan_next(&scan, &place.from, &place.to)) {
		place.indent = SV_EMPTY;
		place.less = false;
		if (place.from < free_from)
			continue;
		if (shifted && !edit_lines_shift(pattern, sv_skip(text, place.from), new_text,
						 &steps, &place.indent, &place.less))
			continue;
		vec_push(&m->places, place);
		free_from = place.to;
	}
	edit_scan_clear(&scan);
}

void edit_find(struct edit_match *m, struct sv text, struct sv old_text, struct sv new_text)
{
	defer(edit_lines_clear) struct edit_lines pattern = EDIT_LINES_INIT;

	m->rung = EDIT_EXACT;
	edit_match_find_exact(m, text, old_text);
	if (m->places.n == 0 && text.len <= LIMIT_EDIT_LINEWISE) {
		m->rung = EDIT_LINE_ENDS;
		edit_match_find_line_ends(m, text, old_text);
		edit_lines_init(&pattern, old_text);
		while (m->places.n == 0 && !pattern.blank && m->rung < EDIT_INDENT) {
			m->rung++;
			edit_match_find_lines(m, text, &pattern, new_text);
		}
	}
	if (m->places.n == 0)
		m->rung = EDIT_NOWHERE;
}

/* --- the new text ------------------------------------------------------------- */

/* Appends the new text with the indentation of the place. */
static void edit_match_add_shifted(struct str *out, struct sv new_text,
				   const struct edit_place *place)
{
	while (new_text.len > 0) {
		size_t end = min_of(sv_find_char(new_text, '\n'), new_text.len - 1) + 1;
		struct sv line = sv_slice(new_text, 0, end);

		if (place->less && sv_starts(line, place->indent))
			line = sv_skip(line, place->indent.len);
		else if (!place->less && sv_trim(line).len > 0)
			str_add(out, place->indent);
		str_add(out, line);
		new_text = sv_skip(new_text, end);
	}
}

/* Appends plain text with the given line ends. */
static void edit_match_add_ended(struct str *out, struct sv text, bool crlf)
{
	size_t at;

	while (crlf && (at = sv_find_char(text, '\n')) != SIZE_MAX) {
		str_add(out, sv_slice(text, 0, at));
		str_adds(out, "\r\n");
		text = sv_skip(text, at + 1);
	}
	str_add(out, text);
}

/* The line end at a place: that of its first line, or of the line before if that is the last of the
 * file. Places come in order, so each line is read once. */
struct line_ends {
	struct sv text;
	size_t end; /* of the line where the last place started; SIZE_MAX: it has no line end */
	bool crlf, known;
};

static bool edit_match_is_crlf_at(struct line_ends *ends, size_t at)
{
	size_t end;

	if (ends->known && at <= ends->end)
		return ends->crlf;
	end = sv_find_char(sv_skip(ends->text, at), '\n');
	ends->end = end == SIZE_MAX ? SIZE_MAX : at + end;
	if (end == SIZE_MAX)
		end = sv_rfind_char(sv_slice(ends->text, 0, at), '\n');
	else
		end += at;
	ends->known = true;
	ends->crlf = end != SIZE_MAX && edit_match_parts_line_end(ends->text, end);
	return ends->crlf;
}

bool edit_apply(struct str *out, struct sv text, const struct edit_match *m, struct sv old_text,
		struct sv new_text, size_t max)
{
	bool as_it_is = m->rung == EDIT_EXACT && (sv_find_char(old_text, '\r') != SIZE_MAX ||
						  sv_find_char(new_text, '\r') != SIZE_MAX);
	defer(str_clear) struct str plain = STR_INIT;
	struct line_ends ends = { .text = text };
	size_t before = out->len, copied = 0;

	edit_match_add_plain(&plain, new_text);
	str_reserve(out, text.len + plain.len);
	for (size_t i = 0; i < m->places.n; i++) {
		const struct edit_place *place = &m->places.at[i];
		defer(str_clear) struct str shifted = STR_INIT;

		if (!str_add_capped(out, sv_slice(text, copied, place->from), before + max))
			break;
		if (m->rung == EDIT_INDENT)
			edit_match_add_shifted(&shifted, sv_of(&plain), place);
		if (as_it_is)
			str_add(out, new_text);
		else
			edit_match_add_ended(out, sv_of(m->rung == EDIT_INDENT ? &shifted : &plain),
					     edit_match_is_crlf_at(&ends, place->from));
		copied = place->to;
	}
	if (str_add_capped(out, sv_skip(text, copied), before + max))
		return true;
	str_truncate(out, before);
	return false;
}
