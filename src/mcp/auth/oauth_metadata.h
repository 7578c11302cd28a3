/* oauth_metadata.h - private to src/mcp: what servers publish about authorization, and where: protected
 * resources (RFC 9728), authorization servers (RFC 8414, OpenID Connect). All of it is hostile input.
 * Pure. */
#ifndef AWL_MCP_AUTH_OAUTH_METADATA_H
#define AWL_MCP_AUTH_OAUTH_METADATA_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { OAUTH_PLACES = 3, OAUTH_SERVERS = 3 };

/* Addresses to try, in this order. */
struct oauth_places {
	struct sv at[OAUTH_PLACES];
	struct sv issuer[OAUTH_PLACES]; /* of an authorization server that publishes there */
	size_t n;
};

/* Where the metadata of a protected resource may be: at the path of the server, then at the root. */
struct oauth_places oauth_resource_places(struct sv server_url, struct arena *arena);
/* Where those of an authorization server may be. */
struct oauth_places oauth_server_places(struct sv issuer, struct arena *arena);
/* The same for a server that publishes no resource metadata, and is its own authorization server
 * (2025-03-26). */
struct oauth_places oauth_own_places(struct sv server_url, struct arena *arena);

struct oauth_resource {
	struct sv resource; /* as it is spelt there */
	struct sv servers[OAUTH_SERVERS];
	size_t nservers;
	struct sv scopes; /* separated by blanks */
};

/* Fails with ERR_ACCESS when they are not about `server_url`: then a token for it would be for somebody
 * else. */
must_use bool oauth_resource_read(struct oauth_resource *out, struct sv json, struct sv server_url,
				  struct arena *arena, struct err *err);

struct oauth_server {
	struct sv issuer;
	struct sv authorization_endpoint, token_endpoint;
	struct sv registration_endpoint, revocation_endpoint; /* empty: none */
	bool offers_offline_access;
	bool promises_iss;                        /* in its redirects, by RFC 9207 */
	bool takes_metadata_url;                  /* as the id of a client */
	bool takes_basic, takes_post, takes_none; /* how a client proves itself to it */
	bool refuses_jwt_bearer;                  /* it lists grants, and that one not */
};

/* `issuer` is whom we asked; empty: not known. Fails with ERR_ACCESS when somebody else answers, when an endpoint is
 * not safe, or when the server cannot do PKCE with S256. */
must_use bool oauth_server_read(struct oauth_server *out, struct sv json, struct sv issuer,
				struct arena *arena, struct err *err);
/* The endpoints of 2025-03-26 at the root of the server, when nothing is published. */
struct oauth_server oauth_server_default(struct sv server_url, struct arena *arena);

struct oauth_tokens {
	struct sv access_token, refresh_token, scope, id_token;
	int64_t expires_in; /* seconds; 0: not said */
};

/* Reads the response of a token endpoint. An OAuth error fails with ERR_ACCESS, whatever the status; those that say
 * that a grant is over, in any of the words in use, with ERR_STALE; a client that is not known with
 * ERR_NOT_FOUND. Other failures are ERR_PROTOCOL. No error text contains a token. */
must_use bool oauth_tokens_read(struct oauth_tokens *out, int status, struct sv json,
				struct arena *arena, struct err *err);

/* Two lists of words without repetitions. */
struct sv oauth_scope_union(struct sv a, struct sv b, struct arena *arena);
/* Whether all words of `part` are in `whole`. */
bool oauth_scope_covers(struct sv whole, struct sv part);

/* Appends "&name=value", encoded; without "&" at the start; nothing if the value is empty. */
void oauth_form_add(struct str *form, const char *name, struct sv value);
/* The value of a parameter in a query; false when it is missing or there twice. */
must_use bool oauth_query_get(struct sv query, const char *name, struct str *out);

#endif
