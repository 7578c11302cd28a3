/* usage.h - tokens and money as results report them: for the turn, and per model for the
 * session. */
#ifndef AWL_PROTO_USAGE_H
#define AWL_PROTO_USAGE_H

#include "base/arena.h"
#include "text/json/json_write.h"

/* How long a request took: from its first attempt to the end, and its last attempt alone. */
struct api_time {
	int64_t ms, last_ms;
};

struct usage_counts {
	bool known; /* false: the service did not report any */
	int64_t input, output;
	int64_t cache_read, cache_write_5m, cache_write_1h;
	int64_t web_searches;
	int64_t thinking; /* how much of the output it was */
	bool is_fast;     /* served in fast mode */
};

/* What was done beside the requests of a turn or session: how often, and for how long. */
enum usage_kind { USAGE_TOOL, USAGE_HOOK, USAGE_CLASSIFIER, USAGE_KINDS };

struct usage_work {
	int64_t n[USAGE_KINDS], ms[USAGE_KINDS];
};

/* Writes members: "toolCount", "toolDurationMs" and so on. */
void usage_work_write(struct jw *w, const struct usage_work *work);
void usage_work_read(struct usage_work *out, struct json json);

struct usage_model {
	struct sv model;
	struct usage_counts counts;
	double cost_usd;
	bool cost_known;            /* false: the cost is a lower bound */
	int64_t window, max_output; /* tokens; 0: not said */
	struct sv provider;         /* that served it; empty: not said */
};

/* Writes an object that always has all counts, since hosts add them up: those that are not known are 0. */
void usage_counts_write(struct jw *w, const struct usage_counts *counts);
void usage_counts_read(struct usage_counts *out, struct json json);

/* Writes an object with a member for each model. */
void usage_models_write(struct jw *w, const struct usage_model *models, size_t n);
/* Reads such an object, up to `max` models, into `arena`; returns how many. Numbers that make no
 * sense count as 0, and make the cost unknown. */
size_t usage_models_read(const struct usage_model **out, struct json json, size_t max,
			 struct arena *arena);

#endif
