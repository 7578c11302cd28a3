#include "model/choice.h"

#include "model/choice_rule.h"
#include "model/models_data.h"

enum { NAME_SHOWN = 80, ENTRIES_SHOWN = 20 };

/* --- the lists -------------------------------------------------------------------------- */

/* `*entry`: the one that does. */
static bool is_denied(const struct model_rules *rules, struct sv id, struct sv *entry)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct json_iter it = json_each(rules->denied);
	struct json item;

	model_spelling_init(&spelling, id);
	while (json_next(&it, NULL, &item)) {
		defer(choice_rule_clear) struct choice_rule rule;

		*entry = json_str_or(item, SV_EMPTY);
		choice_rule_init(&rule, *entry);
		if (choice_rule_denies(&rule, rules->table, &spelling))
			return true;
	}
	return false;
}

static bool is_listed(const struct model_rules *rules, struct sv id)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct json_iter it = json_each(rules->available);
	bool by_family = false, is_narrowed = false;
	struct json item;

	model_spelling_init(&spelling, id);
	while (json_next(&it, NULL, &item)) {
		defer(choice_rule_clear) struct choice_rule rule;

		choice_rule_init(&rule, json_str_or(item, SV_EMPTY));
		if (choice_rule_permits(&rule, &spelling, rules->exact))
			return true;
		if (choice_rule_is_of_family(&rule, &spelling)) {
			by_family |= rule.kind == CHOICE_FAMILY;
			is_narrowed |= rule.kind == CHOICE_VERSION;
		}
	}
	return by_family && !is_narrowed;
}

/* --- ids of the provider ---------------------------------------------------------------- */

struct sv model_rules_wire(const struct model_rules *rules, struct sv id)
{
	struct json_iter it = json_each(rules->overrides);
	struct sv key, bare = model_wire_id(id, NULL);
	struct json value;

	while (json_next(&it, &key, &value))
		if (sv_eq_nocase(model_wire_id(key, NULL), bare))
			return model_wire_id(json_str_or(value, SV_EMPTY), NULL);
	return SV_EMPTY;
}

/* The next model that this id is an id of the provider for. */
static bool next_known_as(struct json_iter *it, struct sv id, struct sv *key)
{
	struct sv bare = model_wire_id(id, NULL);
	struct json value;

	while (json_next(it, key, &value))
		if (sv_eq_nocase(model_wire_id(json_str_or(value, SV_EMPTY), NULL), bare))
			return true;
	return false;
}

/* --- the choice ------------------------------------------------------------------------- */

enum bar { BAR_NONE, BAR_DENIED, BAR_NOT_LISTED };

static bool is_denied_anyhow(const struct model_rules *rules, struct sv id, struct sv *entry)
{
	struct sv wire = model_rules_wire(rules, id), key;
	struct json_iter it = json_each(rules->overrides);

	if (is_denied(rules, id, entry) || (wire.len && is_denied(rules, wire, entry)))
		return true;
	while (next_known_as(&it, id, &key))
		if (is_denied(rules, key, entry))
			return true;
	return false;
}

/* An id that says of itself which model it is has to be listed, whoever's id it is. */
static bool is_listed_or_mute(const struct model_rules *rules, struct sv id)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct sv family;

	model_spelling_init(&spelling, id);
	return !model_family_of(sv_of(&spelling.text), &family) || is_listed(rules, id);
}

static bool is_listed_anyhow(const struct model_rules *rules, struct sv id)
{
	struct json_iter it = json_each(rules->overrides);
	bool listed = is_listed(rules, id);
	struct sv key;

	while (!listed && next_known_as(&it, id, &key))
		listed = is_listed(rules, key);
	return listed && is_listed_or_mute(rules, model_rules_wire(rules, id));
}

static enum bar find_bar(const struct model_rules *rules, struct sv id, struct sv *entry)
{
	if (is_denied_anyhow(rules, id, entry))
		return BAR_DENIED;
	*entry = SV_EMPTY;
	if (json_exists(rules->available) && !is_listed_anyhow(rules, id))
		return BAR_NOT_LISTED;
	return BAR_NONE;
}

bool model_rules_permit(const struct model_rules *rules, struct sv id)
{
	struct sv entry;

	return find_bar(rules, id, &entry) == BAR_NONE;
}

bool model_rules_need(const struct model_rules *rules, struct sv id, struct err *err)
{
	struct sv entry, shown = sv_slice(id, 0, NAME_SHOWN);
	enum bar bar = find_bar(rules, id, &entry);
	defer(str_clear) struct str where = STR_INIT;

	if (bar == BAR_NONE)
		return true;
	if (bar == BAR_DENIED) {
		rules->where(rules->where_arg, "deniedModels", entry, &where);
		return err_set(err, ERR_ACCESS,
			       "the model %.*s may not be asked: deniedModels has \"%.*s\" (%s)",
			       SV_ARG(shown), SV_ARG(sv_slice(entry, 0, NAME_SHOWN)),
			       str_c(&where));
	}
	rules->where(rules->where_arg, "availableModels", SV_EMPTY, &where);
	return err_set(err, ERR_ACCESS,
		       "the model %.*s may not be asked: availableModels does not have it (%s)",
		       SV_ARG(shown), str_c(&where));
}

