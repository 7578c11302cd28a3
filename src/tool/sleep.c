/* Waits without a child process. */
#include "tool/builtins.h"

#include <inttypes.h>

#include "base/mem.h"
#include "sys/timer.h"
#include "tool/shell/background.h"

enum { MAX_SECONDS = 3600 };

struct nap {
	struct op op;
	struct tool_call *call;
	struct op *wait;
	int64_t began, ms;
};

static void sleep_report(const struct nap *nap)
{
	int64_t slept = loop_now(nap->op.loop) - nap->began;

	if (slept >= nap->ms)
		str_addf(&nap->call->result.text, "%" PRId64 " ms have passed.", nap->ms);
	else
		str_addf(&nap->call->result.text, "Woken after %" PRId64 " ms: there is news.",
			 slept);
}

static void sleep_on_waited(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct nap *nap = owner;

	nap->wait = NULL;
	if (!why)
		sleep_report(nap);
	op_finish(&nap->op, why);
}

static void nap_cancel(struct op *op)
{
	op_cancel(container_of(op, struct nap, op)->wait);
}

static void nap_free(struct op *op)
{
	free(container_of(op, struct nap, op));
}

static const struct op_type nap_type = { .name = "Sleep", .cancel = nap_cancel, .free = nap_free };

static int64_t sleep_ms_of(struct json input)
{
	double seconds = json_real_or(json_get(input, "seconds"), 0);

	return (int64_t)(1000 * max_of(0.0, min_of(seconds, (double)MAX_SECONDS)));
}

static struct op *sleep_wait_for_news(const struct tool_context *ctx, int64_t ms, struct then then)
{
	const struct tool_services *services = ctx->session->services;

	if (services->has_news && services->has_news(services->arg))
		return op_settled(ctx->loop, then);
	return ctx->session->background ? background_wait_news(ctx->session->background, ms, then)
					: timer_start(ctx->loop, ms, then);
}

static struct op *sleep_start(struct tool_call *call, struct then then)
{
	struct nap *nap = xnew(struct nap);

	op_init(&nap->op, &nap_type, call->ctx->loop, then);
	nap->call = call;
	nap->began = loop_now(call->ctx->loop);
	nap->ms = sleep_ms_of(call->input);
	nap->wait = sleep_wait_for_news(call->ctx, nap->ms, THEN(sleep_on_waited, nap));
	return &nap->op;
}

static void sleep_perm_request(__attribute__((unused)) const struct tool_call *call,
			       __attribute__((unused)) struct arena *arena,
			       struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

const struct tool tool_sleep = {
	.name = "Sleep",
	.page = tool_sleep_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"seconds\":{\"type\":\"number\",\"description\":\"At most 3600\"}},"
			  "\"required\":[\"seconds\"],\"additionalProperties\":false}"),
	.deferred = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.perm_request = sleep_perm_request,
	.start = sleep_start,
};
