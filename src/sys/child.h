/* child.h - running other programs.
 *
 * Children are started by a guard process, forked once when the first child is
 * wanted. It is the parent and sub-reaper of everything we run: it reports exit
 * status and resource use, and when we are gone by any route, kill -9 included,
 * it ends whatever is left, daemons that detached themselves too. We never
 * touch SIGCHLD, so a host program that embeds us keeps its own children.
 *
 * Each child leads its own process group. Its stdin is empty unless bytes are
 * given; descriptors of ours are never inherited. */
#ifndef AWL_SYS_CHILD_H
#define AWL_SYS_CHILD_H

#include "base/str.h"
#include "sys/op.h"

enum child_stream { CHILD_OUT, CHILD_ERR };

/* Bytes the child wrote, from the FIFO, in order; all must be consumed. */
typedef void child_data_fn(void *owner, enum child_stream from, struct sv bytes);

struct child_opts {
	/* argv[0] is looked up in the child's PATH unless it has a slash.
	 * All strings are copied. */
	const char *const *argv; /* NULL-terminated */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: ours */
	const char *cwd;         /* NULL: ours */

	struct sv input; /* what it reads on stdin before end of file; copied */
	bool keep_stdin; /* no end of file yet: child_write() may follow */
	bool merge;      /* stderr goes into the same pipe as stdout */
	bool pty;        /* stdin, stdout and stderr are a terminal */
	int rows, cols;  /* of the terminal */

	size_t max_output;   /* bytes in all; past it the child is ended. 0: no cap */
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
	int64_t max_rss_kib;
};

/* Done when the child has ended, its process group is gone and every byte it
 * wrote has been delivered. Not being startable, the deadline (ERR_TIMEOUT),
 * the output cap (ERR_TOO_BIG) and a lost guard are failures; an exit code is
 * not. Cancelling sends TERM to the group, then KILL after the grace. */
struct op *child_start(struct loop *loop, const struct child_opts *opts, struct then then);

/* In `done`, and only there. Zeroes when it never started. */
struct child_result child_result(const struct op *child);

/* 0 until it has started. */
int child_pid(const struct op *child);

/* Queues bytes for stdin; for keep_stdin and pty children. Fails (ERR_TOO_BIG)
 * past LIMIT_CHILD_INPUT waiting bytes; silently dropped when the child has
 * closed its end. */
must_use bool child_write(struct op *child, struct sv bytes, struct err *err);
/* End of file once everything queued is written. */
void child_close_stdin(struct op *child);

/* Back-pressure: while paused, at most LIMIT_CHILD_BUFFER is held here and then
 * the child blocks in its own write. */
void child_pause(struct op *child, bool paused);

void child_resize(struct op *child, int rows, int cols);
/* To the whole process group; no-op once it has ended. */
void child_signal(struct op *child, int signo);

#endif
