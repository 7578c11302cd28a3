/* replay.h - private to src/model: a transport that serves responses from a recording (record.h), byte
 * for byte and with all failures, and never uses the network.
 *
 * A request gets the first unused exchange with the same method and body or, without a body, the same
 * path. Hosts, headers and the order of concurrent requests may differ. A request without a match
 * fails with ERR_STALE. The error has the first difference, replay_difference() more. */
#ifndef AWL_MODEL_SCRIPT_REPLAY_H
#define AWL_MODEL_SCRIPT_REPLAY_H

#include "model/script/redact.h"
#include "model/transport.h"

struct replay_opts {
	const char *path;
	/* What the recording redacted; also redacted before requests are compared. Borrowed while the
	 * transport lives. */
	const struct redact *secrets;
	bool timed;    /* at the recorded speed, else at full speed */
	bool in_order; /* only the next exchange may match */
};

/* Fails with path and line if the file cannot be read or is not a recording. */
struct transport *transport_replay(struct loop *loop, const struct replay_opts *opts,
				   struct err *err);

/* Returns the last difference as a short diff; SV_EMPTY if there was none. Valid until the next
 * request. */
struct sv replay_difference(const struct transport *transport);
/* Returns the text of the first unused note of that name, or SV_EMPTY. Valid while the transport
 * lives. */
struct sv replay_note(struct transport *transport, const char *name);

#endif
