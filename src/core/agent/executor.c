/* The calls of one response. A model may send several at once, and the executor starts each as soon
 * as its block is complete, while the rest of the response still streams.
 *
 * Two rules order them. A call that is concurrent (its tool says that it changes nothing that
 * another could see) runs beside other concurrent calls; any other runs alone. And no call
 * overtakes one that has to run alone, so the effects are those of running them in sequence.
 * Several agents may cost much, so the second one waits until the response is complete: then the
 * user is told what all of them may cost, before they start.
 *
 * Three things end calls early. The user, or the turn's deadline: all of them. A failed command:
 * the others of the same response, those still to come included, because the model meant them to
 * follow a success. A response that is discarded: all of its calls; those that run move to `voids`
 * until they are over, and nothing that could disturb them starts before.
 *
 * Results are read in the order of the calls, whatever order they finish in. While something runs,
 * a heartbeat every 30 seconds tells front ends so. A command that runs for three seconds is also
 * reported as a task, so that hosts can offer to move it to the background. */
#include "core/agent/executor.h"

#include <stdio.h>

#include "core/agent/agent_internal.h"
#include "sys/timer.h"

enum { HEARTBEAT_MS = 30000, TASK_MS = 3000 };

void executor_init(struct executor *ex, struct agent *agent, void (*on_progress)(void *arg),
		   void *arg)
{
	*ex = (struct executor){ .agent = agent, .on_progress = on_progress, .arg = arg };
}

void executor_reset(struct executor *ex)
{
	BUG_ON(!executor_is_settled(ex));
	for (size_t i = 0; i < ex->calls.n; i++)
		call_free(ex->calls.at[i]);
	ex->calls.n = 0;
	ex->stopped = CALL_NOT_CANCELLED;
	ex->is_complete = false;
}

void executor_clear(struct executor *ex)
{
	BUG_ON(!executor_is_quiet(ex));
	executor_reset(ex);
	vec_clear(&ex->calls);
	vec_clear(&ex->voids);
}

static bool executor_runs(const struct call *call)
{
	return call->state != CALL_QUEUED && !call->is_over;
}

bool executor_is_settled(const struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++) {
		if (!ex->calls.at[i]->is_over)
			return false;
	}
	return true;
}

bool executor_is_quiet(const struct executor *ex)
{
	return executor_is_settled(ex) && !ex->voids.n && !ex->heartbeat && !ex->patience;
}

/* --- order ------------------------------------------------------------------ */

/* The running calls first: a call is analysed when its turn may have come, not before. */
static bool executor_may_start(const struct executor *ex, struct call *call)
{
	for (size_t i = 0; i < ex->voids.n; i++) {
		if (!call_is_concurrent(ex->voids.at[i]) || !call_is_concurrent(call))
			return false;
	}
	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *other = ex->calls.at[i];

		if (executor_runs(other) &&
		    (!call_is_concurrent(other) || !call_is_concurrent(call)))
			return false;
	}
	return true;
}

static bool executor_starts_agent(const struct call *call)
{
	return call->run.tool && call->run.tool->starts_agent;
}

/* Whether call `at` is an agent beside another one of a response that is not complete. */
static bool executor_awaits_rest(const struct executor *ex, size_t at)
{
	for (size_t i = 0; i < at && !ex->is_complete && executor_starts_agent(ex->calls.at[at]);
	     i++)
		if (executor_starts_agent(ex->calls.at[i]))
			return true;
	return false;
}

static void executor_on_call(struct op *op, void *owner, const struct err *why);
static void executor_beat(struct executor *ex);
static void executor_watch(void *arg);

static void executor_pump(struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *call = ex->calls.at[i];

		if (call->state != CALL_QUEUED)
			continue;
		if (executor_awaits_rest(ex, i) || !executor_may_start(ex, call)) {
			call->is_analysed = false; /* files may change while it waits */
			return;
		}
		call_start(call, THEN(executor_on_call, ex));
		executor_beat(ex);
	}
}

void executor_add(struct executor *ex, struct call *call)
{
	vec_push(&ex->calls, call);
	call->on_running = executor_watch;
	call->on_running_arg = ex;
	if (ex->stopped != CALL_NOT_CANCELLED)
		call_cancel(call, ex->stopped);
	executor_pump(ex);
}

void executor_complete(struct executor *ex)
{
	const struct hook_points *hooks = ex->agent->hooks;
	size_t agents = 0, waiting = 0;

	ex->is_complete = true;
	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *call = ex->calls.at[i];

		agents += executor_starts_agent(call);
		/* asking about the order reads the input */
		waiting += executor_starts_agent(call) && call->state == CALL_QUEUED &&
			   call_is_concurrent(call);
	}
	if (agents > 1 && waiting && hooks->fan_out)
		hooks->fan_out(hooks->arg, ex->agent, ex);
	executor_pump(ex);
}

/* --- ends --------------------------------------------------------------------- */

/* Free a call of a discarded response that is over. */
static bool executor_free_void(struct executor *ex, struct call *call)
{
	for (size_t i = 0; i < ex->voids.n; i++) {
		if (ex->voids.at[i] != call)
			continue;
		vec_remove(&ex->voids, i);
		call_free(call);
		return true;
	}
	return false;
}

/* Cancel the others of the same response, including those still to come. */
static void executor_stop_siblings(struct executor *ex, enum call_cancel why)
{
	ex->stopped = why;
	executor_cancel(ex, why);
}

static void executor_stop_heartbeat(struct executor *ex)
{
	if (executor_is_settled(ex) && !ex->voids.n) {
		op_cancel(ex->heartbeat);
		op_cancel(ex->patience);
	}
}

