/* --agent, and the setting: a definition leads the conversation itself. */
#include "core/session/session_open.h"
#include "core/subagents/agent_servers.h"
#include "core/subagents/subagents.h"

static bool main_agent_keeps(void *arg, const struct tool *tool)
{
	return agent_file_keeps(arg, tool);
}

/* What the user has chosen for the session wins over the definition. */
static bool main_agent_apply(struct session *s, struct agent_file *file, struct err *err)
{
	const struct session_lead_opts *given = &s->agents.lead_opts;
	struct err ignored = ERR_INIT;
	enum model_effort effort;

	if (!agent_file_add_hooks(s, file, SV_EMPTY, err))
		return err_context(err, "agent %.*s", SV_ARG(file->name));
	str_set(&s->agents.lead, file->name);
	s->is_led = !s->system.custom && file->prompt.len;
	if (s->is_led)
		s->system.custom = sv_dup(file->prompt);
	agent_keep_tools(s->agent, main_agent_keeps, file);
	if (!given->has_model && file->model.len && !sv_is(file->model, "inherit"))
		(void)!session_choose_model(s, file->model, &ignored);
	if (!given->has_effort && file->effort.len &&
	    model_effort_read(&effort, file->effort, &ignored))
		agent_set_effort(s->agent, effort);
	if (!given->has_mode && file->permission_mode.len && session_trusts_agent(s, file))
		(void)!session_set_mode(s, file->permission_mode, &ignored);
	if (file->initial_prompt.len && !given->continues && session_trusts_agent(s, file))
		session_prompt(s, file->initial_prompt);
	return true;
}

static bool main_agent_lacks(struct sv name, struct err *err)
{
	return err_set(err, ERR_NOT_FOUND, "there is no agent '%.*s'; /agents lists them",
		       SV_ARG(name));
}

/* A host that controls the session by messages may define it with its first request. */
static bool main_agent_await(struct session *s, struct sv name, struct err *err)
{
	if (!s->host.is_parallel)
		return main_agent_lacks(name, err);
	str_set(&s->agents.awaited, name);
	return true;
}

bool session_lead(struct session *s, const struct awl_session_options *o, struct err *err)
{
	struct sv name = o->agent ? sv_cstr(o->agent)
				  : json_str_or(settings_get(s->settings, "agent"), SV_EMPTY);
	const struct agent_file *found;
	struct agent_file file;

	if (!name.len)
		name = session_plugins_agent(s);
	if (!name.len) {
		session_coordinate(s);
		return true;
	}
	s->agents.lead_opts =
		(struct session_lead_opts){ .has_model = o->model,
					    .has_effort = o->effort,
					    .has_mode = o->permission_mode,
					    .continues = o->resume || o->continue_newest };
	found = agent_list_find(session_agent_list(s, true), name);
	if (!found && o->agent)
		return main_agent_await(s, name, err);
	if (!found) {
		session_add_notice(s,
				   SV("The setting \"agent\" names an agent that does not exist."));
		return true;
	}
	file = *found;
	return main_agent_apply(s, &file, err);
}

bool session_lead_awaited(struct session *s, struct err *err)
{
	struct sv name = sv_of(&s->agents.awaited);
	const struct agent_file *found;
	struct agent_file file;

	if (!name.len)
		return true;
	found = agent_list_find(session_agent_list(s, true), name);
	if (!found)
		return main_agent_lacks(name, err);
	file = *found;
	str_truncate(&s->agents.awaited, 0);
	if (!main_agent_apply(s, &file, err))
		return false;
	agent_servers_lead(s);
	session_write_prompt(s, NULL, NULL);
	return true;
}
