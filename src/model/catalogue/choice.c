/* Chooses models within the limits of availableModels, deniedModels and modelOverrides.
 *
 * The problem: one model has many ids. Users and settings name families, versions or snapshots;
 * clouds and routers add prefixes and suffixes; modelOverrides maps an id to any id that the
 * provider has. A rule must hold for a model whatever id is used to request it, or the rule would
 * be easy to bypass.
 *
 * The idea: check every id under which a model is known: the id itself, the provider id that it
 * maps to, and the ids that map to it. One matching entry of deniedModels is enough to deny the
 * model. To be allowed by availableModels, one of our ids must be listed; and if the provider id
 * names a Claude family, it must be listed too.
 *
 * Invariants:
 *   - deniedModels overrides availableModels.
 *   - The default model is never denied. It must be listed only if the list names a model and is
 *     enforced or matched exactly.
 *   - A model that the user names is allowed or rejected with the position of the rule, never
 *     replaced silently. Only the configured model is replaced by the default, with a note. */
#include "model/catalogue/choice.h"

#include "model/catalogue/choice_rule.h"
#include "model/catalogue/models_data.h"

enum { NAME_SHOWN = 80, ENTRIES_SHOWN = 20, FALLBACKS = 3 };

void model_rules_read(struct model_rules *rules, struct json settings)
{
	rules->available = json_get(settings, "availableModels");
	rules->denied = json_get(settings, "deniedModels");
	rules->overrides = json_get(settings, "modelOverrides");
	rules->by_model = json_get(settings, "modelSettings");
	rules->exact =
		sv_is(json_str_or(json_get(settings, "availableModelsMatch"), SV_EMPTY), "exact");
	rules->enforced = json_bool_or(json_get(settings, "enforceAvailableModels"), false);
	rules->usual_effort = model_effort_in(settings, "effortLevel");
	rules->most_effort = model_effort_in(settings, "maxEffortLevel");
}

/* --- availableModels and deniedModels --------------------------------------------------- */

/* Return whether deniedModels contains the id; `*entry` is the entry that matches. */
static bool choice_is_denied(const struct model_rules *rules, struct sv id, struct sv *entry)
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

static bool choice_is_listed(const struct model_rules *rules, struct sv id)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct json_iter it = json_each(rules->available);
	bool by_family = false, is_narrowed = false;
	struct json item;

	model_spelling_init(&spelling, id);
	while (json_next(&it, NULL, &item)) {
		defer(choice_rule_clear) struct choice_rule rule;

		choice_rule_init(&rule, json_str_or(item, SV_EMPTY));
		if (choice_rule_allows(&rule, &spelling, rules->exact))
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

/* Find the next model that has `id` as its provider id. */
static bool choice_next_known_as(struct json_iter *it, struct sv id, struct sv *key)
{
	struct sv bare = model_wire_id(id, NULL);
	struct json value;

	while (json_next(it, key, &value))
		if (sv_eq_nocase(model_wire_id(json_str_or(value, SV_EMPTY), NULL), bare))
			return true;
	return false;
}

/* --- allowed models ----------------------------------------------------------------------- */

enum bar { BAR_NONE, BAR_DENIED, BAR_NOT_LISTED };

static bool is_denied_anyhow(const struct model_rules *rules, struct sv id, struct sv *entry)
{
	struct sv wire = model_rules_wire(rules, id), key;
	struct json_iter it = json_each(rules->overrides);

	if (choice_is_denied(rules, id, entry) ||
	    (wire.len && choice_is_denied(rules, wire, entry)))
		return true;
	while (choice_next_known_as(&it, id, &key))
		if (choice_is_denied(rules, key, entry))
			return true;
	return false;
}

/* Return whether the id is listed or does not name a Claude family. An id that names its family
 * must be listed, even if it is a provider id. */
static bool is_listed_or_mute(const struct model_rules *rules, struct sv id)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct sv family;

	model_spelling_init(&spelling, id);
	return !model_family_of(sv_of(&spelling.text), &family) || choice_is_listed(rules, id);
}

