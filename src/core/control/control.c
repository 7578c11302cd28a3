/* Control requests.
 *
 * Beside prompts, a host sends requests: change the model, list the rules, stop a task. On the
 * wire they are frames with an id and a subtype (proto/control.h reads them into a tagged
 * union), and each must be answered by exactly one reply with that id, also while a turn runs.
 *
 * The table below has one row for each kind, so what a session can be asked is read here and
 * nowhere else; a kind that proto knows and the table lacks does not compile. A handler gets the
 * session and the request, does its work and replies through control_reply() or
 * control_refuse(). It returns nothing, since the reply need not be ready: a handler that has to
 * wait copies the id, starts an op that the session owns, and replies when the op is done. The
 * request itself borrows from the line it was read from and is gone by then.
 *
 * What a reply looks like on the wire is no business of this file: handlers fill in the structs
 * of proto/reply.h with what the modules below tell them.
 *
 * Handlers live here or, grouped by subject, in control_*.c. */
#include "core/control/control.h"

#include "base/log.h"
#include "core/policy/policy.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "model/catalogue/effort.h"

void control_reply(struct session *s, struct sv request_id, struct control_reply reply)
{
	reply.request_id = request_id;
	if (reply.kind == REPLY_ERROR)
		log_debug("control request %.*s failed: %.*s", SV_ARG(request_id),
			  SV_ARG(reply.error.text));
	session_emit(s, &(struct event){ .kind = EVENT_REPLY, .reply = reply });
}

void control_refuse(struct session *s, struct sv request_id, const char *code, struct sv why)
{
	control_reply(s, request_id,
		      (struct control_reply){ .kind = REPLY_ERROR,
					      .error = { .text = why, .code = sv_cstr(code) } });
}

/* --- the turn, the model and the mode ------------------------------------------------- */

bool session_set_mode(struct session *s, struct sv name, struct err *err)
{
	enum perm_mode mode;

	if (!perm_mode_read(&mode, name, err))
		return false;
	if (mode == PERM_BYPASS && !s->kind.may_bypass)
		return err_set(
			err, ERR_ACCESS,
			"Cannot set permission mode to bypassPermissions because the session "
			"was not launched with --dangerously-skip-permissions");
	if (policy_disables(s->settings, mode))
		return err_set(err, ERR_ACCESS,
			       "Cannot set permission mode to %s because the settings disable it",
			       perm_mode_name(mode));
	if (mode == PERM_PLAN && s->policy.mode != PERM_PLAN)
		s->plan.before = s->policy.mode;
	s->policy.mode = mode;
	return true;
}

void session_emit_mode(struct session *s)
{
	session_emit(s, &(struct event){ .kind = EVENT_STATUS,
					 .status = { .permission_mode = sv_cstr(
							     perm_mode_name(s->policy.mode)) } });
}

static void control_set_mode(struct session *s, const struct control_request *request)
{
	struct err err = ERR_INIT;

	if (!session_set_mode(s, request->set_mode.mode, &err)) {
		control_refuse(s, request->id,
			       err.kind == ERR_INVALID ? "invalid_mode"
			       : !s->kind.may_bypass   ? "bypass_not_launched"
						       : NULL,
			       sv_cstr(err.text));
		return;
	}
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_MODE,
					      .mode = sv_cstr(perm_mode_name(s->policy.mode)) });
	session_emit_mode(s);
}

static bool control_set_display(struct session *s, struct json wanted, struct err *err)
{
	enum model_display display = MODEL_DISPLAY_DEFAULT;

	if (!json_exists(wanted))
		return true;
	if (!json_is(wanted, JSON_NULL) &&
	    !model_display_read(&display, json_str_or(wanted, SV_EMPTY), err))
		return false;
	agent_set_display(s->agent, display);
	return true;
}

/* The number counts even if the display is refused. */
static void control_set_thinking(struct session *s, const struct control_request *request)
{
	int64_t tokens = request->set_thinking.tokens;
	struct err err = ERR_INIT;

	if (request->set_thinking.is_kept)
		log_debug("the thinking stays as it is");
	else if (tokens < 0)
		agent_reset_thinking(s->agent);
	else
		agent_set_thinking(s->agent, tokens ? MODEL_THINK_BUDGET : MODEL_THINK_OFF, tokens);
	if (control_set_display(s, request->set_thinking.display, &err))
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
	else
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
}

