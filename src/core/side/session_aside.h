/* session_aside.h - a question of the user beside the conversation, which keeps neither the question nor the answer. It
 * may be asked while a turn runs. */
#ifndef AWL_CORE_SIDE_SESSION_ASIDE_H
#define AWL_CORE_SIDE_SESSION_ASIDE_H

#include "core/session/session.h"

struct event_retry;

/* Asks the model, on its cached prefix. Appends what it says to `out`. `on_retry`, which may be NULL, is called with
 * `arg` before each wait for another attempt. */
struct op *session_aside_start(struct session *s, struct sv text,
			       void (*on_retry)(void *arg, const struct event_retry *retry),
			       void *arg, struct str *out, struct then then);

#endif
