/* request.h - private to src/sandbox: what a sandboxed program sends to the proxy first: an HTTP
 * request (CONNECT, or with an absolute URL) or SOCKS 5, told apart by the first byte. Accepts the
 * bytes in pieces of any size. Pure. */
#ifndef AWL_SANDBOX_PROXY_REQUEST_H
#define AWL_SANDBOX_PROXY_REQUEST_H

#include "sandbox/proxy/host.h"

enum proxy_request_state {
	PROXY_REQUEST_PARTIAL,  /* more bytes are needed */
	PROXY_REQUEST_COMPLETE, /* `host` is known */
	PROXY_REQUEST_REFUSED,  /* malformed; `answer` says so */
};

enum proxy_protocol { PROXY_UNKNOWN, PROXY_HTTP, PROXY_CONNECT, PROXY_SOCKS };

struct proxy_request {
	enum proxy_request_state state;
	enum proxy_protocol protocol;
	bool greeted;      /* SOCKS: the greeting is done */
	struct str in;     /* the head so far; later what came after it */
	struct str answer; /* for the program; the caller removes it */
	struct proxy_host host;
	struct str head; /* HTTP: the head for the server */
	uint64_t body;   /* the length of its body */
	bool has_length; /* it has a Content-Length */
	bool is_coded;   /* it has a Transfer-Encoding, so the length is unknown */
};

#define PROXY_REQUEST_INIT                     \
	{                                      \
		.state = PROXY_REQUEST_PARTIAL \
	}

void proxy_request_clear(struct proxy_request *r);

/* Takes all of `bytes`. After PROXY_REQUEST_PARTIAL they are only kept in `in`. */
void proxy_request_feed(struct proxy_request *r, struct sv bytes);

/* How it ended. */
enum proxy_outcome { PROXY_CONNECTED, PROXY_DENIED, PROXY_UNREACHABLE };
/* Appends the answer to `out`. `why` is for people; only HTTP can transport it. */
void proxy_request_answer(const struct proxy_request *r, enum proxy_outcome end, const char *why,
			  struct str *out);

#endif
