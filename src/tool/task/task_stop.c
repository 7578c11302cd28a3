/* Ends a command in the background. */
#include "tool/builtins.h"

#include "text/json/json_write.h"
#include "tool/shell/jobs.h"

static struct sv task_stop_id_of(struct json input)
{
	return json_str_or(json_get(input, "task_id"),
			   json_str_or(json_get(input, "shell_id"), SV_EMPTY));
}

static const struct job *task_stop_find_job(const struct tool_call *call)
{
	return call->ctx->session->jobs
		       ? jobs_find(call->ctx->session->jobs, task_stop_id_of(call->input))
		       : NULL;
}

static bool task_stop_check(const struct tool_call *call, struct err *err)
{
	const struct job *job = task_stop_find_job(call);

	if (!job)
		return err_set(err, ERR_NOT_FOUND, "There is no background task \"%.*s\".",
			       SV_ARG(task_stop_id_of(call->input)));
	if (job->state != JOB_RUNNING)
		return err_set(err, ERR_INVALID, "Background task %s has already ended.", job->id);
	return true;
}

static struct op *task_stop_start(struct tool_call *call, struct then then)
{
	const struct job *job = task_stop_find_job(call);
	struct jw w;

	jobs_stop(call->ctx->session->jobs, job);
	str_addf(&call->result.text, "Stopped %s: %s", job->id, job->command);
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_strf(&w, "message", "Stopped %s", job->id);
	jw_put_str(&w, "task_id", sv_cstr(job->id));
	jw_put_str(&w, "task_type", SV("local_bash"));
	jw_put_str(&w, "command", sv_cstr(job->command));
	jw_end(&w);
	jw_done(&w);
	return jobs_wait(call->ctx->session->jobs, job, INT32_MAX, then);
}

static void task_stop_perm_request(__attribute__((unused)) const struct tool_call *call,
				   __attribute__((unused)) struct arena *arena,
				   struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static const char *const aliases[] = { "KillShell", "KillBash", NULL };

const struct tool tool_task_stop = {
	.name = "TaskStop",
	.aliases = aliases,
	.page = tool_task_stop_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"task_id\":{\"type\":\"string\"},"
			  "\"shell_id\":{\"type\":\"string\",\"description\":\"The same\"}},"
			  "\"additionalProperties\":false}"),
	.check = task_stop_check,
	.perm_request = task_stop_perm_request,
	.start = task_stop_start,
};
