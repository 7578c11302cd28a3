/* session_opening.h - the first moments of a session: looking up the environment, connecting ahead. */
#ifndef AWL_CORE_SESSION_SESSION_OPENING_H
#define AWL_CORE_SESSION_SESSION_OPENING_H

#include "core/session/session.h"

/* In SESSION_OPENING. */
void session_start_opening(struct session *s);
/* The session rests: makes durable what was recorded outside a turn. */
void session_sync_rest(struct session *s);
/* Starts the turn of somebody who has interrupted it already. */
void session_start_interrupted(struct session *s);
/* Connects ahead of the first request, now or as soon as there is time. */
void session_connect_ahead(struct session *s, void (*prepare)(struct engine *e, struct sv model));

#endif
