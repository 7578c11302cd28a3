/* What a session tells: notices and its own state. session_emit() writes them. */
#include "core/session_internal.h"

void session_inform(struct session *s, enum notice_level level, struct sv text)
{
	session_emit(s, &(struct event){ .kind = EVENT_INFORMATIONAL,
					 .info = { .text = text, .level = level } });
}

void session_inform_refusal(struct session *s, struct sv why)
{
	session_emit(s,
		     &(struct event){
			     .kind = EVENT_INFORMATIONAL,
			     .info = { .text = why, .level = NOTICE_WARNING, .prevents = true } });
}

void session_emit_state(struct session *s, enum session_activity state)
{
	session_emit(s, &(struct event){ .kind = EVENT_STATE,
					 .state = { .state = state, .host_only = true } });
}

void session_emit_activity(struct session *s)
{
	session_emit_state(s, s->state == SESSION_IDLE ? ACTIVITY_IDLE : ACTIVITY_RUNNING);
}
