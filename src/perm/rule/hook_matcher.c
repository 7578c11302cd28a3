#include "perm/rule/hook_matcher.h"

#include "base/ascii.h"
#include "text/match/regex.h"

static const struct {
	struct sv tool, also;
} hook_matcher_names[] = {
	{ SV_INIT("Agent"), SV_INIT("Task") },         { SV_INIT("Monitor"), SV_INIT("Bash") },
	{ SV_INIT("TaskStop"), SV_INIT("KillShell") }, { SV_INIT("apply_patch"), SV_INIT("Edit") },
	{ SV_INIT("apply_patch"), SV_INIT("Write") },
};

static bool hook_matcher_is_list(struct sv matcher)
{
	for (size_t i = 0; i < matcher.len; i++)
		if (!ascii_is_alnum(matcher.ptr[i]) && !strchr("_-,| ", matcher.ptr[i]))
			return false;
	return true;
}

static bool hook_matcher_list_has(struct sv list, struct sv name)
{
	size_t from = 0;

	for (size_t i = 0; i <= list.len; i++) {
		if (i < list.len && list.ptr[i] != '|' && list.ptr[i] != ',')
			continue;
		if (sv_eq(sv_trim(sv_slice(list, from, i)), name))
			return true;
		from = i + 1;
	}
	return false;
}

static bool hook_matcher_finds(struct sv matcher, struct sv name)
{
	enum { STEPS = 100000 };
	struct err invalid = ERR_INIT;
	defer(regex_freep) struct regex *re =
		regex_new(matcher, (struct regex_opts){ .nocase = false }, &invalid);
	struct regex_budget budget = { .steps = STEPS };
	struct regex_match match;

	return !re || regex_find(re, name, 0, &budget, &match) != REGEX_NONE;
}

bool hook_matcher_check(struct sv matcher, struct err *err)
{
	defer(regex_freep) struct regex *re = NULL;

	if (sv_is(matcher, "*") || hook_matcher_is_list(matcher))
		return true;
	re = regex_new(matcher, (struct regex_opts){ .nocase = false }, err);
	return re != NULL;
}

bool hook_matcher_selects(struct sv matcher, struct sv name)
{
	if (!matcher.len || sv_is(matcher, "*"))
		return true;
	return hook_matcher_is_list(matcher) ? hook_matcher_list_has(matcher, name)
					     : hook_matcher_finds(matcher, name);
}

bool hook_matcher_next_name(struct sv tool, size_t *at, struct sv *name)
{
	while (*at < countof(hook_matcher_names)) {
		size_t i = (*at)++;

		if (sv_eq(hook_matcher_names[i].tool, tool)) {
			*name = hook_matcher_names[i].also;
			return true;
		}
	}
	return false;
}

bool hook_matcher_selects_tool(struct sv matcher, struct sv tool)
{
	struct sv also;

	if (hook_matcher_selects(matcher, tool))
		return true;
	for (size_t i = 0; hook_matcher_next_name(tool, &i, &also);)
		if (hook_matcher_selects(matcher, also))
			return true;
	return false;
}
