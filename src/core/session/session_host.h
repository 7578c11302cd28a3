/* session_host.h - the questions of a session to its host. */
#ifndef AWL_CORE_SESSION_SESSION_HOST_H
#define AWL_CORE_SESSION_SESSION_HOST_H

#include "core/session/session.h"

/* Whether a person types at a terminal: what is typed may change the user's files. */
bool session_is_at_terminal(const struct session *s);
/* `is_parallel`: several questions may be open at once. */
void session_open_host(struct session *s, bool is_parallel);

#endif
