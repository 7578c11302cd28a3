#include "hook/job.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "hook/conclude.h"
#include "hook/output.h"
#include "net/env_var.h"
#include "sys/timer.h"

enum { HOOK_PROGRESS_MS = 1000 };

/* --- what it is told -------------------------------------------------------------------- */

struct hook_payload *hook_payload_new(const struct hook_input *input)
{
	struct hook_payload *payload = xnew(struct hook_payload);

	payload->users = 1;
	payload->event = input->event;
	hook_input_write(&payload->json, input);
	hook_input_name(&payload->name, input);
	str_add(&payload->cwd, input->cwd);
	str_add(&payload->tool_use_id, input->tool_use_id);
	return payload;
}

void hook_payload_unref(struct hook_payload *payload)
{
	if (--payload->users)
		return;
	str_clear(&payload->json);
	str_clear(&payload->name);
	str_clear(&payload->cwd);
	str_clear(&payload->tool_use_id);
	free(payload);
}

/* --- reports ----------------------------------------------------------------------------- */

static void hook_job_report(struct hook_job *job, enum hook_phase phase)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	int64_t now = loop_now(hooks_loop(job->hooks));

	job->reported_ms = now;
	if (!services->report)
		return;
	services->report(services->arg,
			 &(struct hook_report){ .phase = phase,
						.handler = job->handler,
						.id = sv_cstr(job->id.text),
						.name = sv_of(&job->payload->name),
						.tool_use_id = sv_of(&job->payload->tool_use_id),
						.out = sv_of(&job->out),
						.err = sv_of(&job->err),
						.outcome = job->outcome,
						.has_code = job->has_code,
						.code = job->code,
						.duration_ms = now - job->started_ms,
						.problem = sv_of(&job->problem) });
}

/* --- its end ------------------------------------------------------------------------------ */

/* Texts for the model have a limit. */
static void hook_job_shorten(struct hook_job *job, struct sv *text)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	defer(str_clear) struct str shorter = STR_INIT;

	if (text->len <= LIMIT_HOOK_TEXT)
		return;
	if (services->shorten) {
		services->shorten(services->arg, *text, &shorter);
	} else {
		str_add(&shorter, utf8_prefix(*text, LIMIT_HOOK_TEXT));
		str_addf(&shorter, "\n[%zu more bytes omitted]", text->len - shorter.len);
	}
	*text = arena_dup(&job->answer.arena, sv_of(&shorter));
}

static void hook_job_conclude(struct hook_job *job)
{
	struct hook_result result = { .handler = job->handler,
				      .name = sv_of(&job->payload->name),
				      .has_code = job->has_code,
				      .code = job->code,
				      .out = sv_of(&job->out),
				      .err = sv_of(&job->err),
				      .is_cut = job->is_cut };

	if (job->is_timed_out)
		err_set(&job->failure, ERR_TIMEOUT, "it exceeded its time limit of %g s",
			(double)job->timeout_ms / 1000);
	if (job->failure.kind != ERR_NONE)
		result.failure = &job->failure;
	job->outcome = hook_conclude(&job->answer, &result, &job->problem);
	hook_job_shorten(job, &job->answer.reason);
	for (size_t i = 0; i < job->answer.context.n; i++)
		hook_job_shorten(job, &job->answer.context.at[i].text);
}

static void hook_job_settle(struct hook_job *job)
{
	if (job->work || job->timer)
		return;
	if (job->is_cancelled)
		job->outcome = HOOK_CANCELLED;
	else
		hook_job_conclude(job);
	hook_job_report(job, HOOK_ENDED);
	log_debug("hook %s: %s after %lld ms", str_c(&job->payload->name),
		  job->outcome == HOOK_SUCCEEDED ? "succeeded"
		  : job->outcome == HOOK_BLOCKED ? "blocked"
		  : job->outcome == HOOK_FAILED  ? "failed"
						 : "cancelled",
		  (long long)(loop_now(hooks_loop(job->hooks)) - job->started_ms));
	hooks_on_job(job->hooks, job);
}

static void hook_job_on_timer(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct hook_job *job = owner;

	job->timer = NULL;
	if (!why && job->work) {
		job->is_timed_out = true;
		op_cancel(job->work);
	}
	hook_job_settle(job);
}

/* --- its work ----------------------------------------------------------------------------- */

