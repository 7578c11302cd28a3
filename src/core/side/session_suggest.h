/* session_suggest.h - the suggestion of what the user may want to say next. */
#ifndef AWL_CORE_SIDE_SESSION_SUGGEST_H
#define AWL_CORE_SIDE_SESSION_SUGGEST_H

#include "core/session/session.h"

/* A turn has been completed: suggests the next prompt, if the host wants it. */
void session_suggest(struct session *s);

#endif
