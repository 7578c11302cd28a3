#include "proto/reply_mcp.h"

static void reply_mcp_put_text(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void reply_mcp_put_config(struct jw *w, const struct reply_mcp_server *server)
{
	jw_put_object(w, "config");
	jw_put_str(w, "type", server->transport);
	reply_mcp_put_text(w, "command", server->command);
	if (server->command.len) {
		jw_put_array(w, "args");
		for (size_t i = 0; server->args && server->args[i]; i++)
			jw_str(w, sv_cstr(server->args[i]));
		jw_end(w);
	}
	reply_mcp_put_text(w, "url", server->url);
	if (sv_is(server->transport, "sdk"))
		jw_put_str(w, "name", server->name);
	jw_end(w);
}

static void reply_mcp_put_tool(struct jw *w, const struct reply_mcp_tool *tool)
{
	jw_object(w);
	jw_put_str(w, "name", tool->name);
	reply_mcp_put_text(w, "description", tool->description);
	if (tool->has_hints) {
		jw_put_object(w, "annotations");
		jw_put_bool(w, "readOnly", tool->is_read_only);
		jw_put_bool(w, "destructive", tool->is_destructive);
		jw_put_bool(w, "openWorld", tool->is_open_world);
		jw_end(w);
	}
	jw_end(w);
}

static void reply_mcp_put_server(struct jw *w, const struct reply_mcp_server *server)
{
	jw_object(w);
	jw_put_str(w, "name", server->name);
	jw_put_str(w, "status", server->status);
	if (server->info_name.len) {
		jw_put_object(w, "serverInfo");
		jw_put_str(w, "name", server->info_name);
		jw_put_str(w, "version", server->info_version);
		jw_end(w);
	}
	reply_mcp_put_text(w, "error", server->error);
	reply_mcp_put_config(w, server);
	jw_put_str(w, "scope", server->scope);
	jw_put_str(w, "source", server->source);
	if (server->is_connected) {
		jw_put_array(w, "tools");
		for (size_t i = 0; i < server->ntools; i++)
			reply_mcp_put_tool(w, &server->tools[i]);
		jw_end(w);
	}
	jw_end(w);
}

void reply_mcp_status_write(struct jw *w, const struct reply_mcp_status *status)
{
	jw_put_array(w, "mcpServers");
	for (size_t i = 0; i < status->n; i++)
		reply_mcp_put_server(w, &status->at[i]);
	jw_end(w);
}

static void reply_mcp_put_names(struct jw *w, const char *key, const struct sv *names, size_t n)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		jw_str(w, names[i]);
	jw_end(w);
}

void reply_mcp_set_write(struct jw *w, const struct reply_mcp_set *set)
{
	reply_mcp_put_names(w, "added", set->added, set->nadded);
	reply_mcp_put_names(w, "removed", set->removed, set->nremoved);
	jw_put_object(w, "errors");
	for (size_t i = 0; i < set->nerrors; i++) {
		jw_key(w, set->errors[i].name);
		jw_str(w, set->errors[i].text);
	}
	jw_end(w);
}
