/* --agent, and the setting: a definition leads the conversation itself. */
#include "core/agents/subagents.h"

static bool main_agent_keeps(void *arg, const struct tool *tool)
{
	return agent_file_keeps(arg, tool);
}

/* What the user has chosen for the session wins over the definition. */
static bool main_agent_apply(struct session *s, const struct awl_session_options *o,
			     struct agent_file *file, struct err *err)
{
	struct err ignored = ERR_INIT;
	enum model_effort effort;

	if (!agent_file_add_hooks(s, file, SV_EMPTY, err))
		return err_context(err, "agent %.*s", SV_ARG(file->name));
	s->is_led = !s->prompt && file->prompt.len;
	if (s->is_led)
		s->prompt = sv_dup(file->prompt);
	agent_keep_tools(s->agent, main_agent_keeps, file);
	if (!o->model && file->model.len && !sv_is(file->model, "inherit"))
		(void)!session_choose_model(s, file->model, &ignored);
	if (!o->effort && file->effort.len && model_effort_read(&effort, file->effort, &ignored))
		agent_set_effort(s->agent, effort);
	if (!o->permission_mode && file->permission_mode.len && session_trusts_agent(s, file))
		(void)!session_set_mode(s, file->permission_mode, &ignored);
	if (file->initial_prompt.len && !o->resume && !o->continue_newest)
		session_prompt(s, file->initial_prompt);
	return true;
}

bool session_lead(struct session *s, const struct awl_session_options *o, struct err *err)
{
	struct sv name = o->agent ? sv_cstr(o->agent)
				  : json_str_or(settings_get(s->settings, "agent"), SV_EMPTY);
	const struct agent_file *found;
	struct agent_file file;

	if (!name.len) {
		session_coordinate(s);
		return true;
	}
	found = agent_list_find(session_agent_list(s, true), name);
	if (!found && o->agent)
		return err_set(err, ERR_NOT_FOUND, "there is no agent '%.*s'; /agents lists them",
			       SV_ARG(name));
	if (!found) {
		session_add_notice(s,
				   SV("The setting \"agent\" names an agent that does not exist."));
		return true;
	}
	file = *found;
	return main_agent_apply(s, o, &file, err);
}
