/* connection.h - private to src/sandbox: one connection through the proxy.
 *
 *   READING -> ASKING -> RESOLVING -> CONNECTING (-> TUNNELLING) -> RELAYING -> CLOSED
 *      |          |          |            |              |
 *      +----------+----------+------------+--------------+-> ENDING, with a refusal -> CLOSED
 *
 * A closed connection is freed once nothing of it is pending. */
#ifndef AWL_SANDBOX_PROXY_CONNECTION_H
#define AWL_SANDBOX_PROXY_CONNECTION_H

#include "base/map.h"
#include "base/vec.h"
#include "net/alarm.h"
#include "sandbox/proxy/proxy.h"
#include "sandbox/proxy/request.h"
#include "sandbox/proxy/upstream.h"
#include "sys/poll.h"

enum proxy_conn_state {
	PROXY_CONN_READING,
	PROXY_CONN_ASKING,
	PROXY_CONN_RESOLVING,
	PROXY_CONN_CONNECTING,
	PROXY_CONN_TUNNELLING, /* waiting for the upstream proxy to accept */
	PROXY_CONN_RELAYING,
	PROXY_CONN_ENDING,
	PROXY_CONN_CLOSED,
};

/* One end of a connection. */
struct proxy_side {
	int fd; /* -1: closed */
	struct poll *poll;
	int wanted;     /* events that `poll` waits for */
	struct str out; /* bytes to write */
	size_t sent;    /* of `out` */
	bool ended;     /* it has closed its direction */
	bool shut;      /* we have closed ours */
};

struct proxy_lookup {
	struct proxy_host host;
	proxy_resolve_fn *resolve;
	void *resolve_arg;
	struct proxy_addresses found;
};

struct proxy_question {
	struct sandbox_proxy *proxy;
	struct proxy_host host;
	struct op *op;
	bool allowed;
};

struct proxy_conn {
	struct sandbox_proxy *proxy; /* NULL once it is freed */
	struct proxy_conn *prev, *next;
	struct loop *loop;
	enum proxy_conn_state state;
	struct proxy_request request;
	struct proxy_side client, server;
	bool exact; /* a list names this very host */
	struct proxy_question *question;
	struct proxy_lookup lookup;
	bool by_proxy; /* through `upstream` */
	struct upstream_proxy upstream;
	struct str reply; /* the answer of the upstream proxy so far */
	bool is_limited;  /* the program may send only `left` more bytes */
	uint64_t left;
	size_t next_address;
	struct err why; /* why the last address failed */
	struct op *looking, *timer;
	struct task step;
};

struct sandbox_proxy {
	struct loop *loop;
	struct sandbox_proxy_opts opts;
	VEC(struct proxy_listener *) listeners;
	struct proxy_conn *first;
	size_t nconns;
	struct map questions; /* by "host:port"; struct proxy_question, owned */
	size_t asking;        /* unanswered questions */
	bool closing;
	struct alarm again; /* resumes accepting after we ran out of descriptors */
};

/* Takes `fd`. */
void proxy_conn_new(struct sandbox_proxy *proxy, int fd);
/* Because the proxy ends, or because the connection is finished. */
void proxy_conn_close(struct proxy_conn *c);

/* proxy.c: decides about the host. The answer comes by proxy_conn_decided(), maybe later. */
void proxy_decide(struct sandbox_proxy *proxy, struct proxy_conn *c);
void proxy_conn_decided(struct proxy_conn *c, bool allowed, const char *why);
/* Whether this address may be used for the host of the connection. */
bool proxy_allows_address(const struct sandbox_proxy *proxy, const struct proxy_conn *c,
			  const struct sockaddr *address);
void proxy_report_refused(struct sandbox_proxy *proxy, const struct proxy_host *host,
			  const char *why);
/* A connection is closed. */
void proxy_forget(struct sandbox_proxy *proxy, struct proxy_conn *c);

/* relay.c: relays bytes between the two sides; false when both have ended. */
must_use bool proxy_relay(struct proxy_conn *c);
/* Writes pending bytes; false when the other end is gone. */
must_use bool proxy_side_flush(struct proxy_side *side);
void proxy_side_want(struct proxy_side *side, int events);
void proxy_side_close(struct proxy_side *side);

#endif
