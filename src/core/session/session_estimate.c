/* An estimate of the cost of a plan, shown before the user decides about it. Each request reads the conversation from
 * the cache, adds the results of a few calls, and writes as much as the requests so far have written on average. The
 * number of requests is a guess: a few for each item of the plan. */
#include "core/session/session_estimate.h"

#include "base/ascii.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "model/catalogue/models.h"

enum {
	REQUESTS_LOW = 2, /* for each item */
	REQUESTS_HIGH = 6,
	ITEMS_MOST = 50,
	OUTPUT_USUAL = 400, /* tokens of a request, until the session has had some */
	NEW_USUAL = 1500,   /* tokens of results that a request adds */
};

/* Whether the line begins an item of a list: "- x", "* x", "12. x". */
static bool session_estimate_is_item(struct sv line)
{
	size_t digits = 0;

	line = sv_trim(line);
	while (digits < line.len && ascii_is_digit(line.ptr[digits]))
		digits++;
	return sv_starts(line, SV("- ")) || sv_starts(line, SV("* ")) ||
	       (digits && sv_starts(sv_skip(line, digits), SV(". ")));
}

static int64_t session_estimate_items(struct sv plan)
{
	struct sv line;
	int64_t n = 0;

	while (sv_cut_line(&plan, &line))
		n += session_estimate_is_item(line);
	return min_of(max_of(n, (int64_t)1), (int64_t)ITEMS_MOST);
}

/* Of the session's model, on average. */
static int64_t session_estimate_output(const struct session *s)
{
	const struct history *history = agent_history(s->agent);
	int64_t requests = 0;

	for (size_t i = 0; i < history->messages.n; i++)
		requests += history->messages.at[i].assistant;
	for (size_t i = 0; requests && i < s->costs.lines.n; i++)
		if (sv_is(agent_model(s->agent), s->costs.lines.at[i].model))
			return s->costs.lines.at[i].usage.output / requests;
	return OUTPUT_USUAL;
}

void session_estimate_plan(struct session *s, struct sv plan)
{
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));
	int64_t context = agent_estimate(s->agent), items = session_estimate_items(plan);
	int64_t fewest = items * REQUESTS_LOW, most = items * REQUESTS_HIGH;
	const struct usage usage = { .known = true,
				     .cache_read = context,
				     .cache_write_5m = NEW_USUAL,
				     .output = session_estimate_output(s) };
	struct cost cost = usage_cost(&usage, &info.price);
	double usd = (double)cost.nano_usd / 1e9;
	defer(str_clear) struct str text = STR_INIT;

	if (!cost.known || !cost.nano_usd)
		return;
	str_addf(
		&text,
		"A rough estimate for this plan: %lld to %lld requests, $%.2f to $%.2f. Each reads "
		"the %lld tokens of this conversation again.",
		(long long)fewest, (long long)most, usd * (double)fewest, usd * (double)most,
		(long long)context);
	session_inform(s, NOTICE_INFO, sv_of(&text));
}
