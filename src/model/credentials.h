/* credentials.h - private to src/model: the credential that a configuration
 * names, fetched when it has to be fetched and kept as long as it is good. */
#ifndef AWL_MODEL_CREDENTIALS_H
#define AWL_MODEL_CREDENTIALS_H

#include "model/wire.h"

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

/* Done when credentials_get() may be used. `renew` drops what is kept. One at a
 * time or several: those that come while one is fetching wait for it. */
struct op *credentials_start(struct credentials *credentials, bool renew, struct then then);

/* Borrows until the next fetch; NULL when there is nothing to sign with. */
const struct credential *credentials_get(const struct credentials *credentials);

#endif
