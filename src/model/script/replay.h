/* replay.h - private to src/model: a transport that answers from a recording
 * (record.h), byte for byte, failures included, and never goes to the network.
 *
 * A request is answered by the first exchange, not used yet, that was recorded
 * for it: with the same method and body, or for want of a body the same path.
 * The hosts may differ, and the headers, and the order of requests that ran at
 * the same time. One that matches none fails with ERR_STALE; the text tells the
 * first difference, replay_difference() more. */
#ifndef AWL_MODEL_SCRIPT_REPLAY_H
#define AWL_MODEL_SCRIPT_REPLAY_H

#include "model/script/redact.h"
#include "model/transport.h"

struct replay_opts {
	const char *path;
	/* What recording replaced, so that it is replaced in what is compared, too.
	 * Borrowed for as long as the transport lives. */
	const struct redact *secrets;
	bool timed;    /* at the speed of the recording, else at full speed */
	bool in_order; /* the next exchange must be the one */
};

/* Fails when the file cannot be read, or is no recording, naming path and line. */
struct transport *transport_replay(struct loop *loop, const struct replay_opts *opts,
				   struct err *err);

/* The last difference as a short diff; SV_EMPTY when all was as recorded. Valid
 * until the next request. */
struct sv replay_difference(const struct transport *transport);
/* The text of the first note of that name, not used yet; SV_EMPTY when there is
 * none. Valid for as long as the transport lives. */
struct sv replay_note(struct transport *transport, const char *name);
/* Exchanges that have not been asked for. */
size_t replay_left(const struct transport *transport);

#endif
