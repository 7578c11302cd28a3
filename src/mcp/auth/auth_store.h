/* auth_store.h - private to src/mcp: the file with the tokens, ~/.claude/.credentials.json, which belongs to other
 * programs too: everything in it that we do not know stays byte for byte. Changes are made in turns with other
 * processes. */
#ifndef AWL_MCP_AUTH_AUTH_STORE_H
#define AWL_MCP_AUTH_AUTH_STORE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* What is known about one server. A missing text is empty; all are in an arena. */
struct auth_entry {
	struct sv server_name, server_url;
	struct sv access_token, refresh_token;
	int64_t expires_at_ms; /* since 1970; 0: not known */
	struct sv scope;       /* that was granted, or asked for if the server did not say */
	struct sv client_id, client_secret;
	struct sv
		client_auth; /* how the client proves itself; empty: by what the server supports */
	struct sv issuer;    /* of the tokens and the client */
	struct sv redirect_uri;
	struct sv step_up_scope; /* that the server has asked for since */
	struct sv resource;      /* as its metadata spell it */
	struct sv resource_metadata_url;
	/* Of the secrets in the keyring (auth_keyring.h); they are then not written here. Empty: they are here. */
	struct sv fingerprint;
};

/* A missing file or entry gives an empty entry. */
must_use bool auth_store_read(const char *file, const char *key, struct arena *arena,
			      struct auth_entry *out, struct err *err);
/* Replaces what the entry has of the members above. Creates the file with mode 0600. */
must_use bool auth_store_write(const char *file, const char *key, const struct auth_entry *entry,
			       struct err *err);
must_use bool auth_store_remove(const char *file, const char *key, struct err *err);

/* A text at two names in the same file: the secret of a client that was registered beforehand
 * ("mcpOAuthClientConfig"), an identity token ("mcpXaaIdp") and its time. Empty if there is none. */
must_use bool auth_store_get(const char *file, const char *group, struct sv name,
			     const char *member, struct str *out, struct err *err);
/* Empty `value`: removes it. */
must_use bool auth_store_put(const char *file, const char *group, struct sv name,
			     const char *member, struct sv value, struct err *err);

#endif
