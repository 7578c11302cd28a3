/* What a command in the background has printed. */
#include "tool/builtins.h"

#include "base/limits.h"
#include "base/mem.h"
#include "text/json/json_write.h"
#include "tool/shell/background.h"

enum { WAIT_MS = 30000, MAX_WAIT_MS = 600000 };

struct task_output {
	struct op op;
	struct tool_call *call;
	const struct background_command *command;
	struct op *wait;
};

static const struct background_command *task_output_find(const struct tool_call *call)
{
	struct sv id = json_str_or(json_get(call->input, "task_id"), SV_EMPTY);

	return call->ctx->session->background ? background_find(call->ctx->session->background, id)
					      : NULL;
}

static struct sv task_output_id(const struct tool_call *call)
{
	return json_str_or(json_get(call->input, "task_id"), SV_EMPTY);
}

static bool task_output_is_agent(const struct tool_call *call)
{
	const struct tool_services *services = call->ctx->session->services;
	bool runs;

	return services->agents &&
	       services->agents->find(services->arg, task_output_id(call), &runs);
}

static bool task_output_check(const struct tool_call *call, struct err *err)
{
	if (task_output_find(call) || task_output_is_agent(call))
		return true;
	return err_set(err, ERR_NOT_FOUND, "There is no background task \"%.*s\".",
		       SV_ARG(json_str_or(json_get(call->input, "task_id"), SV_EMPTY)));
}

/* --- the result -------------------------------------------------------------------- */

static const char *task_output_state_name(const struct background_command *command)
{
	static const char *const names[] = { [BACKGROUND_RUNNING] = "running",
					     [BACKGROUND_EXITED] = "completed",
					     [BACKGROUND_STOPPED] = "killed",
					     [BACKGROUND_FAILED] = "failed" };

	return names[command->state];
}

static void task_output_add_state(struct str *out, const struct background_command *command)
{
	str_addf(out, "[%s: %s", command->id, task_output_state_name(command));
	if (command->state == BACKGROUND_EXITED)
		str_addf(out, ", exit code %d", command->code);
	else if (command->state == BACKGROUND_FAILED)
		str_addf(out, ": %s", command->err.text);
	if (command->read < command->bytes)
		str_addf(out, "; %llu more bytes: call again or read %s",
			 (unsigned long long)(command->bytes - command->read), command->path);
	str_adds(out, "]");
}

static void task_output_add_data(struct str *out, const struct background_command *command,
				 struct sv fresh)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "task_id", sv_cstr(command->id));
	jw_put_str(&w, "task_type", SV("local_bash"));
	jw_put_str(&w, "status", sv_cstr(task_output_state_name(command)));
	jw_put_str(&w, "command", sv_cstr(command->command));
	jw_put_str(&w, "output", fresh);
	if (command->state == BACKGROUND_EXITED)
		jw_put_int(&w, "exitCode", command->code);
	jw_end(&w);
	jw_done(&w);
}

static bool task_output_report(struct task_output *t, struct err *err)
{
	defer(str_clear) struct str fresh = STR_INIT;
	struct tool_result *result = &t->call->result;

	if (!background_read(t->call->ctx->session->background, t->command, LIMIT_BACKGROUND_READ,
			     &fresh, err))
		return false;
	str_add(&result->text, sv_of(&fresh));
	if (fresh.len && fresh.ptr[fresh.len - 1] != '\n')
		str_addc(&result->text, '\n');
	task_output_add_state(&result->text, t->command);
	task_output_add_data(&result->data, t->command, sv_of(&fresh));
	return true;
}

/* --- init and free ----------------------------------------------------------------- */

static void task_output_on_waited(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct task_output *t = owner;
	struct err err = ERR_INIT;

	t->wait = NULL;
	if (!why && !task_output_report(t, &err))
		why = &err;
	op_finish(&t->op, why);
}

static void task_output_cancel(struct op *op)
{
	op_cancel(container_of(op, struct task_output, op)->wait);
}

static void task_output_release(struct op *op)
{
	free(container_of(op, struct task_output, op));
}

static const struct op_type type = { .name = "TaskOutput",
				     .cancel = task_output_cancel,
				     .free = task_output_release };

static int64_t task_output_wait_ms(struct json input)
{
	double asked = json_real_or(json_get(input, "timeout"), WAIT_MS);

	if (!json_bool_or(json_get(input, "block"), true) || asked <= 0)
		return 0;
	return asked < MAX_WAIT_MS ? (int64_t)asked : MAX_WAIT_MS;
}

static struct op *task_output_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	struct task_output *t;

	if (task_output_is_agent(call))
		return services->agents->output(services->arg, call, task_output_id(call),
						task_output_wait_ms(call->input), then);
	t = xnew(struct task_output);
	op_init(&t->op, &type, call->ctx->loop, then);
	t->call = call;
	t->command = task_output_find(call);
	BUG_ON(!t->command); /* commands are known until the session ends */
	t->wait = background_wait(call->ctx->session->background, t->command,
				  task_output_wait_ms(call->input), THEN(task_output_on_waited, t));
	return &t->op;
}

static void task_output_perm_request(__attribute__((unused)) const struct tool_call *call,
				     __attribute__((unused)) struct arena *arena,
				     struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static const char *const aliases[] = { "BashOutput", "AgentOutputTool", NULL };

const struct tool tool_task_output = {
	.name = "TaskOutput",
	.aliases = aliases,
	.page = tool_task_output_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"task_id\":{\"type\":\"string\"},"
			  "\"block\":{\"type\":\"boolean\"},\"timeout\":{\"type\":\"number\","
			  "\"description\":\"Milliseconds; default "
			  "30000\"}},\"required\":[\"task_id\"],\"additionalProperties\":false}"),
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = task_output_check,
	.perm_request = task_output_perm_request,
	.start = task_output_start,
};