/* --- all ------------------------------------------------------------------------------- */

static void control_refuse_unknown(struct session *s, const struct control_request *request)
{
	defer(str_clear) struct str error = STR_INIT;

	str_addf(&error, "Unsupported control request subtype: %.*s", SV_ARG(request->subtype));
	control_refuse(s, request->id, "unsupported_request", sv_of(&error));
}

static control_fn *const handlers[CONTROL_KINDS + 1] = {
	[CONTROL_INITIALIZE] = control_initialize,
	[CONTROL_INTERRUPT] = control_interrupt,
	[CONTROL_SET_MODEL] = control_set_model,
	[CONTROL_SET_MODE] = control_set_mode,
	[CONTROL_SET_THINKING] = control_set_thinking,
	[CONTROL_GET_SETTINGS] = control_get_settings,
	[CONTROL_APPLY_SETTINGS] = control_apply_settings,
	[CONTROL_LIST_RULES] = control_list_rules,
	[CONTROL_LIST_MODELS] = control_list_models,
	[CONTROL_CONTEXT_USAGE] = control_context_usage,
	[CONTROL_STOP_TASK] = control_stop_task,
	[CONTROL_MESSAGE_TASK] = control_message_task,
	[CONTROL_SESSION_TITLE] = control_session_title,
	[CONTROL_RECAP] = control_recap,
	[CONTROL_CANCEL_PROMPT] = control_cancel_prompt,
	[CONTROL_SIDE_QUESTION] = control_side_question,
	[CONTROL_READ_FILE] = control_read_file,
	[CONTROL_SEED_READ_STATE] = control_seed_read_state,
	[CONTROL_FILE_SUGGESTIONS] = control_file_suggestions,
	[CONTROL_REGISTER_ROOT] = control_register_root,
	[CONTROL_TASK_OUTPUT] = control_get_task_output,
	[CONTROL_BACKGROUND_TASKS] = control_background_tasks,
	[CONTROL_RENAME_SESSION] = control_rename_session,
	[CONTROL_UPDATE_SETTINGS] = control_update_settings,
	[CONTROL_GET_USAGE] = control_get_usage,
	[CONTROL_GET_COST] = control_get_session_cost,
	[CONTROL_GET_VERSION] = control_get_version,
	[CONTROL_GET_STATUS] = control_get_status,
	[CONTROL_GET_PLAN] = control_get_plan,
	[CONTROL_RELOAD_STYLES] = control_reload_styles,
	[CONTROL_RELOAD_SKILLS] = control_reload_skills,
	[CONTROL_RELOAD_PLUGINS] = control_reload_plugins,
	[CONTROL_SET_SUBSCRIBERS] = control_set_subscribers,
	[CONTROL_END_SESSION] = control_end_session,
	[CONTROL_LIST_HOOKS] = control_list_hooks,
	[CONTROL_STATUS_LINE] = control_status_line,
	[CONTROL_RUN_COMMAND] = control_run_command,
	[CONTROL_REWIND_FILES] = control_rewind_files,
	[CONTROL_LIST_PROMPTS] = control_list_prompts,
	[CONTROL_DROP_WORKTREE] = control_drop_worktree,
	[CONTROL_LIST_TOOLS] = control_list_tools,
	[CONTROL_CALL_TOOL] = control_call_tool,
	[CONTROL_MCP_STATUS] = control_mcp_status,
	[CONTROL_MCP_SET_SERVERS] = control_mcp_set_servers,
	[CONTROL_MCP_RECONNECT] = control_mcp_reconnect,
	[CONTROL_MCP_TOGGLE] = control_mcp_toggle,
	[CONTROL_MCP_SET_MODE] = control_mcp_set_mode,
	[CONTROL_MCP_MESSAGE] = control_mcp_message,
	[CONTROL_MCP_CALL] = control_mcp_call,
	[CONTROL_MCP_READ_RESOURCE] = control_mcp_read_resource,
	[CONTROL_CHANNEL_ENABLE] = control_channel_enable,
	[CONTROL_UNKNOWN] = control_refuse_unknown,
};

void control_handle(struct session *s, const struct control_request *request)
{
	handlers[request->kind](s, request);
}
