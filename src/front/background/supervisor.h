/* supervisor.h - the process that owns the background sessions of a user.
 *
 * It is started by the first client that needs it (link.h), outside of any terminal, and ends with the last session and the
 * last client. There is one per configuration directory: it holds a lock, and listens on a socket beside it. It
 * routes requests of clients to sessions, and output of sessions to the attached clients. Sessions are children of its
 * guard (sys/child.h), so none outlives it, whatever ends it. It never waits for a client: one that stops reading is
 * disconnected. */
#ifndef AWL_FRONT_BACKGROUND_SUPERVISOR_H
#define AWL_FRONT_BACKGROUND_SUPERVISOR_H

/* Runs the supervisor for a configuration directory until it has nothing to do. `program` is awl; `version` is
 * sent to clients. Once it listens, it writes the line "ready" to standard output; if it cannot, the reason. Then it
 * closes standard output. Returns the exit status. */
int front_supervise(const char *config_dir, const char *program, const char *version);

#endif
