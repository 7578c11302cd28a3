/* peer.h - what sessions on one machine say to each other: one JSON object a line, over a socket in the file system. The
 * other end may be an older or newer awl, or any program of the user. */
#ifndef AWL_PROTO_PEER_H
#define AWL_PROTO_PEER_H

#include "base/arena.h"
#include "base/err.h"
#include "text/json/json_write.h"

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
	struct sv
		session; /* its id; this and the next are for the user's eyes, not for the model */
	bool is_interactive;
	int64_t pid;        /* 0: not given */
	int64_t started_ms; /* wall clock */
};

void peer_message_write(struct str *out, const struct peer_message *message);
/* Writes an answer for programs, in the words of background.h. */
void peer_info_write_public(struct jw *w, const struct peer_message *info);
/* Texts are in `arena`, valid UTF-8. */
must_use bool peer_message_read(struct peer_message *out, struct sv line, struct arena *arena,
				struct err *err);

#endif
