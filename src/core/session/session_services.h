/* session_services.h - what a session does for its tools. */
#ifndef AWL_CORE_SESSION_SESSION_SERVICES_H
#define AWL_CORE_SESSION_SESSION_SERVICES_H

#include "core/session/session.h"

void session_offer_services(struct session *s);
/* The provider's small model, if one is known and allowed; else the model of the session. */
struct sv session_small_model(const struct session *s);
/* Connects to the model, which may be asked before the first turn. Fails in a replay, and without a credential. */
must_use bool session_can_ask(struct session *s, struct err *err);

#endif
