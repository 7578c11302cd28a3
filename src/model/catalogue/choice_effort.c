/* How much effort a model may be asked for. */
#include "model/catalogue/choice.h"
#include "model/catalogue/choice_rule.h"

enum { NAME_SHOWN = 80 };

/* --- effort ----------------------------------------------------------------------------- */

struct levels {
	enum model_effort usual, most; /* MODEL_EFFORT_DEFAULT: not said */
};

static enum model_effort effort_lower_of(enum model_effort a, enum model_effort b)
{
	return a && b ? min_of(a, b) : max_of(a, b);
}

/* A rule for a version overrides a rule for its family; limits apply together. */
static struct levels levels_of(const struct model_rules *rules, struct sv id)
{
	defer(model_spelling_clear) struct model_spelling spelling;
	struct json_iter it = json_each(rules->by_model);
	struct levels levels = { .most = rules->most_effort };
	enum model_effort of_family = MODEL_EFFORT_DEFAULT;
	struct json settings;
	struct sv name;

	model_spelling_init(&spelling, id);
	while (json_next(&it, &name, &settings)) {
		defer(choice_rule_clear) struct choice_rule rule;
		bool is_it;

		choice_rule_init(&rule, name);
		is_it = choice_rule_allows(&rule, &spelling, true);
		if (!is_it &&
		    (rule.kind != CHOICE_FAMILY || !choice_rule_is_of_family(&rule, &spelling)))
			continue;
		*(is_it ? &levels.usual : &of_family) = model_effort_in(settings, "effortLevel");
		levels.most =
			effort_lower_of(levels.most, model_effort_in(settings, "maxEffortLevel"));
	}
	if (!levels.usual)
		levels.usual = of_family ? of_family : rules->usual_effort;
	return levels;
}

enum model_effort model_rules_effort(const struct model_rules *rules, struct sv id,
				     enum model_effort asked)
{
	struct levels levels = levels_of(rules, id);
	enum model_effort effort = asked ? asked : levels.usual;

	if (effort)
		return effort_lower_of(effort, levels.most);
	/* Services use "high" if the request does not say. */
	if (levels.most && levels.most < MODEL_EFFORT_HIGH &&
	    model_info(rules->table, id).abilities & MODEL_TAKES_EFFORT)
		return levels.most;
	return MODEL_EFFORT_DEFAULT;
}

bool model_rules_check(const struct model_rules *rules, struct err *err)
{
	static const char *const keys[] = { "effortLevel", "maxEffortLevel" };
	struct json_iter it = json_each(rules->by_model);
	struct json settings;
	struct sv name;

	while (json_next(&it, &name, &settings)) {
		for (size_t i = 0; i < countof(keys); i++) {
			struct json level = json_get(settings, keys[i]);
			defer(str_clear) struct str where = STR_INIT;
			enum model_effort ignored;

			if (!json_exists(level) ||
			    model_effort_read(&ignored, json_str_or(level, SV_EMPTY), err))
				continue;
			rules->where(rules->where_arg, "modelSettings", SV_EMPTY, &where);
			return err_context(err, "%s: modelSettings.%.*s.%s", str_c(&where),
					   SV_ARG(sv_slice(name, 0, NAME_SHOWN)), keys[i]);
		}
	}
	return true;
}
