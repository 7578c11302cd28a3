/* attempt.h - private to src/model: one exchange with a service, from encoding to the last
 * event, without retries. */
#ifndef AWL_MODEL_ATTEMPT_H
#define AWL_MODEL_ATTEMPT_H

#include "model/transport.h"
#include "model/wire/wire.h"

enum {
	ATTEMPT_STALL_MS = 10 * 1000, /* report a stall after each further silence of this length */
	ATTEMPT_LINGER_MS = 500,      /* how long a server may take to close a complete response */
};

/* Everything is borrowed until done. */
struct attempt_opts {
	const struct provider *provider;
	const struct model_config *config;
	const struct model_table *table;
	const struct model_request *request;
	const struct credential *credential; /* NULL: send without a credential */
	struct transport *transport;
};

/* Starts the exchange. Calls `on_event` with then.owner. attempt_error() has the failure. */
struct op *attempt_start(struct loop *loop, const struct attempt_opts *opts,
			 wire_event_fn *on_event, struct then then);

/* Valid in `done`, after a failure. */
const struct model_error *attempt_error(const struct op *op);
/* Valid in `done`: returns whether the response had begun. */
bool attempt_had_begun(const struct op *op);

#endif
