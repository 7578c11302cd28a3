/* session_sandbox.h - the sandbox of a session's commands, as its settings and rules want it:
 * the plan, the only way out to the network, and the question to the user about hosts that no
 * list knows. */
#ifndef AWL_CORE_SESSION_SANDBOX_H
#define AWL_CORE_SESSION_SANDBOX_H

#include "base/err.h"

struct session;
struct session_sandbox;

/* NULL also when the settings want none; then `err` is as it was. Fails when they want one and
 * nothing less (sandbox.failIfUnavailable), and this machine cannot make it. What it cannot
 * hold is told to the user. */
struct session_sandbox *session_sandbox_open(struct session *s, struct err *err);
/* No command may be running in it. */
void session_sandbox_free(struct session_sandbox *b);

#endif
