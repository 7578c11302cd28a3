/* A text, what to replace in it and by what, parted by NULs. Only the places found
 * differ afterwards, each is what its rung of the ladder says, none tears a line
 * end apart, and what is there exactly is always found. */
#include "base/utf8.h"
#include "tool/edit/edit_match.h"
#include "tool/edit/edit_near.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool parts_line_end(struct sv text, size_t at)
{
	return at > 0 && at < text.len && text.ptr[at - 1] == '\r' && text.ptr[at] == '\n';
}

/* The same text for everything that the rung takes for the same. */
static void add_folded(struct str *out, struct sv text, enum edit_rung rung)
{
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		while (rung >= EDIT_TRAILING && line.len > 0 &&
		       memchr(" \t\r", line.ptr[line.len - 1], 3))
			line.len--;
		while (rung == EDIT_INDENT && line.len > 0 && memchr(" \t\r", line.ptr[0], 3))
			line = sv_skip(line, 1);
		str_add(out, line);
		str_addc(out, '\n');
	}
}

static void check_place(struct sv text, struct sv old_text, enum edit_rung rung,
			const struct edit_place *place)
{
	struct sv there = sv_slice(text, place->from, place->to);
	defer(str_clear) struct str a = STR_INIT;
	defer(str_clear) struct str b = STR_INIT;

	BUG_ON(place->from > place->to || place->to > text.len);
	BUG_ON(parts_line_end(text, place->from) || parts_line_end(text, place->to));
	if (rung == EDIT_EXACT) {
		BUG_ON(!sv_eq(there, old_text));
		return;
	}
	add_folded(&a, there, rung);
	add_folded(&b, old_text, rung);
	/* A last line of nothing but blanks leaves no trace in the place. */
	BUG_ON(!sv_eq(sv_of(&a), sv_of(&b)) &&
	       (rung == EDIT_LINE_ENDS || !sv_eq(sv_trim(sv_of(&a)), sv_trim(sv_of(&b)))));
	BUG_ON(sv_ends(old_text, SV("\n")) && !sv_ends(there, SV("\n")));
}

/* Appends what stands in the i-th place when that alone is replaced. */
static void add_replacement(struct str *out, struct sv text, const struct edit_match *m, size_t i,
			    struct sv old_text, struct sv new_text)
{
	struct edit_place *place = &m->places.at[i];
	struct edit_match one = { .rung = m->rung, .places = { .at = place, .n = 1 } };
	defer(str_clear) struct str after = STR_INIT;

	BUG_ON(!edit_apply(&after, text, &one, old_text, new_text, SIZE_MAX / 4));
	BUG_ON(!sv_starts(sv_of(&after), sv_slice(text, 0, place->from)));
	BUG_ON(!sv_ends(sv_of(&after), sv_skip(text, place->to)));
	BUG_ON(after.len < text.len - (place->to - place->from));
	str_add(out, sv_slice(sv_of(&after), place->from, after.len - (text.len - place->to)));
}

static void check_match(struct sv text, const struct edit_match *m, struct sv old_text,
			struct sv new_text)
{
	defer(str_clear) struct str after = STR_INIT;
	defer(str_clear) struct str expected = STR_INIT;
	size_t at = 0;

	BUG_ON((m->rung == EDIT_NOWHERE) != (m->places.n == 0));
	for (size_t i = 0; i < m->places.n; i++) {
		check_place(text, old_text, m->rung, &m->places.at[i]);
		BUG_ON(m->places.at[i].from < at);
		str_add(&expected, sv_slice(text, at, m->places.at[i].from));
		add_replacement(&expected, text, m, i, old_text, new_text);
		at = m->places.at[i].to;
	}
	str_add(&expected, sv_skip(text, at));
	BUG_ON(!edit_apply(&after, text, m, old_text, new_text, SIZE_MAX / 4));
	BUG_ON(!sv_eq(sv_of(&after), sv_of(&expected)));
	BUG_ON(after.len > 0 && edit_apply(&expected, text, m, old_text, new_text, after.len - 1));
}

static void check_near(struct sv text, struct sv old_text)
{
	defer(str_clear) struct str excerpt = STR_INIT;
	size_t first, last;

	if (!edit_near(text, old_text, &first, &last))
		return;
	BUG_ON(first == 0 || last < first);
	edit_near_excerpt(&excerpt, text, first, last);
	BUG_ON(excerpt.len == 0 || !utf8_valid(sv_of(&excerpt), NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv rest = sv_from((const char *)data, size), text = SV_EMPTY, old_text = SV_EMPTY;
	defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
	size_t exact;

	sv_cut(&rest, '\0', &text);
	sv_cut(&rest, '\0', &old_text);
	if (!old_text.len || size > 4096)
		return 0;
	edit_find(&m, text, old_text, rest);
	check_match(text, &m, old_text, rest);
	exact = sv_find(text, old_text);
	BUG_ON(exact != SIZE_MAX && m.places.n == 0 && !parts_line_end(text, exact) &&
	       !parts_line_end(text, exact + old_text.len));
	check_near(text, old_text);
	return 0;
}
