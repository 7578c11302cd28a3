/* Ends a command in the background. */
#include "tool/builtins.h"

#include "text/json/json_write.h"
#include "tool/shell/background.h"

static struct sv task_stop_id_of(struct json input)
{
	return json_str_or(json_get(input, "task_id"),
			   json_str_or(json_get(input, "shell_id"), SV_EMPTY));
}

static const struct background_command *task_stop_find(const struct tool_call *call)
{
	return call->ctx->session->background ? background_find(call->ctx->session->background,
								task_stop_id_of(call->input))
					      : NULL;
}

static bool task_stop_is_agent(const struct tool_call *call, bool *runs)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->agents &&
	       services->agents->find(services->arg, task_stop_id_of(call->input), runs);
}

static bool task_stop_check(const struct tool_call *call, struct err *err)
{
	const struct background_command *command = task_stop_find(call);
	bool runs;

	if (task_stop_is_agent(call, &runs))
		return runs || err_set(err, ERR_INVALID, "Agent %.*s has already ended.",
				       SV_ARG(task_stop_id_of(call->input)));
	if (!command)
		return err_set(err, ERR_NOT_FOUND, "There is no background task \"%.*s\".",
			       SV_ARG(task_stop_id_of(call->input)));
	if (command->state != BACKGROUND_RUNNING)
		return err_set(err, ERR_INVALID, "Background task %s has already ended.",
			       command->id);
	return true;
}

static struct op *task_stop_start(struct tool_call *call, struct then then)
{
	const struct background_command *command = task_stop_find(call);
	const struct tool_services *services = call->ctx->session->services;
	struct jw w;
	bool runs;

	if (task_stop_is_agent(call, &runs))
		return services->agents->stop(services->arg, call, task_stop_id_of(call->input),
					      then);
	background_stop(call->ctx->session->background, command);
	str_addf(&call->result.text, "Stopped %s: %s", command->id, command->command);
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_strf(&w, "message", "Stopped %s", command->id);
	jw_put_str(&w, "task_id", sv_cstr(command->id));
	jw_put_str(&w, "task_type", SV("local_bash"));
	jw_put_str(&w, "command", sv_cstr(command->command));
	jw_end(&w);
	jw_done(&w);
	return background_wait(call->ctx->session->background, command, INT32_MAX, then);
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
