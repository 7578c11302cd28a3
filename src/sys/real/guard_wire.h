/* guard_wire.h - private to the guard: what its two sides say to each other over
 * a SOCK_SEQPACKET socket, one struct a message.
 *
 * A child is known by its slot, a number below LIMIT_CHILDREN that our side
 * chooses and does not use again before GUARD_FAILED or GUARD_ENDED. So a
 * signal never meets a stranger: only the guard reaps, and it knows which of
 * its children it has reaped when a request comes. */
#ifndef AWL_SYS_REAL_GUARD_WIRE_H
#define AWL_SYS_REAL_GUARD_WIRE_H

#include <sys/types.h>

#include "base/base.h"

enum guard_verb {
	GUARD_SPAWN,  /* with GUARD_FDS descriptors */
	GUARD_SIGNAL, /* to the process group */
	GUARD_END,    /* to everything in the session, stopped or not */
};

struct guard_request {
	enum guard_verb verb;
	uint32_t slot;
	int32_t signo;
	uint32_t program_size; /* of the file behind GUARD_FD_PROGRAM */
	bool terminal;         /* stdin becomes the controlling terminal */
};

enum {
	GUARD_FD_PROGRAM, /* a struct guard_program */
	GUARD_FD_CWD,
	GUARD_FD_STDIN,
	GUARD_FD_STDOUT,
	GUARD_FD_STDERR,
	GUARD_FDS,
};

/* What to run: this head; then argc + 1 words for argv and envc + 1 for the
 * environment, offsets of strings that become pointers in place (0: NULL); then
 * the strings. */
struct guard_program {
	uintptr_t argc, envc;
	uintptr_t path; /* offset of the directories to search, or 0 */
};

enum guard_news {
	GUARD_STARTED,
	GUARD_FAILED, /* stage, errnum */
	GUARD_LEFT,   /* it ended, others of its session did not */
	GUARD_ENDED,  /* status and resources; nothing of its session is left */
};

/* Where a start failed. */
enum guard_stage {
	GUARD_AT_FORK,
	GUARD_AT_CWD,
	GUARD_AT_TERMINAL,
	GUARD_AT_EXEC,
	GUARD_AT_INTERPRETER, /* the file is there, what its first line names is not */
};

struct guard_report {
	enum guard_news news;
	uint32_t slot;
	int32_t errnum;
	enum guard_stage stage;
	int32_t status; /* as wait4 tells it */
	int64_t user_us, system_us, max_rss_kib;
};

/* The guard itself, in the process forked for it, all signals blocked. Keeps
 * only `sock` of what it inherited. `pids` is shared with our side and says, by
 * slot, whom it has started. Never returns. */
_Noreturn void guard_main(int sock, pid_t host, pid_t *pids);

/* Runs `program` (mapped, writable) in a new session. `*pid` is set before its
 * first instruction runs. False, with `*pid` 0, `stage` and errno set, when it
 * could not be. `stack` is GUARD_STACK bytes for the moment before the new
 * program takes over. */
enum { GUARD_STACK = 64 * 1024 };
must_use bool guard_exec(struct guard_program *program, const int fds[GUARD_FDS], bool terminal,
			 char *stack, pid_t *pid, enum guard_stage *stage);

#endif
