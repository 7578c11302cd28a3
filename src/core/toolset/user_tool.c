#include "core/toolset/user_tool.h"

#include "base/limits.h"
#include "base/mem.h"
#include "core/toolset/toolset.h"
#include "sys/child.h"
#include "text/json/json_write.h"
#include "tool/shell/bash_output.h"

enum { USUAL_TIMEOUT_MS = 120000 };

/* --- a call ----------------------------------------------------------------------------- */

struct user_call {
	struct op op;
	struct tool_call *call;
	struct op *child;
	struct bash_output out, complaint;
};

static void user_tool_call_cancel(struct op *op)
{
	op_cancel(container_of(op, struct user_call, op)->child);
}

static void user_tool_call_free(struct op *op)
{
	struct user_call *c = container_of(op, struct user_call, op);

	bash_output_clear(&c->out);
	bash_output_clear(&c->complaint);
	free(c);
}

static const struct op_type call_type = {
	.name = "user's tool",
	.cancel = user_tool_call_cancel,
	.free = user_tool_call_free,
};

static void user_tool_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct user_call *c = owner;
	struct sv fresh = bash_output_add(from == CHILD_OUT ? &c->out : &c->complaint, bytes);

	if (c->call->on_progress && fresh.len)
		c->call->on_progress(c->call->progress_arg, fresh);
}

static void user_tool_report_output(struct user_call *c)
{
	struct str *text = &c->call->result.text;

	bash_output_text(&c->out, text);
	if (c->out.path.len)
		str_addf(text, "\n%s of it is in %s",
			 c->out.file_bytes == c->out.bytes ? "All" : "The start", c->out.path.ptr);
}

/* Report why it failed, by what it printed if there is something. */
static void user_tool_report_failure(struct user_call *c, const struct err *why, int code)
{
	struct str *text = &c->call->result.text;

	c->call->result.is_error = true;
	if (why)
		str_addf(text, "%s: %s", c->call->tool->name, why->text);
	else
		str_addf(text, "%s ended with exit code %d.", c->call->tool->name, code);
	if (c->complaint.bytes) {
		str_addc(text, '\n');
		bash_output_text(&c->complaint, text);
	}
	if (c->out.bytes) {
		str_addc(text, '\n');
		user_tool_report_output(c);
	}
}

static void user_tool_on_child(struct op *op, void *owner, const struct err *why)
{
	struct user_call *c = owner;
	int code = child_result(op).code;

	c->child = NULL;
	bash_output_end(&c->out);
	bash_output_end(&c->complaint);
	if (why || code)
		user_tool_report_failure(c, why, code);
	else
		user_tool_report_output(c);
	op_finish(&c->op, NULL);
}

static int64_t user_tool_deadline_of(const struct user_tool *tool, const struct tool_context *ctx)
{
	int64_t usual =
		ctx->session->bash_timeout_ms ? ctx->session->bash_timeout_ms : USUAL_TIMEOUT_MS;

	return tool->timeout_ms ? tool->timeout_ms : usual;
}

static struct op *user_tool_start(struct tool_call *call, struct then then)
{
	const struct user_tool *tool = call->tool->arg;
	struct user_call *c = xnew(struct user_call);
	defer(str_clear) struct str input = STR_INIT;
	const char *const argv[] = { tool->path, NULL };
	struct child_opts opts = { .argv = argv,
				   .env = call->ctx->session->env,
				   .cwd = str_c(&call->ctx->cwd),
				   .max_output = LIMIT_BASH_TOTAL,
				   .deadline_ms = user_tool_deadline_of(tool, call->ctx),
				   .on_data = user_tool_on_data };
	struct jw w;

	op_init(&c->op, &call_type, call->ctx->loop, then);
	c->call = call;
	bash_output_init(&c->out, call->ctx->session->results_dir, call->id);
	bash_output_init(&c->complaint, NULL, SV_EMPTY);
	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, call->input);
	jw_done(&w);
	str_addc(&input, '\n');
	opts.input = sv_of(&input);
	c->child = child_start(call->ctx->loop, &opts, THEN(user_tool_on_child, c));
	return &c->op;
}

/* --- the tools ----------------------------------------------------------------------------- */

static bool user_tool_yes(__attribute__((unused)) struct json input)
{
	return true;
}

static void user_tool_request_nothing(__attribute__((unused)) const struct tool_call *call,
				      __attribute__((unused)) struct arena *arena,
				      struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static bool is_fine(const struct user_tool *tool, struct err *err)
{
	size_t n;
	const struct tool *const *builtins = tool_builtins(&n);

	if (tool_find(builtins, n, sv_cstr(tool->name)))
		return err_set(err, ERR_EXISTS, "there is a built-in tool of that name");
	return toolset_accepts_schema(sv_cstr(tool->schema), err) ||
	       err_context(err, "its \"input_schema\"");
}

static struct tool user_tool_made_of(struct user_tool *tool)
{
	return (struct tool){
		.name = tool->name,
		.page = tool->description,
		.schema = sv_cstr(tool->schema),
		.deferred = tool->deferred,
		.is_read_only = tool->read_only ? user_tool_yes : NULL,
		.is_concurrent = tool->read_only ? user_tool_yes : NULL,
		.perm_request = tool->read_only ? user_tool_request_nothing : NULL,
		.start = user_tool_start,
		.arg = tool,
	};
}

void user_toolset_open(struct user_toolset *set, const char *dir)
{
	user_tools_load(&set->found, dir);
	set->tools = xcalloc(set->found.list.n + 1, sizeof(*set->tools));
	for (size_t i = 0; i < set->found.list.n; i++) {
		struct user_tool *tool = &set->found.list.at[i];
		struct err err = ERR_INIT;

		if (is_fine(tool, &err))
			set->tools[set->n++] = user_tool_made_of(tool);
		else
			str_addf(&set->found.notes, "A tool is skipped: %s.json: %s\n", tool->path,
				 err.text);
	}
}

void user_toolset_clear(struct user_toolset *set)
{
	free(set->tools);
	user_tools_clear(&set->found);
	*set = (struct user_toolset)USER_TOOLSET_INIT;
}
