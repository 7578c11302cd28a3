/* --permission-prompt-tool: the tool of an MCP server answers questions about permission. It gets what a host would be
 * asked, and its answer is taken as the response of a host. Whatever goes wrong is a no. */
#include "base/mem.h"
#include "core/mcp/session_mcp.h"
#include "proto/input.h"
#include "text/json/json_write.h"

/* A question that the tool has not answered. */
struct permission_ask {
	struct session *s;
	struct str id; /* of the request */
	struct op *op;
	bool is_void; /* nobody waits for the answer */
};

static void permission_ask_free(struct permission_ask *ask)
{
	struct session_mcp *m = ask->s->mcp;

	for (size_t i = 0; i < m->asks.n; i++) {
		if (m->asks.at[i] != ask)
			continue;
		vec_remove(&m->asks, i);
		break;
	}
	str_clear(&ask->id);
	free(ask);
}

/* The text of the first block, which is the answer. */
static struct sv permission_ask_text(struct json result)
{
	struct json_iter it = json_each(json_get(result, "content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "text"))
			return json_str_or(json_get(block, "text"), SV_EMPTY);
	return SV_EMPTY;
}

static void permission_ask_deny(struct permission_ask *ask, const char *why)
{
	defer(str_clear) struct str message = STR_INIT;

	str_addf(&message, "The permission prompt tool did not answer: %s", why);
	(void)!host_queue_answer(&ask->s->host, sv_of(&ask->id),
				 &(struct answer_given){ .message = sv_of(&message) });
}

static void permission_ask_on_done(struct op *op, void *owner, const struct err *why)
{
	struct permission_ask *ask = owner;
	struct session *s = ask->s;
	struct json result = mcp_server_call_result(op);
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		why ? NULL : json_parse(permission_ask_text(result), 0, &err);
	defer(str_clear) struct str line = STR_INIT;

	if (!ask->is_void && !session_is_closed(s)) {
		if (json_is(json_root(doc), JSON_OBJECT)) {
			input_write_response(&line, sv_of(&ask->id), json_root(doc));
			if (!session_take(s, sv_of(&line), &err))
				permission_ask_deny(ask, err.text);
		} else {
			permission_ask_deny(ask,
					    why ? why->text : "its answer is not a JSON object");
		}
	}
	permission_ask_free(ask);
	session_settle(s);
}

static void permission_ask_on_missing(__attribute__((unused)) struct op *op, void *owner,
				      __attribute__((unused)) const struct err *why)
{
	struct permission_ask *ask = owner;
	struct session *s = ask->s;

	if (!ask->is_void && !session_is_closed(s))
		permission_ask_deny(ask, "no connected MCP server has that tool");
	permission_ask_free(ask);
	session_settle(s);
}

bool session_permission_tool_ask(struct session *s, const struct host_request *request)
{
	const struct mcp_tool *tool;
	struct permission_ask *ask;
	defer(str_clear) struct str params = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	if (!s->mcp || !s->mcp->permission_tool || request->kind != HOST_CAN_USE_TOOL)
		return false;
	tool = session_mcp_find_tool(s, sv_cstr(s->mcp->permission_tool));
	ask = xnew(struct permission_ask);
	ask->s = s;
	str_add(&ask->id, request->id);
	vec_push(&s->mcp->asks, ask);
	if (!tool) {
		ask->op = op_settled(s->engine->loop, THEN(permission_ask_on_missing, ask));
		return true;
	}
	host_request_write_call(&params, sv_cstr(tool->name), &request->permission);
	doc = json_parse(sv_of(&params), 0, &err);
	ask->op = mcp_server_call_start(tool->server,
					&(struct mcp_call_opts){ .method = SV("tools/call"),
								 .name = sv_cstr(tool->name),
								 .params = json_root(doc) },
					false, THEN(permission_ask_on_done, ask));
	return true;
}

void session_permission_tool_withdraw(struct session *s, struct sv id)
{
	for (size_t i = 0; s->mcp && i < s->mcp->asks.n; i++) {
		struct permission_ask *ask = s->mcp->asks.at[i];

		if (id.len && !sv_eq(sv_of(&ask->id), id))
			continue;
		ask->is_void = true;
		op_cancel(ask->op);
	}
}
