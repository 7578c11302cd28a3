/* peer.h - what sessions on one machine say to each other: one JSON object a line, over a socket in the file system. The
 * other end may be an older or newer awl, or any program of the user. */
#ifndef AWL_PROTO_PEER_H
#define AWL_PROTO_PEER_H

#include "base/arena.h"
#include "base/err.h"
#include "text/json/json.h"

enum peer_kind {
	PEER_DESCRIBE, /* who are you? */
	PEER_MESSAGE,  /* `text` is for the model of the session */
	PEER_INFO,     /* the answer to the first */
	PEER_OK,       /* the answer to the second */
	PEER_ERROR,    /* or `text` says why not */
	PEER_KINDS
};

struct peer_message {
	enum peer_kind kind;
	struct sv from; /* address of the sender; empty: it has none */
	struct sv name, cwd, state, text;
};

void peer_message_write(struct str *out, const struct peer_message *message);
/* Texts are in `arena`, valid UTF-8. */
must_use bool peer_message_read(struct peer_message *out, struct sv line, struct arena *arena,
				struct err *err);

#endif
