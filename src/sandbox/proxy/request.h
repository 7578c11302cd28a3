/* gate_wire.h - private to src/net: what a program in a sandbox says to our proxy before
 * bytes flow: an HTTP request (CONNECT, or a URL in full) or SOCKS 5, told apart by the first
 * byte. Fed in any split. Pure. */
#ifndef AWL_SANDBOX_PROXY_REQUEST_H
#define AWL_SANDBOX_PROXY_REQUEST_H

#include "sandbox/proxy/host.h"

enum gate_state {
	GATE_HEAD,    /* more is needed */
	GATE_WANTS,   /* `host` is asked for */
	GATE_REFUSED, /* what came makes no sense; `answer` says so */
};

enum gate_protocol { GATE_UNKNOWN, GATE_HTTP, GATE_CONNECT, GATE_SOCKS };

struct gate_wire {
	enum gate_state state;
	enum gate_protocol protocol;
	bool greeted;      /* SOCKS: methods are agreed upon */
	struct str in;     /* of the head, then what came after it */
	struct str answer; /* for the program; the caller takes it */
	struct gate_host host;
	struct str request; /* HTTP: the head as the server gets it */
	uint64_t body;      /* bytes that belong to it */
	bool has_length;    /* it says how many these are */
	bool is_coded;      /* nobody knows how many without looking into them */
};

#define GATE_WIRE_INIT             \
	{                          \
		.state = GATE_HEAD \
	}

void gate_wire_clear(struct gate_wire *w);

/* Takes all of `bytes`. Once it is no more GATE_HEAD, what comes is kept in `in`. */
void gate_wire_feed(struct gate_wire *w, struct sv bytes);

/* How asking ended. */
enum gate_end { GATE_OPEN, GATE_FORBIDDEN, GATE_UNREACHABLE };
/* Appends the answer to `out`. `why` is for people, and only HTTP can carry it. */
void gate_wire_answer(const struct gate_wire *w, enum gate_end end, const char *why,
		      struct str *out);

#endif
