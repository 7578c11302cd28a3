/* guard_wire.h - private to the guard: what its two sides say to each other over
 * a SOCK_SEQPACKET socket, one struct a message.
 *
 * A child is known by its slot, a number below LIMIT_CHILDREN that our side
 * chooses and does not use again before GUARD_FAILED or GUARD_ENDED. So a
 * signal never meets a stranger: only the guard reaps, and it knows which of
 * its children it has reaped when a request comes. */
#ifndef AWL_SYS_CHILD_GUARD_WIRE_H
#define AWL_SYS_CHILD_GUARD_WIRE_H

#include <sys/types.h>

#include "base/base.h"
#include "base/limits.h"
#include "sys/confinement.h"

enum guard_verb {
	GUARD_SPAWN,  /* with those descriptors that `fds` says */
	GUARD_SIGNAL, /* to the process group */
	GUARD_END,    /* to everything in the session, stopped or not */
};

struct guard_request {
	enum guard_verb verb;
	uint32_t slot;
	int32_t signo;
	uint32_t program_size; /* of the file behind GUARD_FD_PROGRAM */
	uint32_t image_size;   /* of the file behind GUARD_FD_IMAGE */
	uint32_t fds;          /* a bit for each descriptor that comes with it, in their order */
	bool terminal;         /* stdin becomes the controlling terminal */
	const struct confinement_type *confinement; /* NULL: none */
};

enum {
	GUARD_FD_PROGRAM, /* a struct guard_program */
	GUARD_FD_CWD,
	GUARD_FD_STDIN,
	GUARD_FD_STDOUT,
	GUARD_FD_STDERR,
	GUARD_FD_IMAGE,       /* of a confinement, */
	GUARD_FD_CONFINEMENT, /* with the first of its descriptors */
	GUARD_FDS = GUARD_FD_CONFINEMENT + CONFINEMENT_FDS,
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
	GUARD_AT_CONFINEMENT, /* `place` says where in there */
	GUARD_AT_EXEC,
	GUARD_AT_INTERPRETER, /* the file is there, what its first line names is not */
};

struct guard_report {
	enum guard_news news;
	uint32_t slot;
	int32_t errnum;
	enum guard_stage stage;
	struct confinement_place place;
	int32_t status; /* as wait4 tells it */
	int64_t user_us, system_us, max_rss_kib;
};

/* Of the shared numbers, the one behind those of the slots: the process that does the
 * guard's work, while it lives. */
#define GUARD_WORKER LIMIT_CHILDREN

/* The guard itself, in the process forked for it, all signals blocked. Keeps
 * only `sock` of what it inherited. `pids` is shared with our side and says, by
 * slot, whom it has started. Never returns. */
_Noreturn void guard_main(int sock, pid_t host, pid_t *pids);

/* A program about to be run. */
struct guard_start {
	struct guard_program *program; /* mapped, writable; NULL: set the confinement up, and end */
	const struct confinement_type *confinement; /* NULL: none */
	struct confinement_image image;
	const int *fds; /* GUARD_FDS of them, -1 where there is none */
	bool terminal;
	char *stack;     /* GUARD_STACK bytes for the moment before the new program takes over */
	bool is_monitor; /* set here: the process that was made only watches over others */
	/* Why it could not be run. */
	enum guard_stage stage;
	struct confinement_place place;
	int errnum;
};
enum { GUARD_STACK = 64 * 1024 };

/* Runs it in a new session. `*pid` is set before its first instruction runs. False,
 * with `*pid` 0, when it could not be. */
must_use bool guard_exec(struct guard_start *start, pid_t *pid);
/* The same for a confinement with a first process, of which `exit_signal` tells the end. */
must_use bool guard_exec_confined(struct guard_start *start, int exit_signal, pid_t *pid);

/* For these two, in the new process: takes the session, its descriptors and its terminal,
 * and then becomes the program. Both return only when they fail, after filling `start`. */
must_use bool guard_settle_in(struct guard_start *start);
void guard_become(struct guard_start *start);

#endif
