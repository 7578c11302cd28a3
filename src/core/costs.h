/* costs.h - what a session has used: per model, in tokens and in money, and the
 * time spent waiting for answers. Kept in the transcript, so that it is there again
 * after a restart. */
#ifndef AWL_CORE_COSTS_H
#define AWL_CORE_COSTS_H

#include "base/vec.h"
#include "model/catalogue/models.h"

struct costs_line {
	char *model;
	struct usage usage;
	struct cost cost;
};

struct costs {
	VEC(struct costs_line) lines; /* in order of first use */
	struct cost total;
	int64_t api_ms;
};

#define COSTS_INIT                                    \
	{                                             \
		.lines = VEC_INIT, .total = COST_INIT \
	}

void costs_clear(struct costs *costs);

/* One request. */
void costs_add(struct costs *costs, const struct model_table *table, struct sv model,
	       const struct usage *usage, int64_t api_ms);

/* Appends the `modelUsage` object of a result. */
void costs_models(struct str *out, const struct costs *costs, const struct model_table *table);
/* Appends the transcript's note of the type "cost-state". */
void costs_note(struct str *out, const struct costs *costs, struct sv session_id);
/* Takes such a note up again, up to LIMIT_COST_MODELS models of it; numbers that make
 * no sense count as none, and as not known. Fails on what is no note at all. */
must_use bool costs_read(struct costs *costs, struct sv note, struct err *err);

static inline double costs_usd(const struct costs *costs)
{
	return (double)costs->total.nano_usd / 1e9;
}

#endif
