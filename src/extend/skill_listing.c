#include "extend/skill_listing.h"

#include "base/utf8.h"

enum { SHORTEST = 20 }; /* less of a description says nothing */

static void skill_listing_describe(struct str *out, const struct skill_entry *skill)
{
	str_add(out, skill->description);
	if (skill->when_to_use.len)
		str_addf(out, "%s%.*s", out->len ? " - " : "", SV_ARG(skill->when_to_use));
}

static void skill_listing_add(struct str *out, const struct skill_entry *skill, size_t max)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv shown;

	if (!skill->is_name_only)
		skill_listing_describe(&text, skill);
	shown = utf8_prefix(sv_of(&text), max);
	str_addf(out, "- %.*s", SV_ARG(skill->name));
	if (shown.len == text.len && text.len)
		str_addf(out, ": %.*s", SV_ARG(shown));
	else if (shown.len >= SHORTEST)
		str_addf(out, ": %.*s...", SV_ARG(sv_trim(shown)));
	str_addc(out, '\n');
}

/* The bytes that one description may have, so that all lines fit. */
static size_t skill_listing_share(const struct skill_entry *skills, size_t n,
				  struct skill_budget budget)
{
	defer(str_clear) struct str names = STR_INIT, whole = STR_INIT;
	size_t sharing = 0, left;

	for (size_t i = 0; i < n; i++) {
		skill_listing_add(&whole, &skills[i], budget.description);
		skill_listing_add(&names, &skills[i], 0);
		sharing += !skills[i].is_name_only;
	}
	if (whole.len <= budget.bytes || !sharing)
		return budget.description;
	left = budget.bytes - min_of(budget.bytes, names.len);
	left -= min_of(left, sharing * strlen(": ..."));
	return left / sharing;
}

void skill_listing_write(struct str *out, const struct skill_entry *skills, size_t n,
			 struct skill_budget budget)
{
	size_t share = skill_listing_share(skills, n, budget);

	for (size_t i = 0; i < n; i++)
		skill_listing_add(out, &skills[i], share);
}
