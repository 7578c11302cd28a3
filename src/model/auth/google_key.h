/* google_key.h - private to src/model: a Google credentials file, and the exchange
 * of what is in it for an access token, as bytes. Pure but for rsa.h. */
#ifndef AWL_MODEL_AUTH_GOOGLE_KEY_H
#define AWL_MODEL_AUTH_GOOGLE_KEY_H

#include "base/err.h"
#include "text/json/json.h"

enum google_key_kind {
	GOOGLE_SERVICE_ACCOUNT, /* signs a JWT with its own private key */
	GOOGLE_AUTHORIZED_USER, /* a refresh token, of `gcloud auth application-default login` */
};

struct google_key {
	struct json_doc *doc; /* all views borrow from it */
	enum google_key_kind kind;
	struct sv project;   /* may be empty */
	struct sv token_uri; /* https, or http on loopback */
	struct sv email, private_key, private_key_id;
	struct sv client_id, client_secret, refresh_token;
};

/* Fails with ERR_PARSE or ERR_INVALID, naming the member, or with ERR_UNSUPPORTED
 * for the kinds of credentials that we cannot use. No text has a secret in it. */
must_use bool google_key_parse(struct google_key *out, struct sv text, struct err *err);
void google_key_clear(struct google_key *key);

/* Appends the signed JWT of a service account, good for an hour from `wall_ms`. */
must_use bool google_key_jwt(struct str *out, const struct google_key *key, int64_t wall_ms,
			     struct err *err);

/* Appends the form to post to `token_uri`. */
must_use bool google_key_form(struct str *out, const struct google_key *key, int64_t wall_ms,
			      struct err *err);

/* Appends the access token of a token server's answer and says how long it is
 * good for. Fails (ERR_ACCESS or ERR_PROTOCOL) with what the server said. */
must_use bool google_token_parse(struct str *token, int64_t *lifetime_ms, int status,
				 struct sv body, struct err *err);

#endif
