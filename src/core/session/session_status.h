/* session_status.h - a session described for people, and the service that it uses. */
#ifndef AWL_CORE_SESSION_SESSION_STATUS_H
#define AWL_CORE_SESSION_SESSION_STATUS_H

#include "core/agent/costs.h"
#include "core/session/session.h"

/* What the session is and works with, for people: facts in `arena`, and how many. Empty values are
 * not known. */
size_t session_status(struct session *s, const struct reply_fact **out, struct arena *arena);
/* Who serves its models. */
struct costs_service session_service(const struct session *s);
/* Whether the user trusts the project, a phrase. */
const char *session_trust(struct session *s);

#endif
