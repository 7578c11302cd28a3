/* --agent, and the setting: a definition leads the conversation itself. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/session/session_open.h"
#include "core/session/session_transcript.h"
#include "core/subagents/agent_servers.h"
#include "core/subagents/subagents.h"
#include "sys/fs.h"

static bool main_agent_keeps(void *arg, const struct tool *tool)
{
	return agent_file_keeps(arg, tool);
}

/* Transcripts are copied, so a record of somebody else must not let an agent of the user make a session more lenient. */
static bool main_agent_may_choose_mode(struct session *s, const struct agent_file *file)
{
	struct err ignored = ERR_INIT;
	enum perm_mode mode;

	if (!session_trusts_agent(s, file) ||
	    !perm_mode_read(&mode, file->permission_mode, &ignored))
		return false;
	return !s->agents.lead_opts.is_again || mode == PERM_PLAN || mode == PERM_DONT_ASK ||
	       mode == PERM_DEFAULT;
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
	s->agents.owes_record = true;
	s->kind.is_led = !s->system.custom && file->prompt.len;
	if (s->kind.is_led)
		s->system.custom = sv_dup(file->prompt);
	agent_keep_tools(s->agent, main_agent_keeps, file);
	if (!given->has_model && file->model.len && !sv_is(file->model, "inherit"))
		(void)!session_choose_model(s, file->model, &ignored);
	if (!given->has_effort && file->effort.len &&
	    model_effort_read(&effort, file->effort, &ignored))
		agent_set_effort(s->agent, effort);
	if (!given->has_mode && main_agent_may_choose_mode(s, file))
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

/* The agent of the settings, or of a plugin. */
static bool session_lead_by_settings(struct session *s, struct err *err)
{
	struct sv name = json_str_or(settings_get(s->settings, "agent"), SV_EMPTY);
	const struct agent_file *found;
	struct agent_file file;

	if (!name.len)
		name = session_plugins_agent(s);
	if (!name.len) {
		session_coordinate(s);
		return true;
	}
	found = agent_list_find(session_agent_list(s, true), name);
	if (!found) {
		session_add_notice(s,
				   SV("The setting \"agent\" names an agent that does not exist."));
		return true;
	}
	file = *found;
	return main_agent_apply(s, &file, err);
}

bool session_lead(struct session *s, const struct awl_session_options *o, struct err *err)
{
	const struct agent_file *found;
	struct agent_file file;

	s->agents.lead_opts =
		(struct session_lead_opts){ .has_model = o->model,
					    .has_effort = o->effort,
					    .has_mode = o->permission_mode,
					    .continues = o->resume || o->continue_newest };
	if (!o->agent && (o->resume || o->continue_newest || o->continue_or_begin))
		return true; /* the transcript may name one: session_lead_again() */
	if (!o->agent)
		return session_lead_by_settings(s, err);
	found = agent_list_find(session_agent_list(s, true), sv_cstr(o->agent));
	if (!found)
		return main_agent_await(s, sv_cstr(o->agent), err);
	file = *found;
	return main_agent_apply(s, &file, err);
}

bool session_lead_again(struct session *s, const struct awl_session_options *o, struct err *err)
{
	struct sv name = sv_of(&s->agents.recorded);
	const struct agent_file *found = NULL;
	defer(str_clear) struct str note = STR_INIT;
	struct agent_file file;

	if (o->agent || !(o->resume || o->continue_newest || o->continue_or_begin))
		return true;
	if (name.len)
		found = agent_list_find(session_agent_list(s, true), name);
	if (name.len && !found) {
		str_addf(&note, "The agent %.*s, which led this session, is no longer defined.",
			 SV_ARG(utf8_prefix(name, LIMIT_AGENT_NAME)));
		session_add_notice(s, sv_of(&note));
	}
	if (found) {
		file = *found;
		s->agents.lead_opts.is_again = true;
		if (!main_agent_apply(s, &file, err))
			return false;
	} else if (!session_lead_by_settings(s, err)) {
		return false;
	}
	session_write_prompt(s, NULL, NULL);
	return true;
}

void session_record_lead(struct session *s)
{
	struct conversation *c = &s->conversation;
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	if (!s->agents.owes_record || !c->transcript || c->is_broken || !fs_exists(c->path))
		return;
	s->agents.owes_record = false;
	transcript_write_agent(&note, sv_cstr(c->id.text), sv_of(&s->agents.lead));
	if (!transcript_note(c->transcript, sv_of(&note), &err))
		(void)!session_report_unsaved(s, &err);
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
