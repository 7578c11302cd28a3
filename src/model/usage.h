/* usage.h - token usage of model requests and its cost. Money is counted in nano-dollars, so
 * that sums are exact. An unknown cost stays unknown and is never shown as zero. */
#ifndef AWL_MODEL_USAGE_H
#define AWL_MODEL_USAGE_H

#include "base/str.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

/* Token counts as services report them. Each token is counted in exactly one of the first five
 * fields. */
struct usage {
	int64_t input;  /* not from any cache */
	int64_t output; /* thinking included */
	int64_t cache_read;
	int64_t cache_write_5m;
	int64_t cache_write_1h;
	int64_t web_searches; /* requests, not tokens */
	bool known;           /* false: the server reported none */
	bool is_fast;         /* served in fast mode; of a sum: the last part was */
	bool is_charged;      /* the server says what it charges, as OpenRouter does */
	int64_t charged;      /* nano-dollars, for this request only: not part of a sum */
	int64_t thinking;     /* how much of `output` it was; 0: none, or not reported */
};

/* Returns the size of the prompt: all input tokens, cached or not. */
int64_t usage_prompt(const struct usage *u);
/* Adds `more` to `sum`. The sum is known as soon as one part of it is. */
void usage_add(struct usage *sum, const struct usage *more);

/* Reads an Anthropic `usage` object. Absent or null counts are 0. Fails with ERR_PROTOCOL on
 * invalid counts (negative, beyond 10^12, not integers). `known` is false when the object has no
 * counts at all. */
must_use bool usage_read(struct usage *out, struct json usage, struct err *err);
/* Updates only the counts that are present and not zero: later reports of a stream are cumulative
 * but partial, and some gateways end with zeros. On failure `u` is unchanged. */
must_use bool usage_update(struct usage *u, struct json usage, struct err *err);
/* Writes a `usage` object in Anthropic format; an empty one if the usage is unknown. */
void usage_write(struct jw *w, const struct usage *u);

/* Dollars per million tokens, in nano-dollars per token; negative: unknown. */
struct price {
	int64_t input, output, cache_read, cache_write_5m, cache_write_1h;
	int64_t web_search; /* per request */
	/* If the prompt of a request is longer than this, its input and its output cost so many
	 * percent of the price; 0: no such rule. */
	int64_t long_prompt;
	int long_input_percent, long_output_percent;
	/* What fast mode costs, of all tokens; 0: not known. */
	int fast_percent;
};

#define PRICE_UNKNOWN                                                              \
	{                                                                          \
		.input = -1, .output = -1, .cache_read = -1, .cache_write_5m = -1, \
		.cache_write_1h = -1, .web_search = -1                             \
	}

struct cost {
	int64_t nano_usd;
	bool known; /* false: at least one part has no price */
};

#define COST_INIT                            \
	{                                    \
		.nano_usd = 0, .known = true \
	}

/* Returns the cost of one request: what the server charges if it says so, else by the price.
 * Unknown usage has an unknown cost. */
struct cost usage_cost(const struct usage *u, const struct price *price);
void cost_add(struct cost *sum, struct cost more);
/* Appends "$0.0123": four digits after the point below a dollar, two above. Appends "unknown
 * cost" or "at least $1.20" (rounded down) when part of the cost has no price. */
void cost_format(struct str *out, struct cost cost);

#endif
