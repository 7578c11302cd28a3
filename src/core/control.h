/* control.h - carries out the control requests of a host. */
#ifndef AWL_CORE_CONTROL_H
#define AWL_CORE_CONTROL_H

#include "core/session.h"
#include "proto/control.h"

/* Carries out a request. Its reply is emitted now or, where the work takes time, later; exactly
 * one for each request, unless the session is closed first. */
void control_handle(struct session *s, const struct control_request *request);

/* For the handlers (control_*.c). */
typedef void control_fn(struct session *s, const struct control_request *request);
control_fn control_get_settings, control_apply_settings, control_list_rules, control_list_models,
	control_context_usage, control_session_title, control_interrupt, control_cancel_prompt;

/* The host no longer wants the reply to a request. One that is not under way is ignored. */
void control_withdraw(struct session *s, struct sv request_id);
/* Ends all requests that are under way; `s` settles when they are over. */
void control_cancel_all(struct session *s);

/* Emit the reply to a request: its id is filled in here. */
void control_reply(struct session *s, struct sv request_id, struct control_reply reply);
/* A refusal, with a `code` for programs; NULL: none. */
void control_refuse(struct session *s, struct sv request_id, const char *code, struct sv why);

#endif
