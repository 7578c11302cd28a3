#include "tool/edit/edit_step.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "tool/edit/edit_near.h"

enum { LINES_NAMED = 8 }; /* places of an ambiguous text that a message names */

struct edit_step edit_step_of(struct json input)
{
	return (struct edit_step){
		.old_text = json_str_or(json_get(input, "old_string"), SV_EMPTY),
		.new_text = json_str_or(json_get(input, "new_string"), SV_EMPTY),
		.all = json_bool_or(json_get(input, "replace_all"), false),
	};
}

bool edit_is_possible(struct tool_result *result, const char *path, struct sv bytes)
{
	if (!sv_starts(bytes, SV("\xff\xfe")) && !sv_starts(bytes, SV("\xfe\xff")))
		return true;
	return tool_fail(result,
			 "%s is UTF-16, which this tool cannot write. Convert it to UTF-8, or use "
			 "a script in Bash.",
			 path);
}

const char *edit_how_found(enum edit_rung rung)
{
	switch (rung) {
	case EDIT_NOWHERE:
	case EDIT_EXACT:
	case EDIT_LINE_ENDS: break;
	case EDIT_TRAILING: return " Trailing whitespace differed from old_string.";
	case EDIT_INDENT:
		return " The indentation differed from old_string; new_string was re-indented to "
		       "fit.";
	}
	return "";
}

static bool edit_step_refuse_ambiguous(struct tool_result *result, struct sv text,
				       const struct edit_match *m)
{
	defer(str_clear) struct str lines = STR_INIT;
	size_t n = m->places.n;

	for (size_t i = 0; i < min_of(n, (size_t)LINES_NAMED); i++)
		str_addf(&lines, "%s%zu", i ? ", " : "", edit_line_of(text, m->places.at[i].from));
	return tool_fail(result,
			 "Found %zu matches of old_string, at lines %s%s, but replace_all is not "
			 "set. Add lines around the one you mean until it is unique, or set "
			 "replace_all to change every one.",
			 n, lines.ptr, n > LINES_NAMED ? ", ..." : "");
}

static bool edit_step_refuse_missing(const struct edit_step *step, struct tool_result *result,
				     const char *path, struct sv text)
{
	size_t first, last;

	tool_fail(result, "String to replace not found in %s.", path);
	if (sv_find(step->old_text, UTF8_REPLACEMENT) != SIZE_MAX)
		str_adds(&result->text, " It contains U+FFFD, which stands for bytes of the file "
					"that are not UTF-8: choose text without it.");
	if (!edit_near(text, step->old_text, &first, &last)) {
		str_adds(&result->text, " Read it again, and copy the text from there.");
		return false;
	}
	str_addf(&result->text,
		 " The closest match is at line %zu; compare it with old_string, including "
		 "whitespace and quotes:",
		 first);
	edit_near_excerpt(&result->text, text, first, last);
	return false;
}

/* --- lines that the model knows ------------------------------------------------- */

static size_t edit_step_newlines_in(struct sv text)
{
	return edit_line_of(text, text.len) - 1;
}

/* Walks through the lines of the places. */
struct place_lines {
	struct sv text;
	size_t at, line; /* an offset, and the line that contains it */
	size_t first, last;
};

static void edit_step_next_lines(struct place_lines *p, const struct edit_place *place)
{
	p->first = p->line + edit_step_newlines_in(sv_slice(p->text, p->at, place->from));
	p->last = p->first + edit_step_newlines_in(sv_slice(p->text, place->from, place->to - 1));
	p->at = place->from;
	p->line = p->first;
}

static bool edit_step_refuse_unseen(struct tool_result *result, const char *path,
				    const struct lines_seen *shown, const struct place_lines *p)
{
	defer(str_clear) struct str lines = STR_INIT;

	lines_list(&lines, shown);
	return tool_fail(result,
			 "File has been read only partially: %s (lines %s). old_string is at line "
			 "%zu, which you have not seen. Read that part first (offset=%zu).",
			 path, lines.len ? str_c(&lines) : "none", p->first, p->first);
}

static bool are_seen(struct tool_result *result, const char *path, struct sv text,
		     const struct edit_match *m, const struct lines_seen *shown)
{
	struct place_lines p = { .text = text, .line = 1 };

	for (size_t i = 0; i < m->places.n && !lines_are_all(shown); i++) {
		edit_step_next_lines(&p, &m->places.at[i]);
		if (!lines_have(shown, p.first, p.last))
			return edit_step_refuse_unseen(result, path, shown, &p);
	}
	return true;
}

/* If the old text ends with a line end and the new text does not, the next line joins the last new
 * one. */
static void edit_step_change_seen(struct lines_seen *shown, struct sv text,
				  const struct edit_match *m, struct sv new_text)
{
	struct place_lines p = { .text = text, .line = 1 };
	size_t added = edit_step_newlines_in(new_text), moved = 0;

	for (size_t i = 0; i < m->places.n && !lines_are_all(shown); i++) {
		const struct edit_place *place = &m->places.at[i];
		bool ends = text.ptr[place->to - 1] == '\n';
		size_t old_n, new_n = added + !ends;

		edit_step_next_lines(&p, place);
		old_n = p.last - p.first + 1;
		lines_change(shown, p.first + moved, old_n, new_n);
		moved += new_n - old_n; /* may wrap around and back */
	}
}

/* --- the step ------------------------------------------------------------------- */

bool edit_step(const struct edit_step *step, struct tool_result *result, const char *path,
	       struct sv text, struct lines_seen *shown, struct str *after, struct edit_done *done)
{
	defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
	size_t before = after->len;

	edit_find(&m, text, step->old_text, step->new_text);
	if (m.places.n == 0)
		return edit_step_refuse_missing(step, result, path, text);
	if (m.places.n > 1 && !step->all)
		return edit_step_refuse_ambiguous(result, text, &m);
	if (!are_seen(result, path, text, &m, shown))
		return false;
	if (m.places.n == LIMIT_EDIT_PLACES ||
	    !edit_apply(after, text, &m, step->old_text, step->new_text, LIMIT_EDIT_FILE))
		return tool_fail(result,
				 "The edit would change %s in too many places, or make it too big.",
				 path);
	if (sv_eq(text, sv_skip(sv_of(after), before))) {
		str_truncate(after, before);
		return tool_fail(result, "No changes to make: %s already has new_string there.",
				 path);
	}
	edit_step_change_seen(shown, text, &m, step->new_text);
	*done = (struct edit_done){ .rung = m.rung, .places = m.places.n };
	return true;
}
