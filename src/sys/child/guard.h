/* guard.h - private to src/sys: our side of the guard process.
 *
 * There is one guard per loop. It is created for the first client, and again after it was killed. A
 * host program does not notice it: its end raises no SIGCHLD, and only a wait for clones (__WALL)
 * would find it. Children have the resource limits, umask and priority that we had when the guard
 * was created.
 *
 * A client is one program to run. All its callbacks come from inside libuv callbacks: either
 * `started`, `left` (maybe) and then `ended`, or `failed`, or `lost`. After `ended`, `failed` or `lost` the guard no
 * longer uses the client. */
#ifndef AWL_SYS_CHILD_GUARD_H
#define AWL_SYS_CHILD_GUARD_H

#include "base/err.h"
#include "base/str.h"
#include "sys/child.h"
#include "sys/child/guard_wire.h"

struct guard;
struct guard_client;

struct guard_client_type {
	/* It is the turn of this client: fill `job`. False: do not start it; nothing else is called
	 * then. */
	bool (*prepare)(struct guard_client *client);
	/* It runs: guard_pid() is known. */
	void (*started)(struct guard_client *client);
	void (*failed)(struct guard_client *client, const struct guard_report *why);
	/* The leader has ended, but other processes of its session have not. */
	void (*left)(struct guard_client *client, const struct child_result *result);
	void (*ended)(struct guard_client *client, const struct child_result *result);
	/* The guard was killed, and with it the client as far as possible. */
	void (*lost)(struct guard_client *client);
};

struct guard_client {
	const struct guard_client_type *type;
	struct guard *guard; /* NULL before and after */
	uint32_t slot;
	pid_t pid; /* afterwards; while it runs, use guard_pid() */
	struct {
		bool ready;
		int fds[GUARD_FDS]; /* closed once they are sent */
		uint32_t program_size, image_size;
		bool terminal;
		const struct confinement_type *confinement; /* NULL: none */
	} job;
};

/* Queues the client. Fails when there is no guard, or LIMIT_CHILDREN are running. May call
 * `prepare` and `failed` before it returns. */
must_use bool guard_add(struct loop *loop, struct guard_client *client,
			const struct guard_client_type *type, struct err *err);

/* 0 until there is a process. */
pid_t guard_pid(const struct guard_client *client);

/* Signals its process group while its leader lives. */
void guard_signal(struct guard_client *client, int signo);
/* Signals everything in its session. */
void guard_end(struct guard_client *client, int signo);
/* Forgets a client that does not end. */
void guard_abandon(struct guard_client *client);

#endif
