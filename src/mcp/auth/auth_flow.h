/* auth_flow.h - private to src/mcp: one piece of authorization under way, as an op: a login, a refresh, a
 * look at what a server publishes, a logout. Each is a table of steps over the same facts (auth_flow.c); what it
 * finds out goes into the store. */
#ifndef AWL_MCP_AUTH_AUTH_FLOW_H
#define AWL_MCP_AUTH_AUTH_FLOW_H

#include "mcp/auth/auth.h"
#include "mcp/auth/auth_keyring.h"
#include "mcp/auth/auth_redirect.h"
#include "mcp/auth/auth_store.h"
#include "mcp/auth/challenge.h"
#include "mcp/auth/oauth_call.h"
#include "mcp/auth/oauth_metadata.h"
#include "sys/fs.h"
#include "sys/seq.h"

enum auth_flow_kind {
	AUTH_LOGIN,
	AUTH_REFRESH,
	AUTH_LOOK, /* is there an authorization server? */
	AUTH_LOGOUT,
	AUTH_EXCHANGE, /* cross-application access */
};

struct auth_flow {
	struct op op; /* first */
	const struct mcp_auth_opts *opts;
	const struct mcp_config *config;
	enum auth_flow_kind kind;
	struct arena arena; /* of all texts below */
	const char *key;
	struct sv url; /* of the server, http or https: where its metadata are */
	struct op *seq;
	struct auth_entry entry; /* as stored, then as it will be */
	bool must_keep;          /* the tokens, which are new */
	struct challenge challenge;
	bool has_resource, has_server;
	struct oauth_resource resource;
	struct oauth_server server;
	struct oauth_places places; /* that are being tried */

	struct auth_redirect *redirect;
	struct sv scope;               /* that is asked for */
	struct sv verifier, state;     /* of PKCE and of the redirect */
	struct str code;               /* that the redirect brought */
	struct sv stale;               /* the access token that was refused or is about to expire */
	struct fs_lock *lock;          /* of a refresh, against other processes */
	bool is_fresh;                 /* another process has refreshed */
	struct sv id_token, assertion; /* of an exchange */
	struct oauth_server idp;
};

struct auth_flow_opts {
	const struct mcp_auth_opts *auth; /* borrowed until done */
	const struct mcp_config *config;  /* borrowed until done */
	enum auth_flow_kind kind;
	struct sv challenge; /* WWW-Authenticate; empty: ask the server for it */
	struct sv stale;
};

/* Fails with ERR_ACCESS when a person has to log in, or has been refused; with ERR_NOT_FOUND when
 * the server publishes nothing about authorization. */
struct op *auth_flow_start(const struct auth_flow_opts *opts, struct then then);

/* --- for the steps, in several files ----------------------------------------------- */

/* A step that fails at once. */
struct op *auth_flow_fail(struct auth_flow *f, const struct err *err, struct then then);
struct op *auth_flow_call(struct auth_flow *f, const struct oauth_call *call, struct then then);
/* Puts the client's proof of itself into a request to the token endpoint: the form, or a header. */
void auth_flow_sign(struct auth_flow *f, struct str *form, struct token_request *request);
/* Adds a GET of published metadata. Borrows. */
void auth_flow_get(struct oauth_call *call, struct sv url);
/* Fills in a POST of a form. Borrows. */
void auth_flow_form(struct token_request *request, struct sv url, struct sv form);
/* Writes the entry to the file; or leaves that to the last steps, when its tokens belong in the keyring. */
must_use bool auth_flow_save(struct auth_flow *f, struct err *err);
/* Stores new tokens from f->server. */
must_use bool auth_flow_take_tokens(struct auth_flow *f, const struct oauth_tokens *tokens,
				    struct err *err);

/* What is asked of a person, in the browser. */
struct auth_request {
	const struct oauth_server *server; /* outlives the step */
	struct sv client_id, scope, resource;
};
/* Sends the browser to the server and waits for f->code; f->redirect must be listening. */
struct op *auth_flow_authorize(struct auth_flow *f, const struct auth_request *request,
			       struct then then);
/* Makes the client that the user has registered ours. */
must_use bool auth_flow_use_configured_client(struct auth_flow *f, struct err *err);

/* auth_flow.c */
/* auth_probe.c */
struct op *auth_step_probe(void *ctx, struct then then);
/* auth_discover.c */
struct op *auth_step_resource(void *ctx, struct then then);
struct op *auth_step_server(void *ctx, struct then then);
/* auth_login.c */
struct op *auth_step_listen(void *ctx, struct then then);
struct op *auth_step_client(void *ctx, struct then then);
struct op *auth_step_authorize(void *ctx, struct then then);
struct op *auth_step_redeem(void *ctx, struct then then);
/* auth_exchange.c */
struct op *auth_step_guard(void *ctx, struct then then);
struct op *auth_step_server_1(void *ctx, struct then then);
struct op *auth_step_server_2(void *ctx, struct then then);
struct op *auth_step_server_3(void *ctx, struct then then);
struct op *auth_step_idp(void *ctx, struct then then);
struct op *auth_step_identify(void *ctx, struct then then);
struct op *auth_step_identity(void *ctx, struct then then);
struct op *auth_step_exchange(void *ctx, struct then then);
struct op *auth_step_grant(void *ctx, struct then then);
/* auth_refresh.c */
struct op *auth_step_lock(void *ctx, struct then then);
struct op *auth_step_read_again(void *ctx, struct then then);
struct op *auth_step_look_again(void *ctx, struct then then);
struct op *auth_step_refresh(void *ctx, struct then then);
struct op *auth_step_revoke_refresh(void *ctx, struct then then);
struct op *auth_step_revoke_access(void *ctx, struct then then);

#endif
