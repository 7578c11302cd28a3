/* listing.h - private to src/model: asks a host about its own models, beside a request for one that
 * the table knows too little about: a model that is not in it, or one with open weights, whose
 * window the host chooses.
 *
 * The request does not wait for it. The result counts from the next attempt on; a failure is logged,
 * and not tried again. A listing that was cancelled because the request was done sooner is tried
 * again beside the next request. */
#ifndef AWL_MODEL_CATALOGUE_LISTING_H
#define AWL_MODEL_CATALOGUE_LISTING_H

#include "model/client.h"

enum { LISTING_TRIES = 3, LISTING_DEADLINE_MS = 5000 };

/* Whether one may be started at all, and whether it should run beside a request for `model`.
 * Bedrock's list is of use only after it has rejected an id. */
bool listing_is_possible(const struct model_client *client);
bool listing_is_wanted(const struct model_client *client, struct sv model);

/* The credentials must have been fetched. `asked` is the model of the request, copied; may be empty.
 * Fails only when it is cancelled. */
struct op *listing_start(struct model_client *client, struct sv asked, struct then then);

/* In `done`: the models that can hold a conversation, one id per line, and their number; and why
 * there is no list, or NULL. */
struct sv listing_names(const struct op *op, size_t *count);
const struct err *listing_error(const struct op *op);

#endif
