/* sandbox.h - what a child may touch, held to by the kernel.
 *
 * A `struct sandbox` is a plan: data, made by whoever knows settings and rules. Given to
 * child_start() it is carried out by one of three engines:
 *
 *   bwrap        bubblewrap, where it is installed
 *   namespaces   the same by ourselves: mounts, processes and network of its own
 *   landlock     where there are no namespaces. Weaker: sandbox_gaps() says what is not held
 *
 * and always by a seccomp filter. A plan that cannot be carried out is a child that does
 * not start; nothing is ever left out in silence.
 *
 * Files. The child reads everything and writes nothing, but for what the plan says. Of what
 * it says about writing, what forbids wins; of what it says about reading, the longer path,
 * and of two equal ones that which forbids. A file that must not be written can neither be
 * replaced, moved away nor made when it is not there yet, and nor can the directories and
 * links on the way to it: a missing one is held by an empty one in its place (see
 * sandbox_mask.h), which is gone again when the child is. What must not be read cannot be
 * moved away either. What may be written or read is only what is reached by no link that a
 * child could have put there.
 *
 * One gap stays: when somebody outside replaces a forbidden *file* (not directory) by
 * renaming another over it, the new one is not held in children that run already.
 *
 * Processes. The child sees none but its own, and all end when it does: its first process
 * is a small one of ours, so a signal that killed the child is told as an exit code of 128
 * and the signal.
 *
 * Network. Without any, or through the one socket that `on_listener` is given: 127.0.0.1
 * port SANDBOX_PORT in there, to which the usual variables point. There is no name service. */
#ifndef AWL_SANDBOX_POLICY_H
#define AWL_SANDBOX_POLICY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "sys/confinement.h"

enum sandbox_engine {
	SANDBOX_AUTO, /* the first of these that can do what the plan says */
	SANDBOX_BWRAP,
	SANDBOX_NAMESPACES,
	SANDBOX_LANDLOCK,
	SANDBOX_ENGINES,
};
const char *sandbox_engine_name(enum sandbox_engine engine);

/* What the kernel and the machine allow, found out by trying: about a millisecond. Ask
 * once and keep the answer. */
struct sandbox_host {
	char *bwrap;      /* its path; NULL: not there, or it does not work */
	bool namespaces;  /* ours can be made */
	bool own_proc;    /* ... and a /proc in them; containers often forbid that */
	bool counts_pids; /* a sandbox can be held to a number of processes, root's too */
	int landlock;     /* the version; 0: none */
	bool seccomp;
	struct err why; /* there are no namespaces; ERR_NONE: there are */
};
/* `bwrap` is where to find it; NULL: in PATH. */
void sandbox_host_probe(struct sandbox_host *host, const char *bwrap);
void sandbox_host_clear(struct sandbox_host *host);
/* Appends what can be enforced here, a line each, for people. */
void sandbox_host_describe(struct str *out, const struct sandbox_host *host);

enum sandbox_net { SANDBOX_NET_NONE, SANDBOX_NET_PROXY, SANDBOX_NET_FULL };
enum { SANDBOX_PORT = 3128 };

/* A listening socket in the child's network; the callee's to close. From inside of libuv's
 * callback: take it, and decide later. */
typedef void sandbox_listener_fn(void *arg, int listener);

struct sandbox {
	const struct sandbox_host *host; /* never NULL */
	enum sandbox_engine engine;

	/* Absolute, normal paths; NULL-terminated lists, NULL: empty. Links in them are
	 * followed. A '/' at the end of a missing one says that it would be a directory. */
	const char *const *write;      /* with all below; those that are missing do not count */
	const char *const *deny_write; /* with all below, missing or not */
	const char *const *keep;       /* the same, but only where they exist */
	const char *const *deny_read;
	const char *const *allow_read;
	const char *temp_dir; /* may be written, and is TMPDIR; NULL: none */
	bool any_file;        /* none of this: files are as they are outside */

	enum sandbox_net net;
	/* For SANDBOX_NET_PROXY: the socket is there; the child is not any more. Both are called
	 * or none. */
	sandbox_listener_fn *on_listener, *on_listener_end;
	void *listener_arg; /* outlives the child */
	/* A program for what bubblewrap does not do inside (the socket, max_processes): run as
	 * `helper sandbox-inside WORDS...` it calls sandbox_inside(words), which becomes the
	 * command. NULL: there is none, and another engine is taken if there is one. */
	const char *helper;
	bool unix_sockets; /* may talk to programs outside by them */

	const char *const *unset; /* variables that it does not get */
	/* 0: no limit. Of memory and file size, in bytes; of processor time, in seconds. */
	uint64_t max_processes, max_memory, max_file, max_cpu;
	uint64_t max_files; /* open at a time, in each process */
	bool nested;        /* does without a /proc of its own where that is forbidden */
};

/* What a plan says that is not held, on this machine and with the engine it gets. */
enum sandbox_gap {
	SANDBOX_GAP_PROTECTED = 1 << 0, /* deny_write and keep inside of `write` */
	SANDBOX_GAP_LINKS = 1 << 1,     /* links on the way to these can be replaced */
	SANDBOX_GAP_PROXY = 1 << 2,     /* no network in place of a proxy */
	SANDBOX_GAP_PROC = 1 << 3,      /* it sees the processes outside, and cannot touch them */
	SANDBOX_GAP_COUNT = 1 << 4,     /* max_processes */
	SANDBOX_GAP_SIGNALS = 1 << 5,   /* it can signal the user's other processes */
	SANDBOX_GAP_DAEMONS = 1 << 6,   /* what leaves its session lives on until we end */
	SANDBOX_GAP_PIPES = 1 << 7,     /* it can write to named pipes outside */
	SANDBOX_GAP_MODES = 1 << 8,     /* it can change mode and times of the user's files */
	SANDBOX_GAP_DOUBT = 1 << 9,     /* less is permitted: it could turn links on the way */
};
enum { SANDBOX_GAPS = 10 };                         /* how many there are */
const char *sandbox_gap_text(enum sandbox_gap gap); /* one bit; a sentence, no full stop */

/* The engine that will carry it out, and its gaps. Fails (ERR_UNSUPPORTED) when none can,
 * or not the one that the plan names, saying why. Looks at the file system. */
must_use bool sandbox_choose(const struct sandbox *plan, enum sandbox_engine *engine,
			     unsigned *gaps, struct err *err);

/* For child_start(): the data is a struct sandbox. */
extern const struct confinement_type sandbox_confinement;

/* Appends the plan, a line for each thing it says, in a form that only changes with it. */
void sandbox_describe(struct str *out, const struct sandbox *plan);

/* Appends the environment of the child: `env` without what is unset, and with where the
 * network and the directory for temporary files are. NULL-terminated; borrows from `env`,
 * and what is new is in `arena`. */
typedef VEC(const char *) sandbox_env;
void sandbox_make_env(sandbox_env *out, const struct sandbox *plan, const char *const *env,
		      struct arena *arena);

/* What the helper does: see `helper` above. Returns an exit status when it cannot. */
int sandbox_inside(char **words);

#endif
