/* gate_conn.h - private to src/net/real: one connection through the proxy.
 *
 *   READING -> ASKING -> LOOKING -> CONNECTING (-> TUNNELLING) -> FLOWING -> CLOSED
 *      |          |         |           |              |
 *      +----------+---------+-----------+--------------+-> ENDING, with a refusal -> CLOSED
 *
 * Closed ones are freed once nothing of theirs is in flight. */
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
	PROXY_CONN_TUNNELLING, /* a proxy between us and the host has yet to say yes */
	PROXY_CONN_RELAYING,
	PROXY_CONN_ENDING,
	PROXY_CONN_CLOSED,
};

/* One end of it. */
struct proxy_side {
	int fd; /* -1: closed */
	struct poll *poll;
	int wanted;     /* of the poll */
	struct str out; /* for it, not yet written */
	size_t sent;    /* of `out` */
	bool ended;     /* nothing more comes from it */
	bool shut;      /* it has been told that nothing more comes */
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
	struct sandbox_proxy *proxy; /* NULL once that is freed */
	struct proxy_conn *prev, *next;
	struct loop *loop;
	enum proxy_conn_state state;
	struct proxy_request request;
	struct proxy_side client, server;
	bool exact; /* the host was allowed by its own name */
	struct proxy_question *question;
	struct proxy_lookup lookup;
	bool by_proxy; /* that is `upstream` */
	struct upstream_proxy upstream;
	struct str heard; /* of its answer */
	bool is_limited;  /* to `left` bytes, of what the program may still send */
	uint64_t left;
	size_t next_address;
	struct err why; /* the last address failed */
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
	size_t asking;        /* questions without an answer */
	bool closing;
	struct alarm again; /* accepts again, after the system had no descriptor */
};

/* Takes `fd`. */
void proxy_conn_new(struct sandbox_proxy *proxy, int fd);
/* By the proxy's end, or because there is nothing left to do. */
void proxy_conn_close(struct proxy_conn *c);

/* gate.c: may it go on? The answer may come later, by proxy_conn_decided(). */
void proxy_decide(struct sandbox_proxy *proxy, struct proxy_conn *c);
void proxy_conn_decided(struct proxy_conn *c, bool allowed, const char *why);
/* Whether this address may be reached by that host. */
bool proxy_allows_address(const struct sandbox_proxy *proxy, const struct proxy_conn *c,
			  const struct sockaddr *address);
void proxy_report_refused(struct sandbox_proxy *proxy, const struct proxy_host *host,
			  const char *why);
/* A connection is closed. */
void proxy_forget(struct sandbox_proxy *proxy, struct proxy_conn *c);

/* proxy_relay.c: moves bytes between the two sides; false when it is over. */
must_use bool proxy_relay(struct proxy_conn *c);
/* Writes what waits for a side; false when it is gone. */
must_use bool proxy_side_flush(struct proxy_side *side);
void proxy_side_want(struct proxy_side *side, int events);
void proxy_side_close(struct proxy_side *side);

#endif
