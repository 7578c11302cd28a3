/* Which MCP servers a session has. */
#include "core/mcp/session_mcp.h"
#include "core/policy/project.h"
#include "core/session/session_settings.h"

/* Say what is wrong with the configuration, and what is not started although it is configured. */
static void session_mcp_note_problems(struct session_mcp *m)
{
	defer(str_clear) struct str notes = STR_INIT;

	for (size_t i = 0; i < m->sources.problems.n; i++)
		mcp_problem_write(&notes, &m->sources.problems.at[i]);
	for (size_t i = 0; i < m->sources.servers.n; i++) {
		const struct mcp_source *source = &m->sources.servers.at[i];

		if (source->standing == MCP_DENIED)
			str_addf(&notes, "MCP server %s is not started: %s.\n", source->config.name,
				 source->why);
	}
	session_add_notice(m->s, sv_of(&notes));
}

static const struct mcp_source *session_mcp_find_ready(const struct session_mcp *m,
						       const struct mcp_config *config)
{
	for (size_t i = 0; i < m->sources.servers.n; i++) {
		const struct mcp_source *source = &m->sources.servers.at[i];

		if (source->standing == MCP_READY &&
		    sv_is(sv_cstr(source->config.name), config->name) &&
		    sv_eq(source->config.source, config->source))
			return source;
	}
	return NULL;
}

/* End the servers of plugins that are not what they were. */
static void session_mcp_drop_plugins(struct session_mcp *m)
{
	for (size_t i = mcp_servers_count(m->servers); i-- > 0;) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);
		const struct mcp_config *config = mcp_server_config(server);

		if (config->scope == MCP_SCOPE_PLUGIN && !session_mcp_find_ready(m, config))
			mcp_servers_remove(m->servers, server);
	}
}

static void session_mcp_start_plugins(struct session_mcp *m)
{
	for (size_t i = 0; i < m->sources.servers.n; i++) {
		const struct mcp_source *source = &m->sources.servers.at[i];

		if (source->config.scope == MCP_SCOPE_PLUGIN && source->standing == MCP_READY &&
		    !mcp_servers_find(m->servers, sv_cstr(source->config.name)))
			(void)session_mcp_add(m, &source->config, false);
	}
}

void session_mcp_follow_plugins(struct session_mcp *m)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	const struct mcp_sources_opts opts = { .settings = m->s->settings,
					       .files = &project.files,
					       .is_strict = m->is_strict,
					       .env = m->env.at };

	session_settings_look(m->s, &project);
	for (size_t i = m->sources.servers.n; i-- > 0;)
		if (m->sources.servers.at[i].config.scope == MCP_SCOPE_PLUGIN)
			vec_remove(&m->sources.servers, i);
	plugin_set_add_servers(&m->s->plugins.set, &m->sources, &opts);
	session_mcp_drop_plugins(m);
	session_mcp_start_plugins(m);
}

bool session_mcp_read(struct session_mcp *m, const struct awl_session_options *o, struct err *err)
{
	struct session *s = m->s;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str global = STR_INIT;

	m->is_strict = o->only_mcp_configs || o->skip_hooks;
	struct mcp_sources_opts opts = { .settings = s->settings,
					 .flags = o->mcp_configs,
					 .is_strict = m->is_strict,
					 .env = m->env.at };

	session_settings_look(s, &project);
	project_global_file(&global, s->engine->config_dir, s->engine->home);
	opts.files = &project.files;
	opts.global_file = global.len ? str_c(&global) : NULL;
	if (!mcp_sources_read(&m->sources, &opts, err))
		return false;
	plugin_set_add_servers(&s->plugins.set, &m->sources, &opts);
	session_mcp_note_problems(m);
	return true;
}
