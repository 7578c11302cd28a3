/* control.h - carries out the control requests of a host. */
#ifndef AWL_CORE_CONTROL_CONTROL_H
#define AWL_CORE_CONTROL_CONTROL_H

#include "core/session/session.h"
#include "proto/control.h"

/* Carries out a request. Its reply is emitted now or, where the work takes time, later; exactly
 * one for each request, unless the session is closed first. */
void control_handle(struct session *s, const struct control_request *request);

/* For the handlers (control_*.c). */
typedef void control_fn(struct session *s, const struct control_request *request);
control_fn control_get_settings, control_apply_settings, control_list_rules, control_list_models,
	control_context_usage, control_session_title, control_recap, control_interrupt,
	control_cancel_prompt, control_list_hooks, control_set_model, control_initialize,
	control_reload_skills, control_reload_plugins;
/* What the servers of a session are like; the rows are in `arena`. */
struct reply_mcp_status control_mcp_rows(struct session *s, struct arena *arena);

control_fn control_side_question, control_read_file, control_seed_read_state,
	control_file_suggestions, control_register_root, control_stop_task, control_message_task,
	control_get_task_output, control_background_tasks, control_rename_session,
	control_update_settings, control_get_usage, control_get_session_cost, control_get_version,
	control_get_status, control_get_plan, control_reload_styles, control_set_subscribers,
	control_end_session, control_status_line, control_run_command;

control_fn control_mcp_status, control_mcp_set_servers, control_mcp_reconnect, control_mcp_toggle,
	control_mcp_set_mode, control_mcp_message, control_mcp_call, control_mcp_read_resource,
	control_channel_enable;

control_fn control_list_tools, control_call_tool, control_rewind_files, control_list_prompts,
	control_drop_worktree;

/* A request whose reply takes time (control_wait.c). */
struct control_wait;
struct control_wait_type {
	void (*reply)(struct control_wait *wait); /* the op has succeeded */
	void (*free)(struct control_wait *wait);
};
struct control_wait {
	struct control_wait *next;
	struct session *session;
	const struct control_wait_type *type;
	struct str id;
	struct op *op; /* its `done` is control_wait_on_done() */
	bool is_withdrawn;
};
void control_wait_init(struct control_wait *wait, struct session *s, struct sv request_id,
		       const struct control_wait_type *type);
/* Nothing was started after all, and the reply is sent. */
void control_wait_drop(struct control_wait *wait);
void control_wait_on_done(struct op *op, void *owner, const struct err *why);

/* The host no longer wants the reply to a request. One that is not under way is ignored. */
void control_withdraw(struct session *s, struct sv request_id);
/* Ends all requests that are under way; `s` settles when they are over. */
void control_cancel_all(struct session *s);

/* Emit the reply to a request: its id is filled in here. */
void control_reply(struct session *s, struct sv request_id, struct control_reply reply);
/* A refusal, with a `code` for programs; NULL: none. */
void control_refuse(struct session *s, struct sv request_id, const char *code, struct sv why);

#endif
