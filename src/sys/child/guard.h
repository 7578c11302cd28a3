/* guard.h - private to src/sys/real: our side of the guard process.
 *
 * One guard per loop, made when the first client comes and made again when it
 * was killed. It is invisible to a host program: its end raises no SIGCHLD and
 * only a wait for clones would meet it. Children have the limits, umask and
 * priority that we had when it was made.
 *
 * A client is one program to run. All its callbacks come from inside libuv's;
 * they come in the order left, ended, or failed or lost alone. After ended, failed
 * or lost the client is forgotten here. */
#ifndef AWL_SYS_CHILD_GUARD_H
#define AWL_SYS_CHILD_GUARD_H

#include "base/err.h"
#include "base/str.h"
#include "sys/child.h"
#include "sys/child/guard_wire.h"

struct guard;
struct guard_client;

struct guard_client_type {
	/* It is this client's turn: fill `job`. False: it is not wanted any more;
	 * nothing else is called then. */
	bool (*prepare)(struct guard_client *client);
	void (*failed)(struct guard_client *client, const struct guard_report *why);
	/* Its leader ended, others of its session live on. */
	void (*left)(struct guard_client *client, const struct child_result *result);
	void (*ended)(struct guard_client *client, const struct child_result *result);
	/* The guard was killed, and with it the client as far as we could. */
	void (*lost)(struct guard_client *client);
};

struct guard_client {
	const struct guard_client_type *type;
	struct guard *guard; /* NULL before and after */
	uint32_t slot;
	pid_t pid; /* afterwards; while it runs ask guard_pid() */
	struct {
		bool ready;
		int fds[GUARD_FDS]; /* closed here once sent */
		uint32_t program_size, image_size;
		bool terminal;
		const struct confinement_type *confinement; /* NULL: none */
	} job;
};

/* Queues the client. Fails when there is no guard to be had, or LIMIT_CHILDREN
 * are running. May call `prepare` and `failed` before it returns. */
must_use bool guard_add(struct loop *loop, struct guard_client *client,
			const struct guard_client_type *type, struct err *err);

/* 0 until there is a process. */
pid_t guard_pid(const struct guard_client *client);

/* To its process group, while its leader lives. */
void guard_signal(struct guard_client *client, int signo);
/* To everything in its session. */
void guard_end(struct guard_client *client, int signo);
/* Forgets a client that will not end. */
void guard_abandon(struct guard_client *client);

#endif
