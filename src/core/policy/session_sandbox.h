/* session_sandbox.h - the sandbox of a session, kept in step with its settings and rules, and the
 * question to the user about hosts that no list names. */
#ifndef AWL_CORE_POLICY_SESSION_SANDBOX_H
#define AWL_CORE_POLICY_SESSION_SANDBOX_H

#include "base/err.h"
#include "base/str.h"

struct perm_policy;
struct session;
struct session_sandbox;
struct settings;

/* Replaces the sandbox if these settings and rules describe another one. Fails when this machine
 * cannot enforce it and either the settings insist (sandbox.failIfUnavailable) or there was a
 * sandbox before; the previous one then stays. The user is told about gaps. Running commands keep
 * the sandbox they run in. */
must_use bool session_sandbox_renew(struct session *s, const struct settings *settings,
				    const struct perm_policy *policy, struct err *err);
/* Answers the questions about hosts that wait, as far as the rules decide about them by now. The
 * user has just answered the request `answered`. */
void session_sandbox_settle_hosts(struct session *s, struct sv answered);
/* No command may be running. */
void session_sandbox_free(struct session_sandbox *b);

#endif
