/* Which MCP servers a session has. */
#include "core/project.h"
#include "core/session_mcp.h"

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

bool session_mcp_read(struct session_mcp *m, const struct awl_session_options *o, struct err *err)
{
	struct session *s = m->s;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(str_clear) struct str global = STR_INIT;
	struct mcp_sources_opts opts = { .settings = s->settings,
					 .flags = o->mcp_configs,
					 .is_strict = o->only_mcp_configs || o->skip_hooks,
					 .env = m->env.at };

	session_settings_look(s, &project);
	project_global_file(&global, s->engine->config_dir, s->engine->home);
	opts.files = &project.files;
	opts.global_file = global.len ? str_c(&global) : NULL;
	if (!mcp_sources_read(&m->sources, &opts, err))
		return false;
	session_plugins_add_servers(s, &m->sources, &opts);
	session_mcp_note_problems(m);
	return true;
}
