#include "mcp/resource_tools.h"

#include "base/mem.h"
#include "mcp/content.h"
#include "text/json/json_write.h"

enum { RESOURCE_RESULT = 100000 };

bool mcp_server_has_resources(const struct mcp_server *server)
{
	const struct mcp_client *client = mcp_server_client(server);

	return mcp_server_status(server) == MCP_STATUS_CONNECTED &&
	       json_is(json_get(mcp_client_capabilities(client), "resources"), JSON_OBJECT);
}

/* The data of a server that the user has chosen; a rule may still deny it. */
static void resource_tool_request(__attribute__((unused)) const struct tool_call *call,
				  __attribute__((unused)) struct arena *arena,
				  struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

/* Append the names of all servers that have resources. */
static void resource_tool_name_servers(const struct mcp_servers *set, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < mcp_servers_count(set); i++) {
		const struct mcp_server *server = mcp_servers_at(set, i);

		if (mcp_server_has_resources(server))
			str_addf(out, "%s%s", n++ ? ", " : "", mcp_server_config(server)->name);
	}
	if (!n)
		str_adds(out, "none");
}

static struct mcp_server *resource_tool_find(struct tool_call *call)
{
	const struct mcp_servers *set = call->tool->arg;
	struct sv name = json_str_or(json_get(call->input, "server"), SV_EMPTY);
	struct mcp_server *server = mcp_servers_find(set, name);
	defer(str_clear) struct str names = STR_INIT;

	if (server)
		return server;
	resource_tool_name_servers(set, &names);
	tool_fail(&call->result, "There is no MCP server \"%.*s\". Servers with resources: %s",
		  SV_ARG(sv_slice(name, 0, 100)), str_c(&names));
	return NULL;
}

/* --- ListMcpResourcesTool ------------------------------------------------------------------- */

static void resource_tool_list_one(struct jw *w, const struct mcp_server *server,
				   enum mcp_list_kind kind)
{
	const struct mcp_client *client = mcp_server_client(server);

	for (size_t i = 0; i < mcp_client_count(client, kind); i++) {
		struct json_iter it = json_each(mcp_client_item(client, kind, i));
		struct json value;
		struct sv key;

		jw_object(w);
		while (json_next(&it, &key, &value)) {
			if (sv_is(key, "icons") || sv_is(key, "server") || sv_is(key, "_meta"))
				continue;
			jw_key(w, key);
			jw_value(w, value);
		}
		jw_put_str(w, "server", sv_cstr(mcp_server_config(server)->name));
		jw_end(w);
	}
}

static struct op *resource_tool_list(struct tool_call *call, struct then then)
{
	const struct mcp_servers *set = call->tool->arg;
	bool is_one = json_is(json_get(call->input, "server"), JSON_STRING);
	const struct mcp_server *server = is_one ? resource_tool_find(call) : NULL;
	struct jw w;

	if (!is_one || server) {
		jw_init(&w, &call->result.text, JW_COMPACT);
		jw_array(&w);
		for (size_t i = 0; i < mcp_servers_count(set); i++)
			if (!server || mcp_servers_at(set, i) == server) {
				resource_tool_list_one(&w, mcp_servers_at(set, i), MCP_RESOURCES);
				resource_tool_list_one(&w, mcp_servers_at(set, i), MCP_TEMPLATES);
			}
		jw_end(&w);
		jw_done(&w);
		str_set(&call->result.data, sv_of(&call->result.text));
	}
	return op_settled(call->ctx->loop, then);
}

/* --- ReadMcpResourceTool --------------------------------------------------------------------- */

struct resource_read {
	struct op op;
	struct tool_call *call;
	struct mcp_server *server;
	struct op *step;
};

static void resource_read_cancel(struct op *op)
{
	op_cancel(container_of(op, struct resource_read, op)->step);
}

static void resource_read_free(struct op *op)
{
	free(container_of(op, struct resource_read, op));
}

static const struct op_type read_type = {
	.name = "MCP resource",
	.cancel = resource_read_cancel,
	.free = resource_read_free,
};

/* The server is asked to say when it changes. */
static void resource_read_watch(const struct resource_read *r)
{
	mcp_client_watch(mcp_server_client(r->server),
			 json_str_or(json_get(r->call->input, "uri"), SV_EMPTY));
}

static void resource_read_on_done(struct op *op, void *owner, const struct err *why)
{
	struct resource_read *r = owner;
	struct sv text = mcp_server_call_text(op);

	r->step = NULL;
	if (why && why->kind == ERR_CANCELLED) {
		op_finish(&r->op, why);
		return;
	}
	if (why)
		tool_fail(&r->call->result, "%.*s", SV_ARG(text.len ? text : sv_cstr(why->text)));
	else
		resource_read_watch(r);
	if (!why)
		mcp_content_take_resource(r->call, sv_cstr(mcp_server_config(r->server)->name),
					  mcp_server_call_result(op), RESOURCE_RESULT);
	op_finish(&r->op, NULL);
}

static struct op *resource_tool_read(struct tool_call *call, struct then then)
{
	struct mcp_server *server = resource_tool_find(call);
	struct sv uri = json_str_or(json_get(call->input, "uri"), SV_EMPTY);
	struct resource_read *r;
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *params = NULL;
	struct err err = ERR_INIT;
	struct jw w;

	if (!server)
		return op_settled(call->ctx->loop, then);
	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "uri", uri);
	jw_end(&w);
	jw_done(&w);
	params = json_parse(sv_of(&text), 0, &err);
	r = xnew(struct resource_read);
	op_init(&r->op, &read_type, call->ctx->loop, then);
	r->call = call;
	r->server = server;
	r->step = mcp_server_call_start(server,
					&(struct mcp_call_opts){ .method = SV("resources/read"),
								 .name = uri,
								 .params = json_root(params),
								 .tool_use_id = call->id },
					true, THEN(resource_read_on_done, r));
	return &r->op;
}

/* --- both ---------------------------------------------------------------------------------------- */

void mcp_resource_tools_init(struct tool out[MCP_RESOURCE_TOOLS], struct mcp_servers *servers)
{
	out[0] = (struct tool){
		.name = "ListMcpResourcesTool",
		.page = "Lists the resources that MCP servers offer, each with its server and its "
			"uri, or with a uriTemplate that you fill in. With `server`, only those of "
			"that server.",
		.schema = SV_INIT(
			"{\"type\":\"object\",\"properties\":{\"server\":{\"type\":\"string\"}}"
			"}"),
		.max_result = RESOURCE_RESULT,
		.is_read_only = tool_always,
		.is_concurrent = tool_always,
		.perm_request = resource_tool_request,
		.start = resource_tool_list,
		.arg = servers,
	};
	out[1] = (struct tool){
		.name = "ReadMcpResourceTool",
		.page = "Reads one resource of an MCP server, by the server's name and the uri of "
			"the "
			"resource. Binary content is saved to a file.",
		.schema = SV_INIT(
			"{\"type\":\"object\",\"properties\":{\"server\":{\"type\":\"string\"}"
			",\"uri\":{\"type\":\"string\"}},\"required\":[\"server\",\"uri\"]}"),
		.is_read_only = tool_always,
		.is_concurrent = tool_always,
		.perm_request = resource_tool_request,
		.start = resource_tool_read,
		.arg = servers,
	};
}
