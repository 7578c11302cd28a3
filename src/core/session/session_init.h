/* session_init.h - the event that describes a session when its first turn begins. */
#ifndef AWL_CORE_SESSION_SESSION_INIT_H
#define AWL_CORE_SESSION_SESSION_INIT_H

#include "core/session/session.h"

/* Where the credential comes from: "ANTHROPIC_API_KEY", "none". */
struct sv session_key_source(const struct session *s);
/* The effort that the next request asks for; empty: it does not ask for one. */
struct sv session_effort_name(const struct session *s);
void session_emit_init(struct session *s);

#endif
