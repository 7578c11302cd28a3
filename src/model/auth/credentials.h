/* credentials.h - private to src/model: the credential that the configuration names. It is fetched
 * when needed and kept while it is valid. */
#ifndef AWL_MODEL_AUTH_CREDENTIALS_H
#define AWL_MODEL_AUTH_CREDENTIALS_H

#include "model/auth/helper.h"
#include "model/wire/wire.h"

struct credentials;

/* Borrows all three. */
struct credentials *credentials_new(struct loop *loop, struct http *http,
				    const struct model_config *config);
void credentials_free(struct credentials *credentials);

/* Stops fetching: a replay or script answers, which needs no credential. credentials_get() returns
 * NULL from now on. */
void credentials_drop(struct credentials *credentials);

/* Whether fetching again may return another credential. */
bool credentials_renewable(const struct credentials *credentials);

enum credentials_need {
	CREDENTIALS_ANY,     /* the current one is fine */
	CREDENTIALS_ANOTHER, /* the current one lacks a permission: see if there is another by now */
	CREDENTIALS_RENEWED, /* the current one was rejected: the same again does not help */
};

struct credentials_want {
	enum credentials_need need;
	unsigned refused; /* credentials_count() of the rejected one */
	/* Gets the output of a login, with then.owner. NULL: do not wait for a login, because
	 * nobody would see what to do. */
	helper_line_fn *on_line;
};

/* Done when credentials_get() may be used. Several ops share one fetch. A credential that was
 * rejected but has been replaced since is not fetched again. If none is found, or only the rejected
 * one, the login command (awsAuthRefresh, gcpAuthRefresh) runs, once per fetch. */
struct op *credentials_start(struct credentials *credentials, const struct credentials_want *want,
			     struct then then);

/* Borrows until the next fetch; NULL when there is nothing to sign with. */
const struct credential *credentials_get(const struct credentials *credentials);
/* The number of credentials so far, which identifies the current one. */
unsigned credentials_count(const struct credentials *credentials);

#endif
