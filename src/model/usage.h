/* usage.h - what a model call used, and what that costs. Money is counted in
 * nano-dollars, so that sums are exact; what is unknown stays unknown and is
 * never shown as zero. */
#ifndef AWL_MODEL_USAGE_H
#define AWL_MODEL_USAGE_H

#include "base/str.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

/* Token counts as the services report them; each token is in one of the first
 * five. */
struct usage {
	int64_t input;  /* not from any cache */
	int64_t output; /* thinking included */
	int64_t cache_read;
	int64_t cache_write_5m;
	int64_t cache_write_1h;
	int64_t web_searches; /* requests, not tokens */
	bool known;           /* false: the server reported none */
};

/* All that was read, cached or not: the size of the prompt. */
int64_t usage_prompt(const struct usage *u);
/* The sum is known as soon as one part of it is. */
void usage_add(struct usage *sum, const struct usage *more);

/* Reads an Anthropic `usage` object; absent or null counts are 0, absurd ones
 * (negative, beyond 10^12, no integers) are refused with ERR_PROTOCOL. `known` is
 * false when no count is there at all. */
must_use bool usage_read(struct usage *out, struct json usage, struct err *err);
/* Takes over only the counts that are present: a stream's later reports are
 * cumulative but partial. On failure `u` is unchanged. */
must_use bool usage_update(struct usage *u, struct json usage, struct err *err);
/* Writes it as one `usage` object in the Anthropic form; unknown: an empty one. */
void usage_write(struct jw *w, const struct usage *u);

/* Dollars per million tokens, in nano-dollars per token; negative: unknown. */
struct price {
	int64_t input, output, cache_read, cache_write_5m, cache_write_1h;
	int64_t web_search; /* per request */
	/* Of a request whose prompt is longer than this, what is read costs double
	 * and what is written half as much again; 0: no such rule. */
	int64_t long_prompt;
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

/* Of one request. Unknown usage has an unknown cost. */
struct cost usage_cost(const struct usage *u, const struct price *price);
void cost_add(struct cost *sum, struct cost more);
/* "$0.0123", four digits after the point below a dollar, two above; "unknown
 * cost" or "at least $1.20" (rounded down) when part of it has no price. */
void cost_format(struct str *out, struct cost cost);

#endif
