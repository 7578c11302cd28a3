/* auth_redirect.h - private to src/mcp: waits for the browser to come back from an authorization server. A small
 * server on 127.0.0.1 gets the redirect, or the user pastes its address.
 *
 * Anybody on this machine can send a request here. So only a redirect with the right state counts, and only the
 * first; all others are answered with an error page and change nothing. */
#ifndef AWL_MCP_AUTH_AUTH_REDIRECT_H
#define AWL_MCP_AUTH_AUTH_REDIRECT_H

#include "base/str.h"
#include "sys/op.h"

struct auth_redirect;

/* Begins to listen; port 0 is any. Fails when the port is not free. */
struct auth_redirect *auth_redirect_new(struct loop *loop, int port, struct err *err);
void auth_redirect_free(struct auth_redirect *redirect); /* may be NULL; nothing may be waiting */

/* "http://localhost:PORT/callback". Borrowed. */
struct sv auth_redirect_uri(const struct auth_redirect *redirect);
/* The port in such a URI; 0: there is none. */
int auth_redirect_port(struct sv uri);

struct auth_expected {
	struct sv state;
	struct sv issuer;  /* that `iss` must be, to the byte */
	bool promises_iss; /* a redirect without `iss` is refused */
};

/* Done when the redirect has come; `code` is then set. Fails with ERR_ACCESS when the server refuses or somebody
 * else has answered, with ERR_TIMEOUT after some minutes. Copies `expected`. */
struct op *auth_redirect_wait(struct auth_redirect *redirect, const struct auth_expected *expected,
			      struct str *code, struct then then);

/* An address, or what follows its question mark, that somebody has pasted. Fails when it is not the redirect that
 * is waited for; then the wait goes on. */
must_use bool auth_redirect_paste(struct auth_redirect *redirect, struct sv text, struct err *err);

#endif
