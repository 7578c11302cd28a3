/* choice.h - which models may be asked, by which id of the provider and with how much effort,
 * as the settings have it. Pure.
 *
 * A rule is a family ("opus"), a version ("opus-4-5", "claude-opus-4-5"; with a date that
 * snapshot alone), or the name of any other model. It is held against what a spelling says of a
 * model: letter case, "[1m]", "-fast" and the ways of clouds and routers make no difference.
 * Names that mean another model with every release (best, default, opusplan) are no rules.
 *
 * What is available may be asked: in the usual match also what an entry is the beginning of
 * ("claude-opus-5": every Opus 5.x), in the exact one only the version itself. A version in the
 * list narrows the family that is in it too. What is denied may not be asked, whatever is
 * available; a version without its minor number denies all of these, and no date is looked at.
 *
 * The default model needs to be in the list only where that is enforced, or the match exact. */
#ifndef AWL_MODEL_CHOICE_H
#define AWL_MODEL_CHOICE_H

#include "model/effort.h"
#include "text/json.h"

/* Appends where the key, or this entry of its list, stands: "<file>:<line>". */
typedef void model_where_fn(const void *arg, const char *key, struct sv entry, struct str *out);

/* All borrowed. */
struct model_rules {
	const struct model_table *table;
	struct json available; /* a list of strings; missing: all */
	struct json denied;    /* a list of strings */
	struct json overrides; /* the provider's own id by id */
	struct json by_model;  /* {"effortLevel", "maxEffortLevel"} by rule */
	bool exact, enforced;
	enum model_effort usual_effort; /* where nobody says more */
	enum model_effort most_effort;  /* MODEL_EFFORT_DEFAULT: no limit */
	model_where_fn *where;
	const void *where_arg;
};

/* Fails on a level of effort in `by_model` that is none, saying where. */
must_use bool model_rules_check(const struct model_rules *rules, struct err *err);

/* Whether the id may be asked, by name; model_rules_need() also says what forbids it. */
bool model_rules_permit(const struct model_rules *rules, struct sv id);
must_use bool model_rules_need(const struct model_rules *rules, struct sv id, struct err *err);

/* Appends the id of the model that is asked when none is named: `usual`; if that may not be,
 * the first of the list that may; without a list the next older one of its family, then of
 * another. Fails (ERR_ACCESS) when none is left. */
must_use bool model_rules_default(const struct model_rules *rules, struct sv usual, struct str *out,
				  struct err *err);

/* The provider's own id; empty: it knows the model by the id that we do. */
struct sv model_rules_wire(const struct model_rules *rules, struct sv id);

/* What to ask of this model when `asked` (MODEL_EFFORT_DEFAULT: nothing) was asked for. */
enum model_effort model_rules_effort(const struct model_rules *rules, struct sv id,
				     enum model_effort asked);

/* Appends what limits the choice, a line each; nothing where nothing does. */
void model_rules_describe(struct str *out, const struct model_rules *rules);

#endif
