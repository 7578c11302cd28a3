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
#ifndef AWL_MODEL_CATALOGUE_CHOICE_H
#define AWL_MODEL_CATALOGUE_CHOICE_H

#include "model/catalogue/effort.h"
#include "text/json/json.h"

/* Appends where the key, or this entry of its list, stands: "<file>:<line>". */
typedef void model_where_fn(const void *arg, const char *key, struct sv entry, struct str *out);

/* All borrowed. */
struct model_rules {
	const struct model_table *table;
	struct sv usual;       /* id of the model that is the default if nothing forbids it */
	struct sv wanted;      /* id of the one that is configured; empty: none */
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

/* Sets all that stands in `settings`: the lists, and what is said of effort. */
void model_rules_read(struct model_rules *rules, struct json settings);
/* Fails on a level of effort in `by_model` that is none, saying where. */
must_use bool model_rules_check(const struct model_rules *rules, struct err *err);

/* Whether the id may be asked, by name; model_rules_need() also says what forbids it. */
bool model_rules_permit(const struct model_rules *rules, struct sv id);
must_use bool model_rules_need(const struct model_rules *rules, struct sv id, struct err *err);
/* Whether it may go on being asked: the default need not be listed. */
must_use bool model_rules_stand(const struct model_rules *rules, struct sv id, struct err *err);

/* Appends the id that an entry of the list of what is available stands for; of one that stands
 * for no model nothing. */
void model_rules_entry(const struct model_rules *rules, struct sv entry, struct str *out);
/* Appends the id of the default model: `usual`; if that may not be asked, the first of the list
 * that may; without a list the next older one of its family, then one of another. Fails
 * (ERR_ACCESS) when none is left. */
must_use bool model_rules_default(const struct model_rules *rules, struct str *out,
				  struct err *err);
/* Appends the id of the model of that name. Of none, and of "default": the one that is
 * configured or, with a line in `notes` when that may not be asked, the default. */
must_use bool model_rules_find(const struct model_rules *rules, struct sv name, struct str *out,
			       struct str *notes, struct err *err);

/* Appends the ids of those to try, in this order, when a model is overloaded, a line each; of
 * `given`, which is apart by commas, or if that is NULL, of the list. What may not be asked is
 * left out, and what is more than three, with a line in `notes`. */
void model_rules_fallbacks(const struct model_rules *rules, const char *given, struct json list,
			   struct str *out, struct str *notes);
/* The first of these lines that is not `id` and may be asked now; empty: none. */
struct sv model_rules_fallback(const struct model_rules *rules, struct sv lines, struct sv id);

/* The provider's own id; empty: it knows the model by the id that we do. */
struct sv model_rules_wire(const struct model_rules *rules, struct sv id);

/* What to ask of this model when `asked` (MODEL_EFFORT_DEFAULT: nothing) was asked for. */
enum model_effort model_rules_effort(const struct model_rules *rules, struct sv id,
				     enum model_effort asked);

/* Appends which model is asked, and what limits the choice, a line each. */
void model_rules_describe(struct str *out, const struct model_rules *rules);

#endif
