/* listing.h - private to src/model: asking a host what it knows of its own models,
 * beside a request for one that the table knows too little of: one that is not in it,
 * or one whose weights anybody may run, with a window of the host's choosing.
 *
 * Nobody waits for it. What comes counts from the next attempt on; what fails is
 * logged, and not tried again. A listing that was cancelled, because the request it ran
 * beside was sooner over, is tried again beside the next. */
#ifndef AWL_MODEL_CATALOGUE_LISTING_H
#define AWL_MODEL_CATALOGUE_LISTING_H

#include "model/client.h"

enum { LISTING_TRIES = 3, LISTING_DEADLINE_MS = 5000 };

/* Whether one may be started at all, and whether it should run beside a request for `model`.
 * Bedrock's list is of use only after it has rejected an id. */
bool listing_is_possible(const struct model_client *client);
bool listing_is_wanted(const struct model_client *client, struct sv model);

/* The client's credentials must be there. Fails only by being cancelled. */
struct op *listing_start(struct model_client *client, struct then then);

#endif
