/* costs.h - what a session has used: per model, in tokens and in money, the time spent waiting for the
 * model, for tools, for hooks and for the model of mode auto, and how many lines of files it has changed. It is kept in the transcript, so that a resumed session
 * continues to count. */
#ifndef AWL_CORE_AGENT_COSTS_H
#define AWL_CORE_AGENT_COSTS_H

#include "base/vec.h"
#include "model/catalogue/models.h"
#include "proto/usage.h"

/* What a model was used for since the last result. */
struct costs_recent {
	bool is_used;
	struct usage usage;
	struct cost cost;
};

struct costs_line {
	char *model;
	struct usage usage;
	struct cost cost;
	struct costs_recent recent;
};

struct costs {
	VEC(struct costs_line) lines; /* in order of first use */
	struct cost total;
	int64_t api_ms, api_last_ms; /* of all attempts and the waits between, and without them */
	struct usage_work work, last_turn;  /* of the session; of the turn that runs or ran last */
	int64_t lines_added, lines_removed; /* by the tools that edit files */
};

#define COSTS_INIT                                    \
	{                                             \
		.lines = VEC_INIT, .total = COST_INIT \
	}

void costs_clear(struct costs *costs);

/* Adds one request. */
void costs_add(struct costs *costs, const struct model_table *table, struct sv model,
	       const struct usage *usage, struct api_time time);

/* Adds to the session and to the turn. */
void costs_count(struct costs *costs, enum usage_kind kind, int64_t ms);
void costs_begin_turn(struct costs *costs);
/* Adds one call of a tool; `data` is what the tool has reported for programs. */
void costs_add_call(struct costs *costs, int64_t tool_ms, struct sv data);

/* Who serves the models. Without a table their limits are not reported. */
struct costs_service {
	const struct model_table *table;
	struct sv provider; /* empty: not reported */
};

/* What a result reports per model, in `arena`; the names borrow from `costs`. Returns how many. */
size_t costs_models(const struct usage_model **out, struct arena *arena, const struct costs *costs,
		    struct costs_service service);
/* The same since the last result: only models that were used since. */
size_t costs_recent_models(const struct usage_model **out, struct arena *arena,
			   const struct costs *costs, struct costs_service service);
/* A result was emitted. */
void costs_note_result(struct costs *costs);
struct usage_counts usage_to_counts(const struct usage *usage);
/* Appends the transcript's note of type "cost-state". */
void costs_note(struct str *out, const struct costs *costs, struct sv session_id);
/* Reads such a note back, up to LIMIT_COST_MODELS models of it. Numbers that make no sense count
 * as 0 and as unknown. Fails on JSON that is not a note. */
must_use bool costs_read(struct costs *costs, struct sv note, struct err *err);

static inline double costs_usd(const struct costs *costs)
{
	return (double)costs->total.nano_usd / 1e9;
}

#endif
