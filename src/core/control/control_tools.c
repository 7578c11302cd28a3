/* Control requests for the tools of a session that no model makes: `awl mcp serve` answers its clients with them. A
 * call goes the same way as a call of the model, through the schema, hooks and permission. Nobody but
 * the rules, the mode and the host can allow it. */
#include "base/mem.h"
#include "core/agent/call.h"
#include "core/control/control.h"
#include "core/session/session_internal.h"
#include "text/json/json_write.h"

/* --- which tools there are ------------------------------------------------------------------------- */

static void control_tools_put(struct jw *w, const struct toolset_entry *entry)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&entry->json), 0, &ignored);
	struct json root = json_root(doc);

	jw_object(w);
	jw_put_value(w, "name", json_get(root, "name"));
	jw_put_value(w, "description", json_get(root, "description"));
	jw_put_value(w, "inputSchema", json_get(root, "input_schema"));
	jw_put_object(w, "annotations");
	jw_put_bool(w, "readOnlyHint", entry->tool->is_read_only == tool_always);
	jw_end(w);
	jw_end(w);
}

static void control_tools_reply(struct session *s, struct sv request_id, const struct str *json)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(json), 0, &err);

	if (doc)
		control_reply(
			s, request_id,
			(struct control_reply){ .kind = REPLY_VALUE, .value = json_root(doc) });
	else
		control_refuse(s, request_id, NULL, sv_cstr(err.text));
}

void control_list_tools(struct session *s, const struct control_request *request)
{
	const struct toolset *tools = agent_toolset(s->agent);
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "tools");
	for (size_t i = 0; i < tools->entries.n; i++)
		control_tools_put(&w, tools->entries.at[i]);
	jw_end(&w);
	jw_end(&w);
	control_tools_reply(s, request->id, &json);
}

/* --- calls ------------------------------------------------------------------------------------------ */

struct control_call {
	struct control_wait wait; /* first */
	struct op op;
	struct call *call;
	bool is_started, is_over;
};

static void control_call_pump(struct session *s);

/* The result, as MCP has it: what the tool returns as data, else its text. */
static void control_call_reply(struct control_wait *wait)
{
	struct control_call *c = (struct control_call *)wait;
	const struct tool_result *result = &c->call->run.result;
	bool has_data = !result->is_error && sv_starts(sv_of(&result->data), SV("{"));
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "content");
	jw_object(&w);
	jw_put_str(&w, "type", SV("text"));
	jw_put_str(&w, "text", has_data ? sv_of(&result->data) : sv_of(&result->text));
	jw_end(&w);
	jw_end(&w);
	jw_put_bool(&w, "isError", result->is_error);
	jw_end(&w);
	control_tools_reply(wait->session, sv_of(&wait->id), &json);
}

/* The op frees all of it. */
static void control_call_keep(__attribute__((unused)) struct control_wait *wait)
{
}

static const struct control_wait_type calling = { .reply = control_call_reply,
						  .free = control_call_keep };

static void control_call_cancel(struct op *op)
{
	struct control_call *c = container_of(op, struct control_call, op);

	if (c->is_started) {
		call_cancel(c->call, CALL_INTERRUPTED);
		return;
	}
	c->is_started = c->is_over = true;
	op_finish(&c->op, NULL);
}

static void control_call_free(struct op *op)
{
	struct control_call *c = container_of(op, struct control_call, op);

	call_free(c->call);
	free(c);
}

static const struct op_type control_call_type = {
	.name = "call of the host",
	.cancel = control_call_cancel,
	.free = control_call_free,
};

static void control_call_on_over(__attribute__((unused)) struct op *op, void *owner,
				 __attribute__((unused)) const struct err *why)
{
	struct control_call *c = owner;

	c->is_over = true;
	c->call->is_over = true;
	op_finish(&c->op, NULL);
	control_call_pump(c->wait.session);
}

/* The next of these calls; NULL: there are no more. */
static struct control_call *control_call_next(struct control_wait *wait)
{
	while (wait && wait->type != &calling)
		wait = wait->next;
	return (struct control_call *)wait;
}

/* Calls that change something run alone, as those of the model do. */
static bool control_call_may_start(struct session *s, struct control_call *c)
{
	for (struct control_call *other = control_call_next(s->control_waits); other;
	     other = control_call_next(other->wait.next)) {
		if (other->is_started && !other->is_over &&
		    (!call_is_concurrent(other->call) || !call_is_concurrent(c->call)))
			return false;
	}
	return true;
}

/* Start what can start, the oldest first: the list begins with the newest. */
static void control_call_pump(struct session *s)
{
	for (;;) {
		struct control_call *oldest = NULL;

		for (struct control_call *c = control_call_next(s->control_waits); c;
		     c = control_call_next(c->wait.next))
			if (!c->is_started)
				oldest = c;
		if (!oldest || !control_call_may_start(s, oldest))
			return;
		oldest->is_started = true;
		call_start(oldest->call, THEN(control_call_on_over, oldest));
	}
}

static void control_call_write(struct str *out, const struct control_request *request)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("tool_use"));
	jw_put_str(&w, "id", request->id);
	jw_put_str(&w, "name", request->mcp.tool);
	if (json_exists(request->mcp.arguments))
		jw_put_value(&w, "input", request->mcp.arguments);
	else
		jw_put_raw(&w, "input", SV("{}"));
	jw_end(&w);
}

void control_call_tool(struct session *s, const struct control_request *request)
{
	defer(str_clear) struct str block = STR_INIT;
	struct control_call *c;

	if (s->state == SESSION_TURN) {
		control_refuse(s, request->id, NULL, SV("a turn is running; wait for its result"));
		return;
	}
	if (!toolset_find(agent_toolset(s->agent), request->mcp.tool)) {
		control_refuse(s, request->id, "unknown_tool", SV("there is no such tool"));
		return;
	}
	control_call_write(&block, request);
	c = xnew(struct control_call);
	control_wait_init(&c->wait, s, request->id, &calling);
	op_init(&c->op, &control_call_type, s->engine->loop, THEN(control_wait_on_done, &c->wait));
	c->wait.op = &c->op;
	c->call = call_new(s->agent, sv_of(&block), SV_EMPTY);
	control_call_pump(s);
}
