/* auth.h - access tokens for servers on the network: OAuth 2.1 as MCP prescribes it. Tokens are stored
 * under mcp_config_key() and refreshed before they expire, once for all that wait, under a lock that other processes
 * respect. A link asks for the header of a request, and reports a challenge; everything else is here. */
#ifndef AWL_MCP_AUTH_AUTH_H
#define AWL_MCP_AUTH_AUTH_H

#include "mcp/config.h"
#include "net/http.h"
#include "sys/op.h"

struct mcp_auth;

/* The identity provider of the user's company, for servers with oauth.xaa (auth_exchange.c): the setting
 * xaaIdp. The secret of the client, if there is one, is with the tokens. */
struct mcp_idp {
	const char *issuer, *client_id; /* NULL: there is none */
	int callback_port;              /* 0: any */
};

/* Reads the setting; borrows from it. */
struct mcp_idp mcp_idp_read(struct json setting);

struct mcp_auth_opts {
	struct loop *loop;
	struct http *http;
	const char *credentials_file; /* ~/.claude/.credentials.json */
	/* "NAME=value", NULL-terminated: BROWSER, MCP_OAUTH_CLIENT_METADATA_URL,
	 * MCP_OAUTH_CALLBACK_PORT, AWL_MCP_TOKENS, DBUS_SESSION_BUS_ADDRESS; NULL: ours. */
	const char *const *env;
	bool opens_browser; /* sends $BROWSER, or xdg-open, to the address too */
	struct mcp_idp idp;
	/* How a person authorizes awl, when that is possible here: shows the address (which a browser may
	 * have been sent to) and waits for the redirect or for what is pasted. NULL: nobody can, and
	 * the server needs `awl mcp login`. */
	void (*show_url)(void *arg, const char *server, const char *url);
	void (*notice)(void *arg, const char *text); /* for the user; may be NULL */
	void *arg;                                   /* of both */
	struct auth_keyring *keyring;                /* set by mcp_auth_new() */
};

/* Copies `opts` with `idp`, and borrows what else it points to. */
struct mcp_auth *mcp_auth_new(const struct mcp_auth_opts *opts);
void mcp_auth_free(struct mcp_auth *auth); /* nothing may be in flight */

/* The token to send, as the value of Authorization; empty without one. Refreshes it when it is about to
 * expire. */
struct op *mcp_auth_token_start(struct mcp_auth *auth, const struct mcp_config *config,
				struct then then);
struct sv mcp_auth_token(const struct op *op); /* only inside `done`, after success */

/* The server has answered 401 or 403: `challenge` is its WWW-Authenticate, `used` the value of Authorization that
 * was sent. Succeeds when there is another token to try. Refreshes; if that does not help and a person can be asked,
 * authorizes anew, with the scopes of the challenge added to those already granted. Fails with ERR_ACCESS when
 * somebody has to log in, and the text says how; with another kind when that would not help: ERR_NOT_FOUND when the
 * server publishes nothing about authorization. Scopes that the server wants are remembered for the next
 * login. */
struct op *mcp_auth_challenged_start(struct mcp_auth *auth, const struct mcp_config *config,
				     int status, struct sv challenge, struct sv used,
				     struct then then);

/* `awl mcp login` and `awl mcp logout`. Login works out everything from the address of the server; logout revokes
 * the refresh token, then the access token, then forgets both. */
struct op *mcp_auth_login_start(struct mcp_auth *auth, const struct mcp_config *config,
				struct then then);
/* What the user has pasted during a login: the address that the browser was redirected to. */
must_use bool mcp_auth_paste(struct op *login, struct sv text, struct err *err);
struct op *mcp_auth_logout_start(struct mcp_auth *auth, const struct mcp_config *config,
				 struct then then);

/* Keeps the secret of a client that was registered beforehand (`mcp add --client-secret`); empty: forgets it. */
must_use bool mcp_auth_set_client_secret(const char *credentials_file,
					 const struct mcp_config *config, struct sv secret,
					 struct err *err);

#endif
