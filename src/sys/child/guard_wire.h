/* guard_wire.h - private to the guard: the messages between its two sides, one struct each, over a
 * SOCK_SEQPACKET socket.
 *
 * A child is identified by its slot, a number below LIMIT_CHILDREN. Our side chooses it and does
 * not reuse it before GUARD_FAILED or GUARD_ENDED. So a signal never reaches an unrelated process:
 * only the guard reaps children, and it knows which of them it has reaped when a request arrives.
 */
#ifndef AWL_SYS_CHILD_GUARD_WIRE_H
#define AWL_SYS_CHILD_GUARD_WIRE_H

#include <sys/types.h>

#include "base/base.h"
#include "base/limits.h"
#include "sys/confinement.h"

enum guard_verb {
	GUARD_SPAWN,  /* with the descriptors that `fds` lists */
	GUARD_SIGNAL, /* to the process group */
	GUARD_END,    /* to everything in the session, stopped or not */
};

struct guard_request {
	enum guard_verb verb;
	uint32_t slot;
	int32_t signo;
	uint32_t program_size; /* of the file behind GUARD_FD_PROGRAM */
	uint32_t image_size;   /* of the file behind GUARD_FD_IMAGE */
	uint32_t fds;          /* one bit per descriptor that comes with it, in their order */
	bool terminal;         /* stdin becomes the controlling terminal */
	const struct confinement_type *confinement; /* NULL: none */
};

enum {
	GUARD_FD_PROGRAM, /* a struct guard_program */
	GUARD_FD_CWD,
	GUARD_FD_STDIN,
	GUARD_FD_STDOUT,
	GUARD_FD_STDERR,
	GUARD_FD_FINAL_CWD,   /* a file for the directory in which the program ends */
	GUARD_FD_IMAGE,       /* of the confinement */
	GUARD_FD_CONFINEMENT, /* the first of its descriptors */
	GUARD_FDS = GUARD_FD_CONFINEMENT + CONFINEMENT_FDS,
};

/* What to run: this head; then argc + 1 words for argv and envc + 1 words for the environment,
 * which are offsets of strings that become pointers in place (0: NULL); then the strings. */
struct guard_program {
	uintptr_t argc, envc;
	uintptr_t path; /* offset of the directories to search; 0: none */
};

enum guard_news {
	GUARD_STARTED,
	GUARD_FAILED, /* stage, errnum */
	GUARD_LEFT,   /* it has ended, but others of its session have not */
	GUARD_ENDED,  /* with status and resource use; nothing of its session is left */
};

/* Where a start failed. */
enum guard_stage {
	GUARD_AT_FORK,
	GUARD_AT_CWD,
	GUARD_AT_TERMINAL,
	GUARD_AT_CONFINEMENT, /* `place` says where */
	GUARD_AT_EXEC,
	GUARD_AT_INTERPRETER, /* the file exists, but not the interpreter in its first line */
};

struct guard_report {
	enum guard_news news;
	uint32_t slot;
	int32_t errnum;
	enum guard_stage stage;
	struct confinement_place place;
	int32_t status; /* as from wait4() */
	int64_t user_us, system_us, max_rss_kib;
};

/* In the shared process ids, the index after those of the slots: the worker of the guard, while it
 * lives. */
#define GUARD_WORKER LIMIT_CHILDREN

/* The guard itself, in the forked process, with all signals blocked. Keeps only `sock` of what it
 * inherited. `pids` is shared with our side: the process id of each slot. Never returns. */
_Noreturn void guard_main(int sock, pid_t host, pid_t *pids);

/* A program that is about to run. */
struct guard_start {
	struct guard_program
		*program; /* mapped, writable; NULL: set up the confinement, then exit */
	const struct confinement_type *confinement; /* NULL: none */
	struct confinement_image image;
	const int *fds; /* GUARD_FDS of them, -1 where there is none */
	bool terminal;
	char *stack;     /* GUARD_STACK bytes, used until the new program runs */
	bool is_monitor; /* set here: the new process only watches the command */
	/* Why it could not be started. */
	enum guard_stage stage;
	struct confinement_place place;
	int errnum;
};
enum { GUARD_STACK = 64 * 1024 };

/* Runs it in a new session. `*pid` is set before its first instruction runs. On failure returns
 * false, with `*pid` 0. */
must_use bool guard_exec(struct guard_start *start, pid_t *pid);
/* The same with a first process, which waits for the program and follows its directory. The
 * namespaces of the confinement, if any, are those of the first process. `exit_signal` reports its
 * end. */
must_use bool guard_exec_confined(struct guard_start *start, int exit_signal, pid_t *pid);

/* The namespaces of its first process; 0: it shares ours. */
unsigned long guard_clone_flags(const struct guard_start *start);

/* For these two, in the new process: set up session, descriptors and terminal; then become the
 * program. They return only on failure, with the reason in `start`. */
must_use bool guard_settle_in(struct guard_start *start);
void guard_become(struct guard_start *start);

#endif
