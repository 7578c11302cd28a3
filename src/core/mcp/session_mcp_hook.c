/* Hooks that are tools of an MCP server. The user has written them into the settings, so nobody is asked. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/mcp/session_mcp.h"
#include "text/json/json_write.h"

struct hook_call {
	struct op op;
	struct op *call;
	struct str *out;
	struct err failure;
};

static void hook_call_cancel(struct op *op)
{
	op_cancel(container_of(op, struct hook_call, op)->call);
}

static void hook_call_free(struct op *op)
{
	free(container_of(op, struct hook_call, op));
}

static const struct op_type hook_call_type = {
	.name = "MCP hook",
	.cancel = hook_call_cancel,
	.free = hook_call_free,
};

static void hook_call_take(struct hook_call *c, struct json result)
{
	struct json_iter it = json_each(json_get(result, "content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		str_add(c->out, utf8_prefix(json_str_or(json_get(block, "text"), SV_EMPTY),
					    LIMIT_HOOK_OUTPUT - min_of(c->out->len,
								       (size_t)LIMIT_HOOK_OUTPUT)));
	if (json_bool_or(json_get(result, "isError"), false))
		err_set(&c->failure, ERR_INVALID, "the tool failed: %.*s",
			SV_ARG(utf8_prefix(sv_of(c->out), 200)));
}

static void hook_call_on_done(struct op *op, void *owner, const struct err *why)
{
	struct hook_call *c = owner;

	c->call = NULL;
	if (why)
		c->failure = *why;
	else
		hook_call_take(c, mcp_server_call_result(op));
	op_finish(&c->op, c->failure.kind ? &c->failure : NULL);
}

/* `tool` without a server may name both: mcp__server__tool. */
static struct mcp_server *hook_call_find(const struct session *s, struct sv server, struct sv *tool)
{
	const struct mcp_tool *found;

	if (!s->mcp || !s->mcp->servers)
		return NULL;
	if (server.len)
		return mcp_servers_find(s->mcp->servers, server);
	found = session_mcp_find_tool(s, *tool);
	if (found)
		*tool = sv_cstr(found->name);
	return found ? found->server : NULL;
}

static struct json_doc *hook_call_params(struct sv tool, struct sv input)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", tool);
	jw_put_raw(&w, "arguments", input);
	jw_end(&w);
	jw_done(&w);
	return json_parse(sv_of(&text), 0, &err);
}

struct op *session_mcp_hook_start(void *arg, struct sv server, struct sv tool, struct sv input,
				  struct str *out, struct then then)
{
	struct session *s = arg;
	struct mcp_server *found = hook_call_find(s, server, &tool);
	defer(json_doc_freep) struct json_doc *params = hook_call_params(tool, input);
	struct hook_call *c = xnew(struct hook_call);

	op_init(&c->op, &hook_call_type, s->engine->loop, then);
	c->out = out;
	if (!found) {
		err_set(&c->failure, ERR_NOT_FOUND, "there is no MCP server \"%.*s\"",
			SV_ARG(utf8_prefix(server.len ? server : tool, 100)));
		op_finish(&c->op, &c->failure);
		return &c->op;
	}
	c->call = mcp_server_call_start(found,
					&(struct mcp_call_opts){ .method = SV("tools/call"),
								 .name = tool,
								 .params = json_root(params) },
					false, THEN(hook_call_on_done, c));
	return &c->op;
}