static bool is_listed_anyhow(const struct model_rules *rules, struct sv id)
{
	struct json_iter it = json_each(rules->overrides);
	bool listed = choice_is_listed(rules, id);
	struct sv key;

	while (!listed && choice_next_known_as(&it, id, &key))
		listed = choice_is_listed(rules, key);
	return listed && is_listed_or_mute(rules, model_rules_wire(rules, id));
}

static enum bar choice_find_bar(const struct model_rules *rules, struct sv id, struct sv *entry)
{
	if (is_denied_anyhow(rules, id, entry))
		return BAR_DENIED;
	*entry = SV_EMPTY;
	if (json_exists(rules->available) && !is_listed_anyhow(rules, id))
		return BAR_NOT_LISTED;
	return BAR_NONE;
}

bool model_rules_allow(const struct model_rules *rules, struct sv id)
{
	struct sv entry;

	return choice_find_bar(rules, id, &entry) == BAR_NONE;
}

bool model_rules_check_model(const struct model_rules *rules, struct sv id, struct err *err)
{
	struct sv entry, shown = sv_slice(id, 0, NAME_SHOWN);
	enum bar bar = choice_find_bar(rules, id, &entry);
	defer(str_clear) struct str where = STR_INIT;

	if (bar == BAR_NONE)
		return true;
	if (bar == BAR_DENIED) {
		rules->where(rules->where_arg, "deniedModels", entry, &where);
		return err_set(err, ERR_ACCESS,
			       "model %.*s is not allowed: deniedModels contains \"%.*s\" (%s)",
			       SV_ARG(shown), SV_ARG(sv_slice(entry, 0, NAME_SHOWN)),
			       str_c(&where));
	}
	rules->where(rules->where_arg, "availableModels", SV_EMPTY, &where);
	return err_set(err, ERR_ACCESS, "model %.*s is not allowed: not in availableModels (%s)",
		       SV_ARG(shown), str_c(&where));
}

/* --- the default ------------------------------------------------------------------------ */

static bool choice_names_a_model(const struct model_rules *rules)
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

static bool choice_may_be_default(const struct model_rules *rules, struct sv id)
{
	bool needs_list = (rules->enforced || rules->exact) && choice_names_a_model(rules);
	struct sv entry;

	return needs_list ? model_rules_allow(rules, id) : !is_denied_anyhow(rules, id, &entry);
}

void model_rules_entry(const struct model_rules *rules, struct sv entry, struct str *out)
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

static bool choice_first_of_list(const struct model_rules *rules, struct str *out)
{
	struct json_iter it = json_each(rules->available);
	struct json item;

	while (json_next(&it, NULL, &item)) {
		defer(str_clear) struct str id = STR_INIT;

		model_rules_entry(rules, json_str_or(item, SV_EMPTY), &id);
		if (id.len && model_rules_allow(rules, sv_of(&id))) {
			str_add(out, sv_of(&id));
			return true;
		}
	}
	return false;
}

/* Find the newest model of the same family that is not denied. The table has the newest last. */
static bool choice_older_of_family(const struct model_rules *rules, struct sv usual,
				   struct str *out)
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

static bool choice_of_any_family(const struct model_rules *rules, struct str *out)
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

bool model_rules_default(const struct model_rules *rules, struct str *out, struct err *err)
{
	const char *key = json_len(rules->denied) ? "deniedModels" : "availableModels";
	defer(str_clear) struct str where = STR_INIT;

	if (choice_may_be_default(rules, rules->usual)) {
		str_add(out, rules->usual);
		return true;
	}
	if (choice_names_a_model(rules) ? choice_first_of_list(rules, out)
					: choice_older_of_family(rules, rules->usual, out) ||
						  choice_of_any_family(rules, out))
		return true;
	rules->where(rules->where_arg, key, SV_EMPTY, &where);
	return err_set(err, ERR_ACCESS, "no model is allowed: %s excludes every default model (%s)",
		       key, str_c(&where));
}

bool model_rules_stand(const struct model_rules *rules, struct sv id, struct err *err)
{
	defer(str_clear) struct str usual = STR_INIT;
	struct err why = ERR_INIT, ignored = ERR_INIT;

	return model_rules_check_model(rules, id, &why) ||
	       (model_rules_default(rules, &usual, &ignored) && sv_eq(sv_of(&usual), id)) ||
	       err_set(err, why.kind, "%s", why.text);
}

/* --- names ------------------------------------------------------------------------------ */

