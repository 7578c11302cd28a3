/* google_key.h - private to src/model: a Google credentials file, and the exchange of its contents
 * for an access token, as bytes. Pure except for rsa.h. */
#ifndef AWL_MODEL_AUTH_GOOGLE_KEY_H
#define AWL_MODEL_AUTH_GOOGLE_KEY_H

#include "base/err.h"
#include "text/json/json.h"

enum google_key_kind {
	GOOGLE_SERVICE_ACCOUNT, /* signs a JWT with its own private key */
	GOOGLE_AUTHORIZED_USER, /* a refresh token, of `gcloud auth application-default login` */
	/* Workload identity: a token of another provider, in a file, from a server, from a command or
	 * made with the keys of AWS, which Google's STS exchanges. */
	GOOGLE_EXTERNAL_ACCOUNT,
};

struct google_key {
	struct json_doc *doc; /* all views borrow from it */
	enum google_key_kind kind;
	struct sv project;       /* may be empty */
	struct sv quota_project; /* billed for requests, as x-goog-user-project; may be empty */
	struct sv token_uri;     /* https, or http on loopback */
	/* Where the token is exchanged for that of a service account; empty: it is used itself. */
	struct sv impersonation_url;
	struct sv email, private_key, private_key_id;
	struct sv client_id, client_secret, refresh_token;
	/* Of an external account. The foreign token is in a file, at a URL, or a command prints it. */
	struct sv audience, subject_type, source_file, source_url, source_command;
	/* Or AWS says who we are (google_aws.h): the request that is signed; where the keys, the
	 * region and a session are to be had, empty: nowhere. */
	struct sv aws_url, aws_keys_url, aws_region_url, aws_session_url;
	int64_t source_ms;          /* the time that the command may take */
	struct json source_headers; /* may not exist */
	struct sv source_field;     /* the member of a JSON object that has it; empty: it is all */
};

/* Fails with ERR_PARSE or ERR_INVALID, naming the member, or with ERR_UNSUPPORTED
 * for the kinds of credentials that we cannot use. No text has a secret in it. */
must_use bool google_key_parse(struct google_key *out, struct sv text, struct err *err);
void google_key_clear(struct google_key *key);

/* Appends the signed JWT of a service account, good for an hour from `wall_ms`. */
must_use bool google_key_jwt(struct str *out, const struct google_key *key, int64_t wall_ms,
			     struct err *err);

/* Appends the form to post to `token_uri`. `subject` is the foreign token of an external account. */
must_use bool google_key_form(struct str *out, const struct google_key *key, struct sv subject,
			      int64_t wall_ms, struct err *err);

/* Appends the foreign token that is in the text of the source. Fails with ERR_INVALID; the text is
 * not repeated. */
must_use bool google_subject_read(struct str *out, const struct google_key *key, struct sv text,
				  struct err *err);

/* Appends the foreign token of what the command printed. Fails with ERR_ACCESS and the command's own
 * message, or with ERR_INVALID. */
must_use bool google_printed_read(struct str *out, struct sv text, int64_t wall_ms,
				  struct err *err);

/* The body to post to `impersonation_url`, and the token of its response. */
struct sv google_impersonation_body(void);
must_use bool google_impersonation_parse(struct str *token, int64_t *lifetime_ms, int status,
					 struct sv body, int64_t wall_ms, struct err *err);

/* Appends the access token of a token server's response, with its lifetime. Fails (ERR_ACCESS or
 * ERR_PROTOCOL) with the server's own words. */
must_use bool google_token_parse(struct str *token, int64_t *lifetime_ms, int status,
				 struct sv body, struct err *err);

#endif
