#include "tool/edit_step.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "tool/edit_near.h"

enum { LINES_NAMED = 8 }; /* of the places of an ambiguous text */

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
			 "%s is UTF-16, which Edit cannot change. Convert it to UTF-8, or "
			 "use Bash with a script.",
			 path);
}

const char *edit_how_found(enum edit_rung rung)
{
	switch (rung) {
	case EDIT_NOWHERE:
	case EDIT_EXACT:
	case EDIT_LINE_ENDS: break;
	case EDIT_TRAILING: return " Blanks at the ends of lines differed from old_string.";
	case EDIT_INDENT:
		return " The indentation differed from old_string; new_string was shifted to fit.";
	}
	return "";
}

static bool refuse_ambiguous(struct tool_result *result, struct sv text, const struct edit_match *m)
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

static bool refuse_missing(const struct edit_step *step, struct tool_result *result,
			   const char *path, struct sv text)
{
	size_t first, last;

	tool_fail(result, "String to replace not found in %s.", path);
	if (sv_find(step->old_text, UTF8_REPLACEMENT) != SIZE_MAX)
		str_adds(&result->text,
			 " It contains U+FFFD, which stands for bytes of the file that are not "
			 "UTF-8: choose a text without them.");
	if (!edit_near(text, step->old_text, &first, &last)) {
		str_adds(&result->text, " Read it again, and copy the text from there.");
		return false;
	}
	str_addf(&result->text,
		 " The nearest is at line %zu; compare it with old_string, blanks and quotes too:",
		 first);
	edit_near_excerpt(&result->text, text, first, last);
	return false;
}

bool edit_step(const struct edit_step *step, struct tool_result *result, const char *path,
	       struct sv text, struct str *after, struct edit_done *done)
{
	defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
	size_t before = after->len;

	edit_find(&m, text, step->old_text, step->new_text);
	if (m.places.n == 0)
		return refuse_missing(step, result, path, text);
	if (m.places.n > 1 && !step->all)
		return refuse_ambiguous(result, text, &m);
	if (m.places.n == LIMIT_EDIT_PLACES ||
	    !edit_apply(after, text, &m, step->old_text, step->new_text, LIMIT_EDIT_FILE))
		return tool_fail(result, "%s would be changed in too many places, or grow too big.",
				 path);
	if (sv_eq(text, sv_skip(sv_of(after), before))) {
		str_truncate(after, before);
		return tool_fail(result,
				 "No changes to make: %s already reads like new_string there.",
				 path);
	}
	*done = (struct edit_done){ .rung = m.rung, .places = m.places.n };
	return true;
}
