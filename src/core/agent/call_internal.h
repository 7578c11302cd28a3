/* call_internal.h - one tool use from inside: for call.c and call_permission.c. */
#ifndef AWL_CORE_AGENT_CALL_INTERNAL_H
#define AWL_CORE_AGENT_CALL_INTERNAL_H

#include "core/agent/agent_internal.h"
#include "core/agent/call.h"

/* --- call.c --- */

/* The only place where the state changes. */
void call_enter(struct call *call, enum call_state next);
/* Makes the result final, once nothing is in flight. */
void call_finish(struct call *call);
/* Ends the call with an error that the model can act on. */
void call_fail(struct call *call, const char *fmt, ...) printf_like(2, 3);
/* A step is over: ends the call if it was cancelled meanwhile. */
bool call_ends_here(struct call *call);
/* Replaces the input by what the user or a hook has made of it. If that is invalid, the call fails
 * and this returns false. */
bool call_take_new_input(struct call *call, struct sv input);
/* Finds out what the call would touch, now. */
void call_compute_request(struct call *call);

/* --- call_preview.c --- */

/* Starts to find out how the call would change files, for the question about it, in call->shown.changes. Returns NULL if
 * nothing can be shown. */
struct op *call_preview_start(struct call *call, struct then then);
/* The op is over. */
void call_preview_take(struct call *call);
/* Forgets it: the call is not the one that was shown. */
void call_preview_clear(struct call *call);

/* --- call_permission.c --- */

/* In mode auto, asks the model while the hooks before the call run: both may take long. Its answer counts if the call
 * is still the same and still needs it. */
void call_ask_model_early(struct call *call);
/* The call is another one now. */
void call_drop_early(struct call *call);
/* DECIDING: rules, hook and mode say allow, ask or deny; in mode auto a small model may. */
void call_decide(struct call *call);
/* ASKING: the user and hooks are asked; the first answer counts. */
void call_ask(struct call *call);

#endif