static bool choice_find_usual(const struct model_rules *rules, struct str *out, struct str *notes,
			      struct err *err)
{
	struct err why = ERR_INIT;
	size_t start = out->len;

	if (rules->wanted.len && model_rules_check_model(rules, rules->wanted, &why)) {
		str_add(out, rules->wanted);
		return true;
	}
	if (!model_rules_default(rules, out, err))
		return false;
	if (why.kind && !sv_eq(rules->wanted, sv_skip(sv_of(out), start)))
		str_addf(notes, "%s; using %s instead.\n", why.text, out->ptr + start);
	return true;
}

bool model_rules_find(const struct model_rules *rules, struct sv name, struct str *out,
		      struct str *notes, struct err *err)
{
	struct sv id = model_resolve(rules->table, name);

	if (!name.len || sv_eq_nocase(name, SV("default")))
		return choice_find_usual(rules, out, notes, err);
	if (!model_rules_check_model(rules, id, err))
		return false;
	str_add(out, id);
	return true;
}

static void choice_add_fallback(const struct model_rules *rules, struct sv name, struct str *out,
				struct str *notes)
{
	struct err err = ERR_INIT;

	if (model_rules_find(rules, name, out, notes, &err))
		str_addc(out, '\n');
	else
		str_addf(notes, "Skipped a fallback model: %s\n", err.text);
}

void model_rules_fallbacks(const struct model_rules *rules, const char *given, struct json list,
			   struct str *out, struct str *notes)
{
	struct json_iter it = json_each(list);
	defer(str_clear) struct str names = STR_INIT;
	struct sv rest, name;
	struct json item;
	size_t n = 0;

	str_adds(&names, given ? given : "");
	while (!given && json_next(&it, NULL, &item))
		str_addf(&names, "%.*s,", SV_ARG(json_str_or(item, SV_EMPTY)));
	for (rest = sv_of(&names); sv_cut(&rest, ',', &name);)
		if (sv_trim(name).len && n++ < FALLBACKS)
			choice_add_fallback(rules, sv_trim(name), out, notes);
	if (n > FALLBACKS)
		str_adds(notes, "Only the first three fallback models are used.\n");
}

struct sv model_rules_fallback(const struct model_rules *rules, struct sv lines, struct sv id)
{
	struct sv other;

	while (sv_cut_line(&lines, &other))
		if (other.len && !sv_eq(other, id) && model_rules_allow(rules, other))
			return other;
	return SV_EMPTY;
}

/* --- descriptions for users ----------------------------------------------------------------- */

static void choice_describe_list(struct str *out, const struct model_rules *rules,
				 const char *title, const char *key, struct json list)
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

static void choice_describe_model(struct str *out, const struct model_rules *rules)
{
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct model_info info;

	if (!model_rules_find(rules, SV_EMPTY, &id, &notes, &err)) {
		str_addf(out, "model in use: %s\n", err.text);
		return;
	}
	if (sv_is(sv_of(&id), MODEL_UNDECIDED)) {
		str_adds(out, "model in use: the only one that the server lists "
			      "(set OPENAI_MODEL to choose another)\n");
		return;
	}
	info = model_info(rules->table, sv_of(&id));
	str_addf(out, "model in use: %s, context window ", str_c(&id));
	str_add_count(out, info.context);
	str_adds(out, " tokens, output up to ");
	str_add_count(out, info.max_output);
	str_addf(out, "%s\n",
		 info.known ? "" : " (not in the table: cautious guesses, cost unknown)");
	str_add(out, sv_of(&notes));
}

void model_rules_describe(struct str *out, const struct model_rules *rules)
{
	choice_describe_model(out, rules);
	if (json_exists(rules->available))
		choice_describe_list(out, rules, rules->exact ? "models, exactly" : "models",
				     "availableModels", rules->available);
	if (json_len(rules->denied))
		choice_describe_list(out, rules, "denied models", "deniedModels", rules->denied);
	if (rules->most_effort) {
		str_addf(out, "most effort: %s (maxEffortLevel, ",
			 model_effort_name(rules->most_effort));
		rules->where(rules->where_arg, "maxEffortLevel", SV_EMPTY, out);
		str_adds(out, ")\n");
	}
}
