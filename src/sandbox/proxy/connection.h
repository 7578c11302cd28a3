/* gate_conn.h - private to src/net/real: one connection through the gate.
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

enum gate_conn_state {
	GATE_READING,
	GATE_ASKING,
	GATE_LOOKING,
	GATE_CONNECTING,
	GATE_TUNNELLING, /* a proxy between us and the host has yet to say yes */
	GATE_FLOWING,
	GATE_ENDING,
	GATE_CLOSED,
};

/* One end of it. */
struct gate_side {
	int fd; /* -1: closed */
	struct poll *poll;
	int wanted;     /* of the poll */
	struct str out; /* for it, not yet written */
	size_t sent;    /* of `out` */
	bool ended;     /* nothing more comes from it */
	bool shut;      /* it has been told that nothing more comes */
};

struct gate_lookup {
	struct gate_host host;
	gate_resolve_fn *resolve;
	void *resolve_arg;
	struct gate_addresses found;
};

struct gate_question {
	struct gate *gate;
	struct gate_host host;
	struct op *op;
	bool allowed;
};

struct gate_conn {
	struct gate *gate; /* NULL once that is freed */
	struct gate_conn *prev, *next;
	struct loop *loop;
	enum gate_conn_state state;
	struct gate_wire wire;
	struct gate_side client, server;
	bool exact; /* the host was allowed by its own name */
	struct gate_question *question;
	struct gate_lookup lookup;
	bool by_proxy; /* that is `upstream` */
	struct gate_upstream upstream;
	struct str heard; /* of its answer */
	bool is_limited;  /* to `left` bytes, of what the program may still send */
	uint64_t left;
	size_t next_address;
	struct err why; /* the last address failed */
	struct op *looking, *timer;
	struct task step;
};

struct gate {
	struct loop *loop;
	struct gate_opts opts;
	VEC(struct gate_listener *) listeners;
	struct gate_conn *first;
	size_t nconns;
	struct map questions; /* by "host:port"; struct gate_question, owned */
	size_t asking;        /* questions without an answer */
	bool closing;
	struct alarm again; /* accepts again, after the system had no descriptor */
};

/* Takes `fd`. */
void gate_conn_new(struct gate *gate, int fd);
/* By the gate's end, or because there is nothing left to do. */
void gate_conn_close(struct gate_conn *c);

/* gate.c: may it go on? The answer may come later, by gate_conn_decided(). */
void gate_decide(struct gate *gate, struct gate_conn *c);
void gate_conn_decided(struct gate_conn *c, bool allowed, const char *why);
/* Whether this address may be reached by that host. */
bool gate_allows_address(const struct gate *gate, const struct gate_conn *c,
			 const struct sockaddr *address);
void gate_tell_refused(struct gate *gate, const struct gate_host *host, const char *why);
/* A connection is closed. */
void gate_forget(struct gate *gate, struct gate_conn *c);

/* gate_flow.c: moves bytes between the two sides; false when it is over. */
must_use bool gate_flow(struct gate_conn *c);
/* Writes what waits for a side; false when it is gone. */
must_use bool gate_side_flush(struct gate_side *side);
void gate_side_want(struct gate_side *side, int events);
void gate_side_close(struct gate_side *side);

#endif
