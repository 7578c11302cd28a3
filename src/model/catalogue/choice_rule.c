#include "model/catalogue/choice_rule.h"

#include "model/catalogue/models_data.h"

/* --- rules ------------------------------------------------------------------------------ */

/* "best" is whatever is best this month. */
static bool is_moving(struct sv name)
{
	struct sv family;

	for (size_t at = 0; model_family_next(&at, &family);)
		if (sv_eq(name, family))
			return false;
	for (size_t i = 0; i < model_aliases_count; i++)
		if (sv_eq(model_aliases[i].alias, name))
			return true;
	return false;
}

static struct sv choice_rule_drop_vendor(struct sv name)
{
	return sv_starts(name, SV("claude-")) ? sv_skip(name, strlen("claude-")) : name;
}

static enum choice_rule_kind choice_rule_kind_of(struct choice_rule *rule)
{
	struct sv name = rule->spelling.bare, family;
	size_t first;

	if (!name.len || is_moving(name))
		return CHOICE_NONE;
	for (size_t at = 0; model_family_next(&at, &family);) {
		rule->family = family;
		if (sv_eq(choice_rule_drop_vendor(name), family))
			return CHOICE_FAMILY;
		first = 0;
		if (model_version_next(name, family, &first, &rule->version) &&
		    rule->version.major >= 0)
			return CHOICE_VERSION;
	}
	rule->family = SV_EMPTY;
	return CHOICE_NAME;
}

void choice_rule_init(struct choice_rule *rule, struct sv text)
{
	*rule = (struct choice_rule){ .kind = CHOICE_NONE };
	model_spelling_init(&rule->spelling, text);
	rule->kind = choice_rule_kind_of(rule);
}

void choice_rule_clear(struct choice_rule *rule)
{
	model_spelling_clear(&rule->spelling);
}

/* Compare versions. A missing minor number means 0; with `loose`, a rule without one matches
 * any. */
static bool is_version(const struct model_version *rule, const struct model_version *id, bool loose)
{
	if (rule->major != id->major)
		return false;
	if (rule->minor < 0 && loose)
		return true;
	return max_of(rule->minor, 0) == max_of(id->minor, 0);
}

/* --- deniedModels ----------------------------------------------------------------------- */

/* Return the newest version of the family, which a name without a version stands for. */
static struct model_version choice_rule_newest(struct sv family)
{
	struct model_version version = { .major = -1, .minor = -1 };

	for (size_t i = 0; i < model_aliases_count; i++)
		if (sv_eq(model_aliases[i].alias, family))
			(void)!model_version_next(model_aliases[i].id, family, &(size_t){ 0 },
						  &version);
	return version;
}

static bool choice_rule_denies_version(const struct choice_rule *rule, struct sv text)
{
	struct model_version version;

	for (size_t at = 0; model_version_next(text, rule->family, &at, &version);) {
		if (version.major < 0)
			version = choice_rule_newest(rule->family);
		if (is_version(&rule->version, &version, true))
			return true;
	}
	return false;
}

/* An id that names no family may be the model that the family's alias stands for. */
static bool choice_rule_denies_family(const struct choice_rule *rule,
				      const struct model_table *table,
				      const struct model_spelling *id)
{
	struct model_version ignored;
	struct sv text = sv_of(&id->text), alias, family;

	if (model_version_next(text, rule->family, &(size_t){ 0 }, &ignored))
		return true;
	alias = model_wire_id(model_resolve(table, rule->family), NULL);
	return !model_family_of(text, &family) && sv_eq_nocase(alias, text);
}

/* A name without a tag denies every tag of it. */
static bool choice_rule_denies_name(const struct choice_rule *rule, const struct model_spelling *id)
{
	struct sv name = rule->spelling.undated;
	struct sv untagged = model_undated_id(sv_slice(id->bare, 0, sv_find_char(id->bare, ':')));

	return sv_eq(name, id->undated) || sv_eq(name, untagged);
}

bool choice_rule_denies(const struct choice_rule *rule, const struct model_table *table,
			const struct model_spelling *id)
{
	switch (rule->kind) {
	case CHOICE_NONE: return false;
	case CHOICE_FAMILY: return choice_rule_denies_family(rule, table, id);
	case CHOICE_VERSION: return choice_rule_denies_version(rule, sv_of(&id->text));
	case CHOICE_NAME: return choice_rule_denies_name(rule, id);
	}
	BUG("rule %d", (int)rule->kind);
}

/* --- availableModels -------------------------------------------------------------------- */

static bool is_dated(const struct model_version *rule, const struct model_version *id, bool exact)
{
	if (rule->date.len)
		return sv_eq(rule->date, id->date);
	return !exact || !sv_is(id->date, "latest");
}

static bool choice_rule_allows_version(const struct choice_rule *rule, struct sv bare, bool exact)
{
	struct model_version version;

	for (size_t at = 0; model_version_next(bare, rule->family, &at, &version);)
		if (version.major >= 0 && is_version(&rule->version, &version, !exact) &&
		    is_dated(&rule->version, &version, exact))
			return true;
	return false;
}

/* A rule with a route ("openai/...") matches only that route. */
static bool choice_rule_allows_name(const struct choice_rule *rule, const struct model_spelling *id,
				    bool exact)
{
	struct sv name = sv_of(&rule->spelling.text), text = id->bare;

	if (sv_find_char(name, '/') != SIZE_MAX)
		text = sv_of(&id->text);
	if (sv_eq(name, text) || sv_eq(name, model_undated_id(text)))
		return true;
	return !exact && text.len > name.len && sv_starts(text, name) &&
	       strchr("-:.@/", text.ptr[name.len]);
}

/* Return whether the rule names this version or this model. */
bool choice_rule_allows(const struct choice_rule *rule, const struct model_spelling *id, bool exact)
{
	if (rule->kind == CHOICE_VERSION)
		return choice_rule_allows_version(rule, id->bare, exact);
	return rule->kind == CHOICE_NAME && choice_rule_allows_name(rule, id, exact);
}

bool choice_rule_is_of_family(const struct choice_rule *rule, const struct model_spelling *id)
{
	struct model_version ignored;

	return rule->family.len &&
	       model_version_next(id->bare, rule->family, &(size_t){ 0 }, &ignored);
}
