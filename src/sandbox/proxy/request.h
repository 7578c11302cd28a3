/* gate_wire.h - private to src/net: what a program in a sandbox says to our proxy before
 * bytes flow: an HTTP request (CONNECT, or a URL in full) or SOCKS 5, told apart by the first
 * byte. Fed in any split. Pure. */
#ifndef AWL_SANDBOX_PROXY_REQUEST_H
#define AWL_SANDBOX_PROXY_REQUEST_H

#include "sandbox/proxy/host.h"

enum proxy_request_state {
	PROXY_REQUEST_PARTIAL,  /* more is needed */
	PROXY_REQUEST_COMPLETE, /* `host` is asked for */
	PROXY_REQUEST_REFUSED,  /* what came makes no sense; `answer` says so */
};

enum proxy_protocol { PROXY_UNKNOWN, PROXY_HTTP, PROXY_CONNECT, PROXY_SOCKS };

struct proxy_request {
	enum proxy_request_state state;
	enum proxy_protocol protocol;
	bool greeted;      /* SOCKS: methods are agreed upon */
	struct str in;     /* of the head, then what came after it */
	struct str answer; /* for the program; the caller takes it */
	struct proxy_host host;
	struct str head; /* HTTP: the head as the server gets it */
	uint64_t body;   /* bytes that belong to it */
	bool has_length; /* it says how many these are */
	bool is_coded;   /* nobody knows how many without looking into them */
};

#define PROXY_REQUEST_INIT                     \
	{                                      \
		.state = PROXY_REQUEST_PARTIAL \
	}

void proxy_request_clear(struct proxy_request *r);

/* Takes all of `bytes`. Once it is no more PROXY_REQUEST_PARTIAL, what comes is kept in `in`. */
void proxy_request_feed(struct proxy_request *r, struct sv bytes);

/* How asking ended. */
enum proxy_outcome { PROXY_CONNECTED, PROXY_FORBIDDEN, PROXY_UNREACHABLE };
/* Appends the answer to `out`. `why` is for people, and only HTTP can carry it. */
void proxy_request_answer(const struct proxy_request *r, enum proxy_outcome end, const char *why,
			  struct str *out);

#endif