static void executor_end_task(struct executor *ex, const struct call *call)
{
	struct sv about = json_str_or(json_get(call->run.input, "description"), SV_EMPTY);
	enum command_status status = call->cancel != CALL_NOT_CANCELLED ? COMMAND_STOPPED
				     : call->run.result.is_error        ? COMMAND_FAILED
									: COMMAND_COMPLETED;

	if (!call->task_id[0])
		return;
	agent_emit(
		ex->agent,
		&(struct event){ .kind = EVENT_TASK_ENDED,
				 .task = { .id = sv_cstr(call->task_id),
					   .call = sv_of(&call->id),
					   .status = status,
					   .summary = about.len ? about : sv_of(&call->name) } });
}

static void executor_on_call(struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct executor *ex = owner;
	struct call *call = container_of(op, struct call, op);

	call->is_over = true;
	executor_end_task(ex, call);
	if (!executor_free_void(ex, call)) {
		if (call->answer.ends_turn)
			executor_stop_siblings(ex, CALL_INTERRUPTED);
		else if (call->run.result.stops_siblings)
			executor_stop_siblings(ex, CALL_SIBLING);
	}
	executor_pump(ex);
	executor_stop_heartbeat(ex);
	ex->on_progress(ex->arg);
}

/* Cancel from the last to the first: else the end of one question would show the next. Those that wait for the
 * rest of the response may be all that is left. */
void executor_cancel(struct executor *ex, enum call_cancel why)
{
	for (size_t i = ex->calls.n; i > 0; i--)
		call_cancel(ex->calls.at[i - 1], why);
	executor_stop_heartbeat(ex);
}

size_t executor_detach(struct executor *ex, struct sv id)
{
	size_t n = 0;

	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *call = ex->calls.at[i];
		bool is_meant = !id.len || sv_eq(id, sv_of(&call->id));

		if (is_meant && call->state == CALL_RUNNING && call->step && call->run.tool->detach)
			n += call->run.tool->detach(call->step);
	}
	return n;
}

void executor_discard(struct executor *ex)
{
	for (size_t i = 0; i < ex->calls.n; i++) {
		struct call *call = ex->calls.at[i];

		call_cancel(call, CALL_VOID);
		if (executor_runs(call))
			vec_push(&ex->voids, call);
		else
			call_free(call);
	}
	ex->calls.n = 0;
	ex->stopped = CALL_NOT_CANCELLED;
	ex->is_complete = false;
	executor_stop_heartbeat(ex);
}

/* --- heartbeat -------------------------------------------------------------- */

static void executor_on_beat(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct executor *ex = owner;

	ex->heartbeat = NULL;
	if (why) {
		ex->on_progress(ex->arg);
		return;
	}
	for (size_t i = 0; i < ex->calls.n; i++) {
		const struct call *call = ex->calls.at[i];

		if (call->state == CALL_RUNNING)
			agent_emit(ex->agent,
				   &(struct event){
					   .kind = EVENT_TOOL_PROGRESS,
					   .tool = { .tool = sv_of(&call->name),
						     .id = sv_of(&call->id),
						     .elapsed_ms = loop_now(ex->agent->loop) -
								   call->times.started_ms },
				   });
	}
	executor_beat(ex);
}

static void executor_beat(struct executor *ex)
{
	if (!ex->heartbeat && !(executor_is_settled(ex) && !ex->voids.n))
		ex->heartbeat =
			timer_start(ex->agent->loop, HEARTBEAT_MS, THEN(executor_on_beat, ex));
}

/* --- long commands ------------------------------------------------------------ */

static bool executor_may_be_task(const struct call *call)
{
	return call->state == CALL_RUNNING && !call->is_over && !call->task_id[0] &&
	       call->run.tool->detach && call->run.tool->command;
}

static void executor_report_task(struct executor *ex, struct call *call)
{
	struct json input = call->run.input;
	struct sv command = json_str_or(json_get(input, "command"), SV_EMPTY);
	struct uuid uuid = uuid_v4(loop_rng(ex->agent->loop));

	snprintf(call->task_id, sizeof(call->task_id), "b%.8s", uuid.text);
	agent_emit(ex->agent,
		   &(struct event){ .kind = EVENT_TASK_STARTED,
				    .task = { .id = sv_cstr(call->task_id),
					      .call = sv_of(&call->id),
					      .type = SV("local_bash"),
					      .description = json_str_or(
						      json_get(input, "description"), command),
					      .is_awaited = true } });
}

static void executor_on_patience(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct executor *ex = owner;
	int64_t now = loop_now(ex->agent->loop);

	ex->patience = NULL;
	for (size_t i = 0; i < ex->calls.n && !why; i++) {
		struct call *call = ex->calls.at[i];

		if (executor_may_be_task(call) && now - call->times.ran_ms >= TASK_MS)
			executor_report_task(ex, call);
	}
	executor_watch(ex);
	if (why)
		ex->on_progress(ex->arg);
}

/* Wake up when the next command has run for long. */
static void executor_watch(void *arg)
{
	struct executor *ex = arg;
	int64_t now = loop_now(ex->agent->loop), wait = INT64_MAX;

	if (ex->patience)
		return;
	for (size_t i = 0; i < ex->calls.n; i++)
		if (executor_may_be_task(ex->calls.at[i]))
			wait = min_of(wait, ex->calls.at[i]->times.ran_ms + TASK_MS - now);
	if (wait != INT64_MAX)
		ex->patience = timer_start(ex->agent->loop, max_of(wait, (int64_t)1),
					   THEN(executor_on_patience, ex));
}
