/* session_result.h - the result of a turn, and answers that need no model. */
#ifndef AWL_CORE_SESSION_SESSION_RESULT_H
#define AWL_CORE_SESSION_SESSION_RESULT_H

#include "core/session/session.h"

struct turn_outcome;

void session_emit_result(struct session *s, const struct turn_outcome *out);
void session_emit_local_result(struct session *s, struct sv command, struct sv text);
/* A turn that could not even begin. */
void session_emit_failure(struct session *s, struct sv why);
/* Answers without a model: emits the text as the assistant's, then a result. */
void session_answer_locally(struct session *s, struct sv command, struct sv text);
/* Refuses a slash command: a result that is an error. */
void session_refuse_locally(struct session *s, struct sv command, struct sv why);

#endif
