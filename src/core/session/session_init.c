/* The event that begins a turn. */
#include "core/session/session_init.h"

#include "core/commands/commands.h"
#include "core/extend/session_styles.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/subagents/agent_defs.h"

struct sv session_key_source(const struct session *s)
{
	const char *origin = s->engine->config.auth_origin;

	return origin ? sv_cstr(origin) : SV("none");
}

struct sv session_effort_name(const struct session *s)
{
	return sv_cstr(model_effort_name(model_rules_effort(&s->rules, agent_next_model(s->agent),
							    agent_wanted_effort(s->agent))));
}

void session_emit_init(struct session *s)
{
	const struct toolset *set = agent_toolset(s->agent);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	VEC(struct sv) tools = VEC_INIT, agents = VEC_INIT;
	const struct reply_agent *list;
	size_t nagents = session_agents(s, &list, &arena);
	struct event event = { .kind = EVENT_INIT };

	for (size_t i = 0; i < set->nfirst; i++)
		vec_push(&tools, sv_cstr(set->entries.at[i]->tool->name));
	for (size_t i = 0; i < set->deferred.n; i++)
		vec_push(&tools, sv_cstr(set->deferred.at[i]->name));
	for (size_t i = 0; i < nagents; i++)
		vec_push(&agents, list[i].name);
	event.init = (struct event_init){
		.cwd = agent_cwd(s->agent),
		.model = agent_model(s->agent),
		.permission_mode = sv_cstr(perm_mode_name(s->policy.mode)),
		.api_key_source = session_key_source(s),
		.version = SV(AWL_VERSION),
		.output_style = session_style_name(s),
		.fast = session_fast_mode(s),
		.betas = sv_cstr(s->engine->config.betas),
		.effort = session_effort_name(s),
		.memory = sv_of(&s->memory_dir),
		.tools = tools.at,
		.ntools = tools.n,
		.agents = agents.at,
		.nagents = agents.n,
		.dirs = s->policy.dirs.n > 1 ? &s->policy.dirs.at[1] : NULL,
		.ndirs = s->policy.dirs.n > 1 ? s->policy.dirs.n - 1 : 0,
	};
	event.init.ncommands = session_commands(s, &event.init.commands, &arena);
	event.init.nservers = session_mcp_report(s, &event.init.servers, &arena);
	event.init.nplugins = session_plugins_report(s, &event.init.plugins, &arena);
	event.init.nplugin_errors =
		session_plugins_report_errors(s, &event.init.plugin_errors, &arena);
	session_emit(s, &event);
	vec_clear(&tools);
	vec_clear(&agents);
}
