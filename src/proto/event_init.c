/* The event that begins a turn: what the session is. */
#include "proto/event.h"

static void event_init_put_list(struct jw *w, const char *key, const struct sv *items, size_t n)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		jw_str(w, items[i]);
	jw_end(w);
}

static void event_init_put_servers(struct jw *w, const struct event_init *init)
{
	jw_put_array(w, "mcp_servers");
	for (size_t i = 0; i < init->nservers; i++) {
		jw_object(w);
		jw_put_str(w, "name", init->servers[i].name);
		jw_put_str(w, "status", init->servers[i].status);
		jw_put_str(w, "source", init->servers[i].source);
		jw_end(w);
	}
	jw_end(w);
}

/* Hosts know the tool that starts agents by its former name. */
static void event_init_put_tools(struct jw *w, const struct event_init *init)
{
	jw_put_array(w, "tools");
	for (size_t i = 0; i < init->ntools; i++)
		jw_str(w, sv_is(init->tools[i], "Agent") ? SV("Task") : init->tools[i]);
	jw_end(w);
}

static void event_init_put_betas(struct jw *w, struct sv betas)
{
	struct sv beta;

	if (!betas.len)
		return;
	jw_put_array(w, "betas");
	while (sv_cut(&betas, ',', &beta))
		if (sv_trim(beta).len)
			jw_str(w, sv_trim(beta));
	jw_end(w);
}

static void event_init_put_memory(struct jw *w, struct sv memory)
{
	if (!memory.len)
		return;
	jw_put_object(w, "memory_paths");
	jw_put_strf(w, "auto", "%.*s/", SV_ARG(memory));
	jw_end(w);
}

void event_init_write(struct jw *w, const struct event_init *init)
{
	jw_put_str(w, "cwd", init->cwd);
	event_init_put_tools(w, init);
	event_init_put_servers(w, init);
	jw_put_str(w, "model", init->model);
	jw_put_str(w, "permissionMode", init->permission_mode);
	jw_put_array(w, "slash_commands");
	for (size_t i = 0; i < init->ncommands; i++)
		jw_str(w, init->commands[i].name);
	jw_end(w);
	jw_put_str(w, "apiKeySource", init->api_key_source);
	jw_put_str(w, "claude_code_version", init->version);
	jw_put_str(w, "output_style", init->output_style);
	event_init_put_list(w, "agents", init->agents, init->nagents);
	jw_put_array(w, "skills");
	for (size_t i = 0; i < init->ncommands; i++)
		if (init->commands[i].is_skill)
			jw_str(w, init->commands[i].name);
	jw_end(w);
	reply_put_plugins(w, init->plugins, init->nplugins, false);
	reply_put_plugin_errors(w, init->plugin_errors, init->nplugin_errors);
	reply_put_capabilities(w);
	jw_put_bool(w, "analytics_disabled", true);
	jw_put_bool(w, "product_feedback_disabled", true);
	jw_put_str(w, "original_cwd", init->cwd);
	event_init_put_list(w, "additional_directories", init->dirs, init->ndirs);
	event_init_put_memory(w, init->memory);
	event_init_put_betas(w, init->betas);
	if (init->effort.len)
		jw_put_str(w, "effort", init->effort);
	else
		jw_put_null(w, "effort");
	fast_mode_put(w, &init->fast);
}
