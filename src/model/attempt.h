/* attempt.h - private to src/model: one exchange with a service, from encoding
 * to the last event, without any second try. */
#ifndef AWL_MODEL_ATTEMPT_H
#define AWL_MODEL_ATTEMPT_H

#include "model/transport.h"
#include "model/wire/wire.h"

enum {
	ATTEMPT_STALL_MS = 10 * 1000, /* silence worth telling, each time again */
	ATTEMPT_LINGER_MS = 500,      /* for a server to end what is complete */
};

/* All borrowed until done. */
struct attempt_opts {
	const struct provider *provider;
	const struct model_config *config;
	const struct model_table *table;
	const struct model_request *request;
	const struct credential *credential; /* NULL: sent as it is */
	struct transport *transport;
};

/* `on_event` is called with then.owner. A failure is in attempt_error(). */
struct op *attempt_start(struct loop *loop, const struct attempt_opts *opts,
			 wire_event_fn *on_event, struct then then);

/* In `done`, after a failure. */
const struct model_error *attempt_error(const struct op *op);
/* In `done`: whether the answer had begun. */
bool attempt_had_begun(const struct op *op);

#endif
