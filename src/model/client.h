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
	const struct model_config *config;
	struct model_table *table;
	const struct provider *provider;
	struct credentials *credentials;
	struct transport *transport;
	struct transport *recorder, *replay; /* borrowed from it; NULL: it has none */
	struct redact secrets;               /* what is never written down */
	struct err record_error;
	struct cache_watch *watch;
	int listings_left;     /* how often the host may still be asked for its models */
	bool is_listing;       /* it is being asked */
	int64_t fast_again_at; /* loop time; before it, fast mode is not asked for */
};

#endif
