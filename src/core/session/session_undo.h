/* session_undo.h - the undo history of a session (store/undo/undo.h) at work: files are saved before
 * a call may change them, and everything that blocks runs on a worker, one job after another. */
#ifndef AWL_CORE_SESSION_SESSION_UNDO_H
#define AWL_CORE_SESSION_SESSION_UNDO_H

#include "core/session/session_internal.h"
#include "store/undo/undo.h"
#include "sys/work.h"

/* Once: from now on it takes part in the calls of the session. */
void session_undo_attach(struct session *s);
/* A prompt of the user begins. */
void session_undo_mark(struct session *s, const struct session_waiting *prompt);
/* A command that the user types is about to run. The op saves what it may change; NULL: nothing is kept. */
struct op *session_undo_before_command(struct session *s, struct sv command, struct then then);
/* A turn or such a command is over: observes what was done. Nobody waits for that. */
void session_undo_end_turn(struct session *s);
/* Another conversation begins. */
void session_undo_reset(struct session *s);
bool session_undo_is_quiet(const struct session *s);
/* Only when it is quiet. NULL is fine. */
void session_undo_free(struct session_undo *undo);

/* Runs `run` on a worker after all jobs before it. Cancelling cuts a scan short. */
struct op *session_undo_queue(struct session *s, work_fn *run, void *arg, struct then then);
/* The history of this conversation. Fails, saying why, if none is kept. */
struct undo *session_undo_history(struct session *s, struct err *err) must_use;
/* The directories to scan, and the time; borrows from the session until the next step. */
void session_undo_scope(struct session *s, struct undo_scope *out, struct arena *arena);

#endif
