#include "text/match/rule_paths.h"

#include "text/front_matter.h"
#include "text/match/glob.h"

void rule_paths_clear(struct rule_paths *paths)
{
	ignore_clear(&paths->patterns);
	str_clear(&paths->written);
	*paths = (struct rule_paths)RULE_PATHS_INIT;
}

bool rule_paths_match(const struct rule_paths *paths, struct sv path)
{
	return !paths->is_limited || ignore_hides(&paths->patterns, path, false);
}

/* Appends one pattern as lines of a .gitignore, one for each alternative in braces. */
static bool rule_paths_add(struct rule_paths *out, struct str *lines, struct sv pattern,
			   struct err *err)
{
	struct glob glob = GLOB_INIT;

	pattern = sv_trim(pattern);
	if (!pattern.len)
		return true;
	if (sv_starts(pattern, SV("./")))
		pattern = sv_skip(pattern, 2);
	if (!glob_init(&glob, pattern, false, err))
		return false;
	for (size_t i = 0; i < glob.patterns.n; i++)
		str_addf(lines, "%s\n", glob.patterns.at[i]);
	glob_clear(&glob);
	str_addf(&out->written, "%s%.*s", out->written.len ? " " : "", SV_ARG(pattern));
	return true;
}

/* Splits a string at commas outside braces. */
static bool rule_paths_add_all(struct rule_paths *out, struct str *lines, struct sv text,
			       struct err *err)
{
	size_t from = 0, depth = 0;

	for (size_t i = 0; i <= text.len; i++) {
		char c = i < text.len ? text.ptr[i] : ',';

		depth += c == '{';
		depth -= c == '}' && depth;
		if (c != ',' || (depth && i < text.len))
			continue;
		if (!rule_paths_add(out, lines, sv_slice(text, from, i), err))
			return false;
		from = i + 1;
	}
	return true;
}

static bool rule_paths_read_value(struct rule_paths *out, struct str *lines, struct json paths,
				  struct err *err)
{
	struct json_iter it = json_each(paths);
	struct json item;

	if (json_is(paths, JSON_STRING))
		return rule_paths_add_all(out, lines, json_str_or(paths, SV_EMPTY), err);
	while (json_next(&it, NULL, &item))
		if (!rule_paths_add_all(out, lines, json_str_or(item, SV_EMPTY), err))
			return false;
	return true;
}

/* Returns whether one of the patterns matches every file. */
static bool rule_paths_match_all(struct sv lines)
{
	struct sv line;

	while (sv_cut_line(&lines, &line))
		if (sv_is(line, "**") || sv_is(line, "**/*"))
			return true;
	return false;
}

static bool rule_paths_take(struct rule_paths *out, struct sv lines, struct err *err)
{
	if (!ignore_add(&out->patterns, SV_EMPTY, lines, err))
		return false;
	out->is_limited = lines.len && !rule_paths_match_all(lines);
	return true;
}

bool rule_paths_parse(struct rule_paths *out, struct sv patterns, struct err *err)
{
	defer(str_clear) struct str lines = STR_INIT;

	if (rule_paths_add_all(out, &lines, patterns, err) &&
	    rule_paths_take(out, sv_of(&lines), err))
		return true;
	rule_paths_clear(out);
	return false;
}

bool rule_paths_read(struct rule_paths *out, struct sv text, struct sv *body, struct err *err)
{
	defer(front_matter_clear) struct front_matter front = { .meta = NULL };
	defer(str_clear) struct str lines = STR_INIT;

	*body = text;
	if (!front_matter_parse(&front, text, err))
		return false;
	if (!rule_paths_read_value(out, &lines, json_get(json_root(front.meta), "paths"), err) ||
	    !rule_paths_take(out, sv_of(&lines), err)) {
		rule_paths_clear(out);
		return false;
	}
	*body = front.body;
	return true;
}
