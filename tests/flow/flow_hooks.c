/* Whoever takes part in a turn (core/agent/hook_points.h), played from the script. */
#include "core/agent/executor.h"
#include "flow_agent.h"
#include "sys/timer.h"

static const char *const places[] = { "prompt", "prepare", "pre",    "keep",       "post", "stop",
				      "drain",  "compact", "denied", "permission", "batch" };

bool flow_do_hook(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args, place = take_word(&rest);

	for (size_t i = 0; i < countof(places); i++) {
		struct flow_hook hook = { .where = places[i] };

		if (!sv_is(place, places[i]))
			continue;
		hook.what = take_word(&rest);
		hook.text = sv_trim(rest);
		vec_push(&flow_hooks_of(f)->list, hook);
		return true;
	}
	return err_set(err, ERR_INVALID, "line %d: no hook is called \"%.*s\"", line->number,
		       SV_ARG(place));
}

static struct flow_hook *next_hook(struct flow_hooks *hooks, const char *where)
{
	for (size_t i = 0; i < hooks->list.n; i++) {
		struct flow_hook *hook = &hooks->list.at[i];

		if (hook->used || !sv_is(sv_cstr(where), hook->where))
			continue;
		hook->used = true;
		flow_log(hooks->flow, SV("hook"), "%s %.*s", where, SV_ARG(hook->what));
		return hook;
	}
	return NULL;
}

static struct op *pre_tool(void *arg, __attribute__((unused)) const struct call *call,
			   struct pre_tool_point *out, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "pre");

	if (!hook)
		return op_settled(hooks->flow->loop, then);
	if (sv_is(hook->what, "hang"))
		return timer_start(hooks->flow->loop, 3600 * 1000, then);
	if (sv_is(hook->what, "stop")) {
		out->stop = true;
	} else if (sv_is(hook->what, "input")) {
		str_add(&out->input, hook->text);
	} else if (sv_is(hook->what, "context")) {
		str_add(&out->context, hook->text);
	} else if (!sv_is(hook->what, "slow")) {
		out->decided = true;
		out->defer = sv_is(hook->what, "defer");
		out->behavior = sv_is(hook->what, "allow")  ? BEHAVIOR_ALLOW
				: sv_is(hook->what, "deny") ? BEHAVIOR_DENY
							    : BEHAVIOR_ASK;
		str_add(&out->reason, hook->text);
	}
	if (sv_is(hook->what, "slow"))
		return timer_start(hooks->flow->loop, 3000, then);
	return op_settled(hooks->flow->loop, then);
}

static struct op *permission(void *arg, __attribute__((unused)) const struct call *call,
			     struct permission_point *out, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "permission");

	if (!hook)
		return NULL;
	if (sv_is(hook->what, "hang"))
		return timer_start(hooks->flow->loop, 3600 * 1000, then);
	out->decided = true;
	out->allow = sv_is(hook->what, "allow") || sv_is(hook->what, "input");
	out->interrupt = sv_is(hook->what, "interrupt");
	str_add(out->allow ? &out->input : &out->message, hook->text);
	return op_settled(hooks->flow->loop, then);
}

static struct op *denied(void *arg, __attribute__((unused)) const struct call *call,
			 struct denied_point *out, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "denied");

	out->retry = hook && sv_is(hook->what, "retry");
	return op_settled(hooks->flow->loop, then);
}

static struct op *batch(void *arg, const struct executor *calls, struct batch_point *out,
			struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "batch");

	if (!hook)
		return NULL;
	flow_log(hooks->flow, SV("hook"), "sees %zu calls", calls->calls.n);
	if (sv_is(hook->what, "hang"))
		return timer_start(hooks->flow->loop, 3600 * 1000, then);
	out->stop = sv_is(hook->what, "stop");
	str_add(&out->context, hook->text);
	return op_settled(hooks->flow->loop, then);
}

static struct op *before_change(void *arg, const struct call *call, struct then then)
{
	struct flow_hooks *hooks = arg;

	if (next_hook(hooks, "keep"))
		flow_log(hooks->flow, SV("hook"), "keeps %.*s%.*s", SV_ARG(call->perm_request.path),
			 SV_ARG(call->perm_request.command));
	return op_settled(hooks->flow->loop, then);
}

static struct op *post_tool(void *arg, __attribute__((unused)) const struct call *call,
			    struct post_tool_point *out, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "post");

	if (hook && sv_is(hook->what, "stop"))
		out->stop = true;
	else if (hook)
		str_add(&out->context, hook->text);
	return op_settled(hooks->flow->loop, then);
}

static struct op *before_stop(void *arg, __attribute__((unused)) struct agent *agent,
			      struct stop_point *out, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "stop");

	if (out->is_again)
		flow_log(hooks->flow, SV("hook"), "stop is active");
	if (hook && sv_is(hook->what, "hang"))
		return timer_start(hooks->flow->loop, 3600 * 1000, then);
	if (hook && sv_is(hook->what, "prevent"))
		out->prevent = true;
	else if (hook)
		str_add(&out->feedback, hook->text);
	return op_settled(hooks->flow->loop, then);
}

static void failing_cancel(struct op *op)
{
	op_finish(op, NULL);
}

static void failing_free(struct op *op)
{
	free(op);
}

static const struct op_type failing_type = { "failing", failing_cancel, failing_free };

static struct op *op_failing(struct loop *loop, struct then then)
{
	struct op *op = xnew(struct op);
	struct err err = ERR_INIT;

	op_init(op, &failing_type, loop, then);
	err_set(&err, ERR_UNSUPPORTED, "nothing can be left out");
	op_finish(op, &err);
	return op;
}

/* A wait stands for whatever has to happen before the request. */
static struct op *prepare_request(struct flow_hooks *hooks, struct then then)
{
	struct flow_hook *hook = next_hook(hooks, "prepare");
	struct err err = ERR_INIT;
	int64_t ms = 0;

	if (!hook || !parse_ms(&ms, hook->what, &err))
		return NULL;
	return timer_start(hooks->flow->loop, ms, then);
}

static struct op *prepare(void *arg, __attribute__((unused)) struct agent *agent,
			  enum prepare_reason why, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook;

	if (why == PREPARE_REQUEST)
		return prepare_request(hooks, then);
	hook = next_hook(hooks, why == PREPARE_DRAIN ? "drain" : "compact");
	return hook && sv_is(hook->what, "ok") ? op_settled(hooks->flow->loop, then)
					       : op_failing(hooks->flow->loop, then);
}

/* A time stands for a hook that takes so long and has nothing to say. */
static struct op *prompt(void *arg, struct prompt_point *point, struct then then)
{
	struct flow_hooks *hooks = arg;
	struct flow_hook *hook = next_hook(hooks, "prompt");
	struct err err = ERR_INIT;
	int64_t ms = 0;

	if (!hook)
		return NULL;
	if (parse_ms(&ms, hook->what, &err))
		return timer_start(hooks->flow->loop, ms, then);
	str_add(sv_is(hook->what, "refuse") ? &point->refusal : &point->context, hook->text);
	return op_settled(hooks->flow->loop, then);
}

void flow_hooks_install(struct flow_hooks *hooks, struct flow *flow, struct session *session)
{
	hooks->flow = flow;
	if (!hooks->list.n)
		return;
	session_set_hooks(session, &(struct hook_points){
					   .arg = hooks,
					   .prompt = prompt,
					   .prepare = prepare,
					   .pre_tool = pre_tool,
					   .permission = permission,
					   .denied = denied,
					   .batch = batch,
					   .before_change = before_change,
					   .post_tool = post_tool,
					   .stop = before_stop,
				   });
}
