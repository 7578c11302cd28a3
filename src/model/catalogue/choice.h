/* choice.h - which models the settings allow, the provider's ids for them, and the reasoning
 * effort to request. Pure.
 *
 * A rule is a family ("opus"), a version ("opus-4-5", "claude-opus-4-5"; with a date, only that
 * snapshot), or the name of any other model. Rules match the parsed name of a model
 * (spelling.h): letter case, "[1m]", "-fast" and the prefixes of clouds and routers make no
 * difference. Names that stand for a different model with every release (best, default,
 * opusplan) cannot be rules.
 *
 * availableModels lists the allowed models. The usual match is by prefix: "claude-opus-5" allows
 * every Opus 5.x. The exact match allows only that version. A version in the list narrows a
 * family that is also in the list. deniedModels overrides availableModels. A version without a
 * minor number denies all its minor versions, and dates are ignored.
 *
 * The default model must be in the list only if that is enforced or the match is exact. */
#ifndef AWL_MODEL_CATALOGUE_CHOICE_H
#define AWL_MODEL_CATALOGUE_CHOICE_H

#include "model/catalogue/effort.h"
#include "text/json/json.h"

/* Appends the position of the key, or of this entry of its list: "<file>:<line>". */
typedef void model_where_fn(const void *arg, const char *key, struct sv entry, struct str *out);

/* Everything is borrowed. */
struct model_rules {
	const struct model_table *table;
	struct sv usual;       /* id of the default model unless a rule denies it */
	struct sv wanted;      /* id of the configured model; empty: none */
	struct json available; /* a list of strings; missing: all */
	struct json denied;    /* a list of strings */
	struct json overrides; /* maps ids to the provider's own ids */
	struct json by_model;  /* maps rules to {"effortLevel", "maxEffortLevel"} */
	bool exact, enforced;
	enum model_effort usual_effort; /* used when nothing else sets the effort */
	enum model_effort most_effort;  /* MODEL_EFFORT_DEFAULT: no limit */
	model_where_fn *where;
	const void *where_arg;
};

/* Reads the lists and the effort rules from `settings`. */
void model_rules_read(struct model_rules *rules, struct json settings);
/* Fails if `by_model` contains an unknown effort level; the error has its position. */
must_use bool model_rules_check(const struct model_rules *rules, struct err *err);

/* Returns whether the rules allow the model. model_rules_check_model() also reports the rule
 * that denies it. */
bool model_rules_allow(const struct model_rules *rules, struct sv id);
must_use bool model_rules_check_model(const struct model_rules *rules, struct sv id,
				      struct err *err);
/* Returns whether a session may keep using the model. The default model need not be listed. */
must_use bool model_rules_stand(const struct model_rules *rules, struct sv id, struct err *err);

/* Appends the id of the model that an entry of availableModels stands for, or nothing if it
 * stands for none. */
void model_rules_entry(const struct model_rules *rules, struct sv entry, struct str *out);
/* Appends the id of the default model: `usual` if it is allowed, else the first allowed entry of
 * the list. Without a list: the next older model of its family, then one of another family.
 * Fails (ERR_ACCESS) when no model is allowed. */
must_use bool model_rules_default(const struct model_rules *rules, struct str *out,
				  struct err *err);
/* Appends the id of the model with that name. An empty name and "default" mean the configured
 * model or, if it is not allowed, the default model, with a line in `notes`. */
must_use bool model_rules_find(const struct model_rules *rules, struct sv name, struct str *out,
			       struct str *notes, struct err *err);

/* Appends the ids of the fallback models for overloads, in order, one per line. They come from
 * `given`, separated by commas, or from `list` if `given` is NULL. Skips models that are not
 * allowed and any beyond the third, with a line in `notes`. */
void model_rules_fallbacks(const struct model_rules *rules, const char *given, struct json list,
			   struct str *out, struct str *notes);
/* Returns the first of these lines that is not `id` and is allowed now; empty: none. */
struct sv model_rules_fallback(const struct model_rules *rules, struct sv lines, struct sv id);

/* Returns the provider's own id; empty: the same id. */
struct sv model_rules_wire(const struct model_rules *rules, struct sv id);

/* Returns the effort to request from this model when the user chose `asked`
 * (MODEL_EFFORT_DEFAULT: no choice). */
enum model_effort model_rules_effort(const struct model_rules *rules, struct sv id,
				     enum model_effort asked);

/* Appends the model in use and what limits the choice, one line each. */
void model_rules_describe(struct str *out, const struct model_rules *rules);

#endif
