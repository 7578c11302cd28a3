/* credentials.h - private to src/model: the credential that a configuration
 * names, fetched when it has to be fetched and kept as long as it is good. */
#ifndef AWL_MODEL_AUTH_CREDENTIALS_H
#define AWL_MODEL_AUTH_CREDENTIALS_H

#include "model/auth/helper.h"
#include "model/wire/wire.h"

struct credentials;

/* Borrows all three. */
struct credentials *credentials_new(struct loop *loop, struct http *http,
				    const struct model_config *config);
void credentials_free(struct credentials *credentials);

/* From now on nothing is fetched and credentials_get() is NULL: what answers is no
 * service that would look at one. */
void credentials_drop(struct credentials *credentials);

/* Whether fetching again may bring another one. */
bool credentials_renewable(const struct credentials *credentials);

enum credentials_need {
	CREDENTIALS_ANY,     /* the one that is kept will do */
	CREDENTIALS_ANOTHER, /* it is not enough: look whether there is another by now */
	CREDENTIALS_RENEWED, /* it was refused: the same again is no use */
};

struct credentials_want {
	enum credentials_need need;
	unsigned refused; /* the credentials_count() of the one that did not do */
	/* Hears what a login says, with then.owner. Without it this one waits for no login:
	 * nobody would see what to do. */
	helper_line_fn *on_line;
};

/* Done when credentials_get() may be used. One at a time or several: those that come while
 * one is fetching wait for it. What was refused and has been replaced since is no reason to
 * fetch. Where none can be found, or only the refused one, the command that logs in
 * (awsAuthRefresh, gcpAuthRefresh) is run, once in a fetch. */
struct op *credentials_start(struct credentials *credentials, const struct credentials_want *want,
			     struct then then);

/* Borrows until the next fetch; NULL when there is nothing to sign with. */
const struct credential *credentials_get(const struct credentials *credentials);
/* How many there have been: a number for the present one. */
unsigned credentials_count(const struct credentials *credentials);

#endif
