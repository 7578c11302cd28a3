/* child.h - running other programs.
 *
 * Children are started by a guard process, forked once when the first child is
 * wanted. It is the parent and sub-reaper of everything we run: it reports exit
 * status and resource use, and when we are gone by any route, kill -9 included,
 * it ends whatever is left, daemons that detached themselves too. When the guard
 * itself is killed, a second one behind it does the same. We never touch SIGCHLD, so
 * a host program that embeds us keeps its own children.
 *
 * Each child leads its own session: it has no terminal but the one it is given,
 * and all it starts is ended with it, in groups of their own too (timeout, job
 * control). Only what leaves the session (a daemon) lives on, until we end.
 * stdin is empty unless bytes are given; descriptors of ours are never inherited,
 * signals are all at their defaults. */
#ifndef AWL_SYS_CHILD_H
#define AWL_SYS_CHILD_H

#include "base/str.h"
#include "sys/confinement.h"
#include "sys/op.h"

enum child_stream { CHILD_OUT, CHILD_ERR };

/* Bytes the child wrote, from the FIFO, in order; all must be consumed. */
typedef void child_data_fn(void *owner, enum child_stream from, struct sv bytes);

struct child_opts {
	/* argv[0] is looked up in the child's PATH unless it has a slash.
	 * All strings are copied; together they have LIMIT_CHILD_ARGS. */
	const char *const *argv; /* NULL-terminated */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: ours */
	const char *cwd;         /* NULL: ours */

	const struct confinement *confinement; /* NULL: the child may do what we may */

	struct sv input; /* what it reads on stdin before end of file; copied */
	bool keep_stdin; /* no end of file yet: child_write() may follow */
	bool merge;      /* stderr goes into the same pipe as stdout */
	bool pty;        /* stdin, stdout and stderr are a terminal */
	bool inherit;    /* they are ours; nothing of the above, and no on_data */
	int rows, cols;  /* of the terminal */

	size_t max_output;   /* bytes delivered; past it the child is ended. 0: no cap */
	int64_t deadline_ms; /* then the child is ended. 0: none */
	int64_t grace_ms;    /* from TERM to KILL. 0: CHILD_GRACE_MS */

	child_data_fn *on_data; /* called with then.owner; NULL discards */
};

enum { CHILD_GRACE_MS = 2000 };

/* How a child ended. */
struct child_result {
	int code;                   /* exit code; 128 + signal when killed, as shells say it */
	int signal;                 /* 0 when it exited by itself */
	int64_t user_us, system_us; /* CPU, with its waited-for descendants */
	int64_t max_rss_kib;        /* at least what we took when the guard was made */
};

/* Done when the child has ended, nothing is left of its session and every byte
 * it wrote has been delivered. What it left running is asked to go (TERM) and
 * killed after the grace; cancelling, the deadline and the output cap do the same
 * to the child itself.
 *
 * Not being startable, the deadline (ERR_TIMEOUT), the output cap (ERR_TOO_BIG),
 * LIMIT_CHILDREN at once (ERR_FULL), a guard that was killed (ERR_IO) and a child
 * that we may not kill (ERR_ACCESS, CHILD_GRACE_MS after the KILL at the earliest;
 * it lives on) are failures; an exit code is not. After op_cancel() nothing is called
 * but `done`. */
struct op *child_start(struct loop *loop, const struct child_opts *opts, struct then then);

/* In `done`, and only there. Zeroes when it never started. */
struct child_result child_result(const struct op *child);

/* 0 until it has started. */
int child_pid(const struct op *child);

/* Queues bytes for stdin; for keep_stdin and pty children. Fails (ERR_TOO_BIG)
 * past LIMIT_CHILD_INPUT waiting bytes; silently dropped when the child has
 * closed its end. SIGPIPE is never raised. */
must_use bool child_write(struct op *child, struct sv bytes, struct err *err);
/* End of file once everything queued is written; in a terminal, its key for it. */
void child_close_stdin(struct op *child);

/* Back-pressure: while paused nothing is delivered (so no `done` either, unless
 * nothing is left), at most LIMIT_CHILD_BUFFER is held here and then the child
 * blocks in its own write. */
void child_pause(struct op *child, bool paused);

void child_resize(struct op *child, int rows, int cols);
/* To its process group; no-op once it has ended. */
void child_signal(struct op *child, int signo);

#endif
