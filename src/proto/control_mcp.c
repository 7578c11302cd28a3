#include "proto/control.h"

static struct sv control_mcp_text(struct json request, const char *key)
{
	return json_str_or(json_get(request, key), SV_EMPTY);
}

static bool control_mcp_names_files(struct json files)
{
	return (json_is(files, JSON_ARRAY) || json_is(files, JSON_OBJECT)) && json_len(files) > 0;
}

void control_mcp_read(struct control_request *out, struct json request)
{
	bool is_message = out->kind == CONTROL_MCP_MESSAGE;

	out->mcp = (struct control_mcp){
		.server = control_mcp_text(request, is_message ? "server_name" : "serverName"),
		.is_enabled = json_bool_or(json_get(request, "enabled"), false),
		.mode = json_get(request, "mode"),
		.servers = json_get(request, "servers"),
		.message = json_get(request, "message"),
		.tool = control_mcp_text(request, "tool"),
		.uri = control_mcp_text(request, "uri"),
		.arguments = json_get(request, "arguments"),
		.timeout_ms = json_int_or(json_get(request, "timeout_ms"), 0),
		.checks_permission = json_bool_or(json_get(request, "check_permissions"), false),
		.has_files = control_mcp_names_files(json_get(request, "input_files")) ||
			     control_mcp_names_files(json_get(request, "output_files")),
	};
}

static void control_mcp_put_text(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void control_mcp_put_value(struct jw *w, const char *key, struct json value)
{
	if (json_exists(value))
		jw_put_value(w, key, value);
}

void control_mcp_write(struct jw *w, const struct control_request *request)
{
	const struct control_mcp *mcp = &request->mcp;
	bool is_message = request->kind == CONTROL_MCP_MESSAGE;

	control_mcp_put_text(w, is_message ? "server_name" : "serverName", mcp->server);
	if (request->kind == CONTROL_MCP_TOGGLE)
		jw_put_bool(w, "enabled", mcp->is_enabled);
	control_mcp_put_value(w, "mode", mcp->mode);
	control_mcp_put_value(w, "servers", mcp->servers);
	control_mcp_put_value(w, "message", mcp->message);
	control_mcp_put_text(w, "tool", mcp->tool);
	control_mcp_put_text(w, "uri", mcp->uri);
	control_mcp_put_value(w, "arguments", mcp->arguments);
	if (mcp->timeout_ms)
		jw_put_int(w, "timeout_ms", mcp->timeout_ms);
	if (mcp->checks_permission)
		jw_put_bool(w, "check_permissions", true);
}
