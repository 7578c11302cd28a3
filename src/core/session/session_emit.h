/* session_emit.h - what a session reports to front ends. */
#ifndef AWL_CORE_SESSION_SESSION_EMIT_H
#define AWL_CORE_SESSION_SESSION_EMIT_H

#include "core/session/session.h"

void session_emit(struct session *s, const struct event *event);
/* The same with this uuid; `arg` is the session, for its agents. */
void session_emit_as(void *arg, const struct event *event, struct sv uuid);
void session_emit_state(struct session *s, enum session_activity state);
/* Running or idle, whatever the session does. */
void session_emit_activity(struct session *s);
/* Hooks have refused a prompt. */
void session_inform_refusal(struct session *s, struct sv why);
/* Whether events are read as they come: by a host that has begun the session, or since the first turn. */
bool session_has_reader(const struct session *s);
void session_inform(struct session *s, enum notice_level level, struct sv text);

#endif
