/* child.h - runs other programs.
 *
 * A guard process starts all children. It is forked once, when the first child is needed, and is
 * the parent and sub-reaper of everything we run. It reports exit status and resource use. When we
 * end in any way, kill -9 included, it ends every process that is left, even detached daemons. When
 * the guard itself is killed, a second process behind it does the same. We never touch SIGCHLD, so
 * a host program that embeds us keeps its own children.
 *
 * Each child leads its own session. It has no terminal except the one it is given, and everything
 * it starts ends with it, even in process groups of their own (timeout, job control). Only
 * processes that leave the session (daemons) live on until we end. stdin is empty unless bytes are
 * given. Our descriptors are never inherited, and all signals have their default action. */
#ifndef AWL_SYS_CHILD_H
#define AWL_SYS_CHILD_H

#include "base/str.h"
#include "sys/confinement.h"
#include "sys/op.h"

enum child_stream { CHILD_OUT, CHILD_ERR };

/* Bytes that the child wrote, in order, from the FIFO. The callee must consume all of them. */
typedef void child_data_fn(void *owner, enum child_stream from, struct sv bytes);

struct child_opts {
	/* argv[0] is looked up in the child's PATH unless it contains a slash. All strings are
	 * copied; together they may have LIMIT_CHILD_ARGS bytes. */
	const char *const *argv; /* NULL-terminated */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: ours */
	const char *cwd;         /* NULL: ours */

	const struct confinement *confinement; /* NULL: not confined */
	/* Find out in which directory it ends; see child_final_cwd(). A set-user-id program is not
	 * followed. Another program cannot gain privileges by becoming one with execve(), but the
	 * programs that it starts can. */
	bool follow_cwd;

	struct sv input; /* for its stdin, before end of file; copied */
	bool keep_stdin; /* no end of file yet; child_write() may follow */
	bool merge;      /* stderr goes to the same pipe as stdout */
	bool pty;        /* stdin, stdout and stderr are a terminal */
	bool inherit;    /* they are ours; ignore the fields above and on_data */
	int rows, cols;  /* size of the terminal */

	size_t max_output;   /* bytes to deliver; then the child is ended. 0: no limit */
	int64_t deadline_ms; /* then the child is ended. 0: none */
	int64_t grace_ms;    /* from TERM to KILL. 0: CHILD_GRACE_MS */

	child_data_fn *on_data; /* called with then.owner; NULL discards */
};

enum { CHILD_GRACE_MS = 2000 };

/* How a child ended. */
struct child_result {
	int code;                   /* exit code; 128 + signal when killed, as in shells */
	int signal;                 /* 0 when it exited normally */
	int64_t user_us, system_us; /* CPU time, with its waited-for descendants */
	int64_t max_rss_kib;        /* at least our own at the time the guard was forked */
};

/* `done` comes when the child has ended, nothing of its session is left and every byte it wrote has
 * been delivered. Processes that it left running get TERM, and KILL after the grace period.
 * Cancelling, the deadline and the output limit do the same to the child itself.
 *
 * Failures are: it cannot be started; the deadline (ERR_TIMEOUT); the output limit (ERR_TOO_BIG);
 * LIMIT_CHILDREN are running (ERR_FULL); the guard was killed (ERR_IO); and a child that we cannot
 * kill (ERR_ACCESS, CHILD_GRACE_MS after the KILL at the earliest; it lives on). An exit code is
 * not a failure. After op_cancel() only `done` is called. */
struct op *child_start(struct loop *loop, const struct child_opts *opts, struct then then);

/* Only inside `done`. All zero when the child never started. */
struct child_result child_result(const struct op *child);

/* Only inside `done`, with `follow_cwd`: sets `out` to the absolute path of the directory in which
 * the child ended. False when it is not known; for instance when that directory was removed. The
 * path comes from the kernel, not from the child. */
must_use bool child_final_cwd(const struct op *child, struct str *out);

/* 0 until it has started. */
int child_pid(const struct op *child);

/* Queues bytes for stdin, for keep_stdin and pty children. Fails (ERR_TOO_BIG) when more than
 * LIMIT_CHILD_INPUT bytes are waiting. Bytes for a child that has closed its stdin are dropped
 * silently. Never raises SIGPIPE. */
must_use bool child_write(struct op *child, struct sv bytes, struct err *err);
/* Sends end of file once everything queued is written; in a terminal, the key for it. */
void child_close_stdin(struct op *child);

/* Back-pressure: while paused, nothing is delivered (and no `done` either, unless nothing is left).
 * We buffer at most LIMIT_CHILD_BUFFER; then the child blocks in its own write. */
void child_pause(struct op *child, bool paused);

void child_resize(struct op *child, int rows, int cols);
/* Signals its process group. Does nothing once it has ended. */
void child_signal(struct op *child, int signo);

#endif
