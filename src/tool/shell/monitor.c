/* Monitor: runs a command in the background and passes its output on to the model, line by line. */
#include "tool/builtins.h"

#include <inttypes.h>

#include "text/json/json_write.h"
#include "tool/shell/background.h"
#include "tool/shell/shell.h"

enum { TIMEOUT_MS = 300000, MAX_TIMEOUT_MS = 3600000 };

static struct sv monitor_command(struct json input)
{
	return json_str_or(json_get(input, "command"), SV_EMPTY);
}

static bool is_persistent(const struct tool_call *call)
{
	return json_bool_or(json_get(call->input, "persistent"), false);
}

static int64_t monitor_timeout_of(const struct tool_call *call)
{
	double asked = json_real_or(json_get(call->input, "timeout_ms"), TIMEOUT_MS);

	if (asked < 1)
		return TIMEOUT_MS;
	return asked < MAX_TIMEOUT_MS ? (int64_t)asked : MAX_TIMEOUT_MS;
}

static bool monitor_check(const struct tool_call *call, struct err *err)
{
	if (!call->ctx->session->background || !call->ctx->session->services->notify)
		return err_set(err, ERR_UNSUPPORTED,
			       "Background commands are not available in this session.");
	return shell_check(monitor_command(call->input), err);
}

/* Quotes the output, so that it cannot be mistaken for the user's or our own words. */
static void monitor_notify(void *arg, const struct background_command *command, struct sv text)
{
	const struct tool_context *ctx = arg;
	defer(str_clear) struct str note = STR_INIT;
	struct sv line;

	str_addf(&note, "%s (%s) has printed:", command->id, command->description);
	while (sv_cut_line(&text, &line))
		str_addf(&note, "\n> %.*s", SV_ARG(line));
	ctx->session->services->notify(ctx->session->services->arg, sv_of(&note));
}

static void monitor_report(const struct tool_call *call, const struct background_command *command,
			   struct tool_result *result)
{
	struct jw w;

	str_addf(&result->text,
		 "It runs in the background as %s; its output goes to %s and is sent to you as it "
		 "arrives. You are notified when it ends; TaskStop stops it.",
		 command->id, command->path);
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "taskId", sv_cstr(command->id));
	jw_put_int(&w, "timeoutMs", is_persistent(call) ? 0 : monitor_timeout_of(call));
	if (is_persistent(call))
		jw_put_bool(&w, "persistent", true);
	jw_end(&w);
	jw_done(&w);
}

static struct op *monitor_start(struct tool_call *call, struct then then)
{
	struct background_start how = {
		.command = monitor_command(call->input),
		.analysis = call->analysis,
		.ctx = call->ctx,
		.deadline_ms = is_persistent(call) ? 0 : monitor_timeout_of(call),
		.on_output = monitor_notify,
		.arg = call->ctx,
		.description = json_str_or(json_get(call->input, "description"), SV_EMPTY),
	};
	struct err err = ERR_INIT;
	const struct background_command *command =
		background_start(call->ctx->session->background, &how, &err);

	if (command)
		monitor_report(call, command, &call->result);
	else
		tool_fail(&call->result, "The command was not started: %s.", err.text);
	return op_settled(call->ctx->loop, then);
}

static void monitor_perm_request(const struct tool_call *call,
				 __attribute__((unused)) struct arena *arena,
				 struct perm_request *out)
{
	out->access = ACCESS_RUN;
	out->command = monitor_command(call->input);
}

const struct tool tool_monitor = {
	.name = "Monitor",
	.page = tool_monitor_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"command\":{\"type\":\"string\"},"
			  "\"description\":{\"type\":\"string\",\"minLength\":1,\"description\":"
			  "\"What you are watching for; shown before the "
			  "lines\"},\"timeout_ms\":{\"type\":\"number\",\"description\":\"It is "
			  "stopped after this; default 300000, at most "
			  "3600000\"},\"persistent\":{\"type\":\"boolean\",\"description\":\"Run "
			  "until the session ends; ignores "
			  "timeout_ms\"}},\"required\":[\"command\",\"description\"],"
			  "\"additionalProperties\":false}"),
	.deferred = true,
	.check = monitor_check,
	.command = monitor_command,
	.perm_request = monitor_perm_request,
	.start = monitor_start,
};
