/* Estimates of the cost of a plan, shown before the user decides about it, and of several agents, shown before they
 * start. Each request reads the conversation from the cache, adds the results of a few calls, and writes as much as
 * the requests so far have written on average. The number of requests is a guess: a few for each item of a plan; for
 * an agent, what the agents of the session needed, if there were any. */
#include "core/session/session_estimate.h"

#include "base/ascii.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/subagents/subagent.h"
#include "model/catalogue/models.h"

enum {
	REQUESTS_LOW = 2, /* for each item */
	REQUESTS_HIGH = 6,
	ITEMS_MOST = 50,
	AGENT_LOW = 5, /* requests of an agent, until one has ended */
	AGENT_HIGH = 25,
	AGENT_MOST = 200,
	BYTES_PER_TOKEN = 4,
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
		"the ",
		(long long)fewest, (long long)most, usd * (double)fewest, usd * (double)most);
	str_add_count(&text, context);
	str_adds(&text, " tokens of this conversation again.");
	session_inform(s, NOTICE_INFO, sv_of(&text));
}

/* --- agents ------------------------------------------------------------------------------------- */

/* What agents of the session needed, from half to double of it. */
static void session_estimate_requests(const struct session *s, int64_t *fewest, int64_t *most)
{
	const struct subagents *all = s->subagents;
	int64_t requests = 0, agents = 0;

	for (size_t i = 0; i < all->list.n; i++)
		if (all->list.at[i]->status == COMMAND_COMPLETED) {
			requests += all->list.at[i]->tool_uses + 1;
			agents++;
		}
	*fewest = agents ? max_of(requests / agents / 2, (int64_t)1) : AGENT_LOW;
	*most = agents ? min_of(max_of(requests * 2 / agents, (int64_t)2), (int64_t)AGENT_MOST)
		       : AGENT_HIGH;
}

/* The first request writes `context` tokens to the cache, and each of the others reads what came before it. */
static struct cost session_estimate_agent(const struct price *price, int64_t context,
					  int64_t output, int64_t requests)
{
	struct cost sum = COST_INIT;

	for (int64_t i = 0; i < requests; i++)
		cost_add(&sum,
			 usage_cost(&(struct usage){ .known = true,
						     .cache_read =
							     i ? context + (i - 1) * NEW_USUAL : 0,
						     .cache_write_5m = i ? NEW_USUAL : context,
						     .output = output },
				    price));
	return sum;
}

/* What an agent begins with. A copy of its parent has its conversation, too. */
static int64_t session_estimate_start(const struct agent *parent, const struct call *call)
{
	size_t bytes = parent->system.len + toolset_bytes(&parent->tools) + call->input.len;

	return agent_tools_forks(&call->run) ? agent_estimate(parent)
					     : (int64_t)(bytes / BYTES_PER_TOKEN);
}

static void session_estimate_agents(void *arg, struct agent *agent, const struct executor *calls)
{
	struct session *s = arg;
	struct cost low = COST_INIT, high = COST_INIT;
	int64_t fewest, most, output = session_estimate_output(s), agents = 0;
	defer(str_clear) struct str text = STR_INIT;

	session_estimate_requests(s, &fewest, &most);
	for (size_t i = 0; i < calls->calls.n; i++) {
		const struct call *call = calls->calls.at[i];
		struct model_info info;
		int64_t start;

		if (!call->run.tool || !call->run.tool->starts_agent || call->is_over)
			continue;
		info = model_info(s->engine->table, agent_tools_model(s, &call->run));
		start = session_estimate_start(agent, call);
		cost_add(&low, session_estimate_agent(&info.price, start, output, fewest));
		cost_add(&high, session_estimate_agent(&info.price, start, output, most));
		agents++;
	}
	if (agents < 2 || !low.known || !low.nano_usd)
		return;
	str_addf(&text,
		 "A rough estimate for these %lld agents: %lld to %lld requests each, $%.2f to "
		 "$%.2f in all.",
		 (long long)agents, (long long)fewest, (long long)most, (double)low.nano_usd / 1e9,
		 (double)high.nano_usd / 1e9);
	session_inform(s, NOTICE_INFO, sv_of(&text));
}

void session_estimate_install(struct hook_points *points)
{
	points->fan_out = session_estimate_agents;
}
