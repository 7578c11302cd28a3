/* client.h - private to src/model: what the parts of a client share. */
#ifndef AWL_MODEL_CLIENT_H
#define AWL_MODEL_CLIENT_H

#include "model/script/redact.h"
#include "model/transport.h"
#include "model/wire/wire.h"

struct cache_watch;
struct credentials;

struct model_client {
	struct loop *loop;
	struct http *http; /* NULL: offline */
	const struct model_config *config;
	struct model_table *table;
	const struct provider *provider;
	struct credentials *credentials;
	struct transport *transport;
	struct transport *recorder, *replay; /* borrowed from `transport`; NULL: not in use */
	struct redact secrets;               /* values that are never recorded */
	struct err record_error;
	struct cache_watch *watch;
	int listings_left;     /* how many more model listings may be requested */
	bool is_listing;       /* a listing request is in flight */
	bool other_limit;      /* see struct model_request */
	int64_t fast_again_at; /* loop time; fast mode is not requested before it */
	bool fast_is_refused;  /* the service does not grant it at all */
};

#endif
