/* session_recap.h - where the work stands, in a sentence or two, for a user who has been away. */
#ifndef AWL_CORE_SIDE_SESSION_RECAP_H
#define AWL_CORE_SIDE_SESSION_RECAP_H

#include "core/session/session.h"

/* Whether the model can be asked now. Fails in a replay, without a credential, and before the conversation has begun. */
must_use bool session_recap_check(struct session *s, struct err *err);
/* Asks the model, beside the conversation and on its cached prefix. Appends what it says. */
struct op *session_recap_start(struct session *s, struct str *out, struct then then);
/* What the model has said as one line of limited length; borrows from `text`, which it changes. */
struct sv session_recap_read(struct str *text);

#endif
