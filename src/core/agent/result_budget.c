#include "core/agent/result_budget.h"

#include "base/limits.h"
#include "tool/result_cap.h"

struct fresh {
	struct tool_call *call;
	size_t at; /* which of the calls */
};

static size_t budget_size_of(const struct tool_call *call)
{
	return call->result.text.len;
}

/* Replacing less would save hardly anything. */
enum { WORTH_A_FILE = 2 * LIMIT_RESULT_PREVIEW };

static bool budget_counts(const struct tool_call *call)
{
	return call->tool && !call->tool->stays_whole && !call->result.blocks.len;
}

/* Order by size, the biggest first; equal ones by the order of the calls. */
static int budget_compare(const void *one, const void *other)
{
	const struct fresh *a = one, *b = other;

	if (budget_size_of(a->call) != budget_size_of(b->call))
		return budget_size_of(a->call) > budget_size_of(b->call) ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

void result_budget(struct call *const *calls, size_t n, size_t max)
{
	defer(mem_freep) struct fresh *fresh = xcalloc(n + 1, sizeof(*fresh));
	size_t nfresh = 0, total = 0;

	for (size_t i = 0; i < n; i++) {
		struct tool_call *call = &calls[i]->run;

		if (!budget_counts(call))
			continue;
		total += budget_size_of(call);
		if (!call->result.is_replaced && budget_size_of(call) > WORTH_A_FILE)
			fresh[nfresh++] = (struct fresh){ .call = call, .at = i };
	}
	if (total <= max)
		return;
	qsort(fresh, nfresh, sizeof(*fresh), budget_compare);
	for (size_t i = 0; i < nfresh && total > max; i++) {
		total -= budget_size_of(fresh[i].call);
		result_replace(fresh[i].call, max_of(LIMIT_RESULT_PREVIEW, max / n));
		total += budget_size_of(fresh[i].call);
	}
}
