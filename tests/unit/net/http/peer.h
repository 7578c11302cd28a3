/* peer.h - a server on loopback that follows a script, on a thread of its
 * own, so that a test decides every byte, split and silence of the peer. */
#ifndef AWL_TESTS_UNIT_NET_HTTP_PEER_H
#define AWL_TESTS_UNIT_NET_HTTP_PEER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/str.h"

enum act_kind {
	ACT_ACCEPT,  /* waits for a connection, after closing the one before */
	ACT_REQUEST, /* reads one whole request */
	ACT_SEND,
	ACT_TURNS,  /* until the client has had time to take in what was sent */
	ACT_GATE,   /* until the test opens it */
	ACT_HANGUP, /* until the client closes */
	ACT_FLOOD,  /* sends the bytes again and again, until the client closes */
	ACT_CLOSE,
	ACT_RESET, /* so that the client gets ECONNRESET */
};

struct act {
	enum act_kind kind;
	struct sv bytes;
};

#define SEND(text)                                       \
	{                                                \
		.kind = ACT_SEND, .bytes = SV_INIT(text) \
	}
#define SEND_BYTES(view)                          \
	{                                         \
		.kind = ACT_SEND, .bytes = (view) \
	}
#define DO(act)                   \
	{                         \
		.kind = ACT_##act \
	}

struct peer {
	int port;
	char url[64];    /* "http://127.0.0.1:port/" */
	struct str seen; /* all requests, to be read after peer_stop() */
	int accepted;    /* likewise */

	atomic_uint turns;   /* of the client's loop */
	atomic_size_t at;    /* the act being played */
	atomic_ulong sent;   /* bytes the kernel took */
	atomic_bool gate;    /* open */
	atomic_bool played;  /* the script is over */
	atomic_bool stopped; /* the test is */
	int listener, conn;
	const struct act *acts;
	size_t nacts;
	pthread_t thread;
};

/* Plays `acts`, borrowed until stopped, then closes. */
void peer_start(struct peer *peer, const struct act *acts, size_t nacts);
void peer_stop(struct peer *peer); /* fine to repeat */
void peer_clear(struct peer *peer);
#define PEER(name, ...)                                     \
	const struct act name##_acts[] = { __VA_ARGS__ };   \
	defer(peer_clear) struct peer name = { .port = 0 }; \
	peer_start(&name, name##_acts, countof(name##_acts))

/* A port on which connections hang before they are made, until closed. */
struct deaf {
	int port, fds[3];
};
void deaf_open(struct deaf *deaf);
void deaf_close(struct deaf *deaf);

/* A port of loopback on which nobody listens, nor can until the descriptor is closed. */
int unused_port(int *port);

#endif