static const struct hook_kind *hook_job_kind(const struct hook_job *job)
{
	switch (job->handler->type) {
	case HOOK_COMMAND: return &hook_kind_command;
	case HOOK_CALLBACK: return &hook_kind_callback;
	case HOOK_HTTP: return &hook_kind_http;
	case HOOK_PROMPT: return &hook_kind_prompt;
	case HOOK_MCP_TOOL: return &hook_kind_mcp_tool;
	case HOOK_AGENT: return &hook_kind_agent;
	}
	BUG("a hook without a type");
}

static void hook_job_on_work(struct op *op, void *owner, const struct err *why);

static void hook_job_work(struct hook_job *job)
{
	const struct hook_kind *kind = hook_job_kind(job);
	struct then then = THEN(hook_job_on_work, job);

	job->work = kind->start(job, then);
	if (!job->work)
		job->work = op_settled(hooks_loop(job->hooks), then);
}

static void hook_job_on_work(struct op *op, void *owner, const struct err *why)
{
	struct hook_job *job = owner;
	const struct hook_kind *kind = hook_job_kind(job);

	job->work = NULL;
	if (why)
		job->failure = *why;
	if (kind->end && kind->end(job, op) && !job->is_cancelled && !job->is_timed_out) {
		job->failure = (struct err)ERR_INIT;
		hook_job_work(job);
		return;
	}
	op_cancel(job->timer);
	hook_job_settle(job);
}

/* The end of a session must not take long; the user can say how long. */
static int64_t hook_job_timeout(const struct hook_job *job)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	const char *given;
	int64_t ms;

	if (job->handler->event != HOOK_SESSION_END)
		return job->handler->timeout_ms;
	given = env_var(services->env ? services->env(services->arg) : NULL,
			"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS");
	if (!given || !sv_to_int(sv_cstr(given), &ms) || ms <= 0)
		return job->handler->timeout_ms;
	return min_of(ms, (int64_t)LIMIT_HOOK_SECONDS * 1000);
}

struct hook_job *hook_job_start(struct hooks *hooks, struct op *run, struct hook_set *set,
				const struct hook_handler *handler, struct hook_payload *payload)
{
	struct hook_job *job = xnew(struct hook_job);
	struct loop *loop = hooks_loop(hooks);

	job->hooks = hooks;
	job->run = run;
	job->set = hook_set_ref(set);
	job->handler = handler;
	job->payload = payload;
	payload->users++;
	job->id = uuid_v4(loop_rng(loop));
	job->started_ms = loop_now(loop);
	hook_job_report(job, HOOK_STARTED);
	job->timeout_ms = hook_job_timeout(job);
	job->timer = timer_start(loop, job->timeout_ms, THEN(hook_job_on_timer, job));
	hook_job_work(job);
	return job;
}

void hook_job_cancel(struct hook_job *job)
{
	if (!job->work && !job->timer)
		return;
	job->is_cancelled = true;
	op_cancel(job->timer);
	op_cancel(job->work);
}

void hook_job_free(struct hook_job *job)
{
	hook_answer_clear(&job->answer);
	str_clear(&job->problem);
	str_clear(&job->out);
	str_clear(&job->err);
	arena_clear(&job->arena);
	hook_payload_unref(job->payload);
	hook_set_unref(job->set);
	free(job);
}

/* Keep the beginning; the rest is read and dropped, so that the program can end by itself. */
void hook_job_take(struct hook_job *job, bool is_error, struct sv bytes)
{
	struct str *to = is_error ? &job->err : &job->out;
	size_t space = (is_error ? LIMIT_HOOK_ERRORS : LIMIT_HOOK_OUTPUT) - to->len;
	int64_t ms;

	str_add(to, sv_slice(bytes, 0, space));
	job->is_cut |= !is_error && bytes.len > space;
	if (job->run && !is_error && hook_output_is_async(sv_of(&job->out), &ms)) {
		job->timeout_ms = ms;
		timer_restart(job->timer, ms);
		str_truncate(&job->out, 0); /* the answer is what comes after it */
		hooks_detach(job->hooks, job);
	}
	if (loop_now(hooks_loop(job->hooks)) - job->reported_ms >= HOOK_PROGRESS_MS)
		hook_job_report(job, HOOK_PROGRESS);
}
