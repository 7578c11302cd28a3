/* models.h - the names, limits, prices and abilities of each model: a const table, extended by
 * settings and by the host's list. */
#ifndef AWL_MODEL_CATALOGUE_MODELS_H
#define AWL_MODEL_CATALOGUE_MODELS_H

#include "base/map.h"
#include "model/config.h"
#include "model/usage.h"

enum model_ability {
	MODEL_THINKS = 1 << 0,          /* extended thinking with a budget */
	MODEL_THINKS_ADAPTIVE = 1 << 1, /* the model decides how much */
	MODEL_TAKES_EFFORT = 1 << 2,
	MODEL_SEES = 1 << 3, /* images */
	MODEL_READS_PDF = 1 << 4,
	MODEL_CACHES = 1 << 5, /* prompt caching by breakpoints */
	MODEL_CALLS_TOOLS = 1 << 6,
	MODEL_SEARCHES = 1 << 7,    /* web search as a server tool */
	MODEL_WANTS_PATCH = 1 << 8, /* edits best by apply_patch */
	MODEL_RUNS_FAST = 1 << 9,   /* has a fast mode */
};

struct model_info {
	struct sv id;
	struct sv name;         /* for people; empty: the id */
	int64_t context;        /* tokens, prompt and response together */
	int64_t max_output;     /* the largest max_tokens */
	int64_t default_output; /* what to request */
	unsigned abilities;
	struct price price;
	bool is_limited;    /* by invitation only: works if it is named, and is not offered */
	bool known;         /* false: conservative guesses, no price */
	bool has_abilities; /* false: `abilities` is a guess */
};

/* Whether to use the ability. An unknown ability is tried. */
static inline bool model_may(const struct model_info *info, enum model_ability ability)
{
	return !info->has_abilities || info->abilities & (unsigned)ability;
}

/* Stands for the model of a server where none is configured, until model_find_start() has found
 * it. */
#define MODEL_UNDECIDED "default"

struct model_table;

struct model_table *model_table_new(void);
void model_table_free(struct model_table *table);
void model_table_freep(struct model_table **table);

/* Adds or overrides models from settings: an object that maps ids to {name, context, maxOutput,
 * abilities: [..], price: {input, output, cacheRead, cacheWrite, cacheWrite1h} in dollars per
 * million tokens}; and the setting `modelPricing`. On failure, which names the member, nothing
 * changes. */
must_use bool model_table_extend(struct model_table *table, struct json models, struct err *err);
must_use bool model_table_prices(struct model_table *table, struct json pricing, struct err *err);
/* Adds what a host lists: /v1/models in the shape of Anthropic or OpenAI, with the extra fields of
 * local servers, or Bedrock's inference profiles. Entries that say nothing new are ignored. */
must_use bool model_table_learn(struct model_table *table, struct json listing, struct err *err);
/* Lets what was learned of `id` count for `name` too, unless the host has listed that itself. */
void model_table_copy_learned(struct model_table *table, struct sv id, struct sv name);

/* Returns the id of an alias: "opus", "sonnet", "haiku", "fable", "best", "default", "opusplan"
 * (outside of plan mode), each also with "[1m]" for the long window. Any other name is returned
 * unchanged. Callers override aliases from the environment (ANTHROPIC_DEFAULT_OPUS_MODEL ...). The
 * result borrows from the table or `name`. */
struct sv model_resolve(const struct model_table *table, struct sv name);
void model_table_alias(struct model_table *table, struct sv name, struct sv id);
/* Sets the aliases that mean another model on this provider. Call it before the user's own
 * model_table_alias(). */
void model_table_use_provider(struct model_table *table, enum model_provider provider);
/* Returns the id without the "[1m]" that requests the long window. `wants_long` may be NULL. */
struct sv model_wire_id(struct sv id, bool *wants_long);

/* model_bare_id() returns the id without "[1m]" and without the prefix of a cloud or router
 * ("us.anthropic.", "openai/"); model_undated_id() also removes the date and the revision of the
 * packaging. Views of `id`. */
struct sv model_bare_id(struct sv id);
struct sv model_undated_id(struct sv id);

/* Returns the first inference profile of the account for a model of Bedrock
 * ("anthropic.claude-..."); empty: the list is not known or has none. Borrows from the table. */
struct sv model_table_profile(const struct model_table *table, struct sv model);

/* Never fails: an unknown id gets cautious limits, and `known` is false. Ids of clouds
 * ("us.anthropic.claude-...-v1:0", "claude-...@20250929"), of routers
 * ("anthropic/claude-sonnet-4.5"), with dates and with local tags ("gpt-oss:20b") find their model;
 * `id` is then the one in the table. Settings override the host's list, which overrides the table.
 * Views borrow from `table` and `id`. */
struct model_info model_info(const struct model_table *table, struct sv id);
/* Whether fast mode may be requested. A model with unknown abilities is not asked for it. */
bool model_runs_fast(const struct model_table *table, struct sv id);

#endif