/* --- the default ------------------------------------------------------------------------ */

static bool names_a_model(const struct model_rules *rules)
{
	struct json_iter it = json_each(rules->available);
	struct json item;

	while (json_next(&it, NULL, &item)) {
		defer(choice_rule_clear) struct choice_rule rule;

		choice_rule_init(&rule, json_str_or(item, SV_EMPTY));
		if (rule.kind != CHOICE_NONE)
			return true;
	}
	return false;
}

static bool may_be_default(const struct model_rules *rules, struct sv id)
{
	bool needs_list = (rules->enforced || rules->exact) && names_a_model(rules);
	struct sv entry;

	return needs_list ? model_rules_permit(rules, id) : !is_denied_anyhow(rules, id, &entry);
}

/* The id that an entry of the list stands for. */
static void add_id_of(const struct model_rules *rules, struct sv entry, struct str *out)
{
	defer(choice_rule_clear) struct choice_rule rule;

	choice_rule_init(&rule, entry);
	if (rule.kind == CHOICE_FAMILY)
		str_add(out, model_resolve(rules->table, rule.family));
	else if (rule.kind == CHOICE_VERSION && sv_starts(rule.spelling.bare, rule.family))
		str_addf(out, "claude-%.*s", SV_ARG(sv_trim(entry)));
	else if (rule.kind != CHOICE_NONE)
		str_add(out, sv_trim(entry));
}

static bool first_of_list(const struct model_rules *rules, struct str *out)
{
	struct json_iter it = json_each(rules->available);
	struct json item;

	while (json_next(&it, NULL, &item)) {
		defer(str_clear) struct str id = STR_INIT;

		add_id_of(rules, json_str_or(item, SV_EMPTY), &id);
		if (id.len && model_rules_permit(rules, sv_of(&id))) {
			str_add(out, sv_of(&id));
			return true;
		}
	}
	return false;
}

/* The table has the newest of a family last. */
static bool older_of_family(const struct model_rules *rules, struct sv usual, struct str *out)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct sv family, entry;

	model_spelling_init(&spelling, usual);
	if (!model_family_of(spelling.bare, &family))
		return false;
	for (size_t i = model_rows_count; i > 0; i--) {
		struct sv id = model_rows[i - 1].id;

		if (sv_find(id, family) != SIZE_MAX && !is_denied_anyhow(rules, id, &entry)) {
			str_add(out, id);
			return true;
		}
	}
	return false;
}

static bool of_any_family(const struct model_rules *rules, struct str *out)
{
	struct sv family, entry;

	for (size_t at = 0; model_family_next(&at, &family);) {
		struct sv id = model_resolve(rules->table, family);

		if (!is_denied_anyhow(rules, id, &entry)) {
			str_add(out, id);
			return true;
		}
	}
	return false;
}

bool model_rules_default(const struct model_rules *rules, struct sv usual, struct str *out,
			 struct err *err)
{
	bool has_list = names_a_model(rules);
	const char *key = json_len(rules->denied) ? "deniedModels" : "availableModels";
	defer(str_clear) struct str where = STR_INIT;

	if (may_be_default(rules, usual)) {
		str_add(out, usual);
		return true;
	}
	if (has_list ? first_of_list(rules, out)
		     : older_of_family(rules, usual, out) || of_any_family(rules, out))
		return true;
	rules->where(rules->where_arg, key, SV_EMPTY, &where);
	return err_set(err, ERR_ACCESS,
		       "no model is left that may be asked: %s leaves none for the default (%s)",
		       key, str_c(&where));
}

/* --- for people ------------------------------------------------------------------------- */

static void describe_list(struct str *out, const struct model_rules *rules, const char *title,
			  const char *key, struct json list)
{
	struct json_iter it = json_each(list);
	struct json item;
	size_t n = 0;

	str_addf(out, "%s: ", title);
	while (json_next(&it, NULL, &item) && ++n <= ENTRIES_SHOWN)
		str_addf(out, "%s%.*s", n > 1 ? ", " : "",
			 SV_ARG(sv_slice(json_str_or(item, SV_EMPTY), 0, NAME_SHOWN)));
	if (n > ENTRIES_SHOWN)
		str_adds(out, " and more");
	str_addf(out, "%s (%s, ", n ? "" : "the default only", key);
	rules->where(rules->where_arg, key, SV_EMPTY, out);
	str_adds(out, ")\n");
}

void model_rules_describe(struct str *out, const struct model_rules *rules)
{
	if (json_exists(rules->available))
		describe_list(out, rules, rules->exact ? "models, exactly" : "models",
			      "availableModels", rules->available);
	if (json_len(rules->denied))
		describe_list(out, rules, "denied models", "deniedModels", rules->denied);
	if (rules->most_effort) {
		str_addf(out, "most effort: %s (maxEffortLevel, ",
			 model_effort_name(rules->most_effort));
		rules->where(rules->where_arg, "maxEffortLevel", SV_EMPTY, out);
		str_adds(out, ")\n");
	}
}
