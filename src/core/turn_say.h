/* turn_say.h - what a turn has to tell beside its messages: how the request fares,
 * how the calls ended. */
#ifndef AWL_CORE_TURN_SAY_H
#define AWL_CORE_TURN_SAY_H

#include "core/executor.h"
#include "core/turn.h"

/* Retries, stalls, notes, raw pieces. */
void turn_tell_model(struct agent *agent, const struct model_event *event);

/* Words in place of an answer: shown and recorded, never sent. */
void turn_say_failed(struct agent *agent, struct turn_outcome *out,
		     const struct model_error *error);

/* A text of the harness, shown as such. */
void turn_hear(struct agent *agent, struct turn_outcome *out, const char *text);

/* The results of the calls, in their order, then what hooks have said of them. */
void turn_hear_results(struct agent *agent, struct turn_outcome *out, const struct executor *ex);

/* Whether the user, or else a hook, wants the turn to end with these calls. */
bool turn_is_stopped_by_user(const struct executor *ex);
bool turn_is_stopped_by_hook(const struct executor *ex);

#endif
