/* session_sandbox.h - the sandbox of a session's commands, as its settings and rules want it:
 * the plan, the only way out to the network, and the question to the user about hosts that no
 * list knows. */
#ifndef AWL_CORE_SESSION_SANDBOX_H
#define AWL_CORE_SESSION_SANDBOX_H

#include "base/err.h"

struct perm_policy;
struct session;
struct session_sandbox;
struct settings;

/* The sandbox that these want, in place of the one before, if it is another. Fails when they
 * want one and nothing less (sandbox.failIfUnavailable), or had one, and this machine cannot
 * make it: then the one before is left. What it cannot hold is told to the user. Commands that
 * run keep the one they run in. */
must_use bool session_sandbox_renew(struct session *s, const struct settings *settings,
				    const struct perm_policy *policy, struct err *err);
/* No command may be running. */
void session_sandbox_free(struct session_sandbox *b);

#endif
