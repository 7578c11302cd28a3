#include "core/toolset/host_tool.h"

#include <ctype.h>

#include "base/mem.h"
#include "core/toolset/toolset.h"
#include "text/json/json_write.h"

enum { HOST_RESULT_MAX = 100000 };

/* A call that the engine and the host share. The one that finishes last frees it. */
struct awl_call {
	struct op op;
	struct tool_call *call;
	struct task start, cancel;
	struct str input;
	bool is_with_host; /* the host has not finished it */
	bool is_forgotten; /* nobody waits for the result */
};

static const struct awl_tool *host_of(const struct awl_call *c)
{
	return &container_of(c->call->tool, struct host_tool, tool)->host;
}

static void host_tool_free_if_unwanted(struct awl_call *c)
{
	if (c->is_with_host || !c->is_forgotten)
		return;
	str_clear(&c->input);
	free(c);
}

void awl_call_finish(struct awl_call *c, const char *text, bool is_error)
{
	c->is_with_host = false;
	if (c->is_forgotten) {
		host_tool_free_if_unwanted(c);
	} else if (!c->op.cancelled) {
		str_add(&c->call->result.text, sv_cstr(text));
		c->call->result.is_error = is_error;
		op_finish(&c->op, NULL);
	}
}

/* Call the host from the loop, because it may finish the call at once. */
static void host_tool_call_host(struct task *task)
{
	struct awl_call *c = container_of(task, struct awl_call, start);
	const struct awl_tool *host = host_of(c);

	if (c->op.cancelled)
		return;
	c->is_with_host = true;
	host->call(host->arg, c, c->input.ptr, c->input.len);
}

static void host_tool_report_cancelled(struct task *task)
{
	struct awl_call *c = container_of(task, struct awl_call, cancel);
	const struct awl_tool *host = host_of(c);

	if (c->is_with_host && host->cancel)
		host->cancel(host->arg, c);
}

/* Does not wait for the host. The host's cancel() runs from the loop before the call ends. */
static void host_tool_call_cancel(struct op *op)
{
	struct awl_call *c = container_of(op, struct awl_call, op);

	loop_post(op->loop, &c->cancel);
	op_finish(op, NULL);
}

static void host_tool_call_free(struct op *op)
{
	struct awl_call *c = container_of(op, struct awl_call, op);

	c->is_forgotten = true;
	host_tool_free_if_unwanted(c);
}

static const struct op_type call_type = {
	.name = "host tool",
	.cancel = host_tool_call_cancel,
	.free = host_tool_call_free,
};

static struct op *host_tool_start(struct tool_call *call, struct then then)
{
	struct awl_call *c = xnew(struct awl_call);
	struct jw w;

	op_init(&c->op, &call_type, call->ctx->loop, then);
	c->call = call;
	c->start.run = host_tool_call_host;
	c->cancel.run = host_tool_report_cancelled;
	jw_init(&w, &c->input, JW_COMPACT);
	jw_value(&w, call->input);
	jw_done(&w);
	loop_post(c->op.loop, &c->start);
	return &c->op;
}

static bool host_tool_yes(__attribute__((unused)) struct json input)
{
	return true;
}

/* A tool that only reads the host's own data needs no permission. */
static void host_tool_request_nothing(__attribute__((unused)) const struct tool_call *call,
				      __attribute__((unused)) struct arena *arena,
				      struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static bool host_tool_is_name(const char *name)
{
	size_t n = 0;

	for (; name && name[n]; n++) {
		if (!isalnum((unsigned char)name[n]) && name[n] != '_' && name[n] != '-')
			return false;
	}
	return n > 0 && n <= 64;
}

static bool host_tool_check(const struct awl_tool *host, struct err *err)
{
	if (!host->call)
		return err_set(err, ERR_INVALID, "it has no function to call");
	return toolset_accepts_schema(sv_cstr(host->input_schema), err) ||
	       err_context(err, "its schema");
}

struct host_tool *host_tool_new(const struct awl_tool *host, struct err *err)
{
	struct host_tool *t;

	if (!host_tool_is_name(host->name)) {
		err_set(err, ERR_INVALID,
			"a tool's name is 1 to 64 letters, digits, '_' and '-', not '%s'",
			host->name ? host->name : "");
		return NULL;
	}
	if (!host_tool_check(host, err)) {
		err_context(err, "the tool %s", host->name);
		return NULL;
	}
	t = xnew(struct host_tool);
	t->host = *host;
	t->host.name = xstrdup(host->name);
	t->host.description = xstrdup(host->description ? host->description : "");
	t->host.input_schema = xstrdup(host->input_schema);
	t->tool = (struct tool){
		.name = t->host.name,
		.page = t->host.description,
		.schema = sv_cstr(t->host.input_schema),
		.max_result = HOST_RESULT_MAX,
		.is_read_only = host->is_read_only ? host_tool_yes : NULL,
		.is_concurrent = host->is_concurrent ? host_tool_yes : NULL,
		.perm_request = host->is_read_only ? host_tool_request_nothing : NULL,
		.start = host_tool_start,
	};
	return t;
}

void host_tool_free(struct host_tool *t)
{
	if (!t)
		return;
	if (t->host.release)
		t->host.release(t->host.arg);
	free((char *)t->host.name);
	free((char *)t->host.description);
	free((char *)t->host.input_schema);
	free(t);
}
