/* policy.h - what a sandboxed command may do, and what this machine can enforce.
 *
 * A `struct sandbox_policy` is plain data. config.c derives it from settings and rules; tests
 * write it down. As the data of a confinement (sys/confinement.h) it is enforced by one of three
 * engines:
 *
 *   bwrap        bubblewrap, where it is installed. On systems whose security policy grants user
 *                namespaces only to programs with a profile, it is the only one with mounts.
 *   namespaces   our own mounts, processes and network, without another program
 *   landlock     where there are no namespaces. Weaker: sandbox_choose_engine() lists the gaps
 *
 * and always by a seccomp filter as well. A policy that cannot be enforced makes the start of
 * the command fail. Nothing is dropped silently.
 *
 * Files. The command may read everything and write nothing, except as the policy says. For
 * writing, a denial always wins. For reading, the longer path wins, and of two equal paths the
 * denial. A path that must not be written can neither be replaced nor moved away, and a missing
 * one cannot be created. The same holds for the directories and symbolic links on the way to it.
 * For a missing path an empty placeholder stands in (engines/placeholder.h) until the command
 * has ended. A path that must not be read cannot be moved away either. A symbolic link that a
 * command could have made never extends what may be written or read.
 *
 * One gap remains: when a process outside replaces a protected *file* (not a directory) by
 * renaming another file over it, commands that are already running can write to the new file.
 *
 * Processes. The command sees only the processes of its own sandbox, and all of them end when it
 * does. The first process in there is a small one of ours, so a command killed by a signal is
 * reported as exit code 128 plus the signal.
 *
 * Network. Either none, or only through the socket passed to `on_listener`: inside, that is
 * 127.0.0.1 port SANDBOX_PORT, and the usual proxy variables point there. Inside there is no
 * name resolution. */
#ifndef AWL_SANDBOX_POLICY_H
#define AWL_SANDBOX_POLICY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "sys/confinement.h"

enum sandbox_engine {
	SANDBOX_AUTO, /* the best of the others that can enforce the policy */
	SANDBOX_BWRAP,
	SANDBOX_NAMESPACES,
	SANDBOX_LANDLOCK,
	SANDBOX_ENGINES,
};
const char *sandbox_engine_name(enum sandbox_engine engine);

/* What this machine can enforce. Found out by trying, which takes about a millisecond: probe
 * once and keep the result. */
struct sandbox_support {
	char *bwrap;      /* path of bubblewrap; NULL: not installed, or it does not work */
	bool namespaces;  /* we may create namespaces ourselves */
	bool own_proc;    /* ... and mount a /proc in them; containers often deny that */
	bool counts_pids; /* the number of processes can be limited even for root */
	int landlock;     /* the version; 0: none */
	bool seccomp;
	struct err why; /* why there are no namespaces; ERR_NONE: there are */
};
/* `bwrap` is where to find bubblewrap; NULL: in a directory of `path`, or if that is NULL, of PATH of
 * this process. */
void sandbox_support_probe(struct sandbox_support *support, const char *bwrap, const char *path);
void sandbox_support_clear(struct sandbox_support *support);
/* Appends what can be enforced here, one line per mechanism, for people. */
void sandbox_support_describe(struct str *out, const struct sandbox_support *support);

enum sandbox_net { SANDBOX_NET_NONE, SANDBOX_NET_PROXY, SANDBOX_NET_FULL };
enum { SANDBOX_PORT = 3128 };

/* Receives a socket that listens in the network of the command. Called from inside libuv's
 * callback, so the callee should only take the socket. */
typedef void sandbox_listener_fn(void *arg, int listener);

struct sandbox_policy {
	const struct sandbox_support *support; /* never NULL */
	enum sandbox_engine engine;

	/* Absolute, normalized paths, each with everything below it. The lists end with NULL; a
	 * NULL list is empty. Symbolic links in the paths are followed. A '/' at the end of a
	 * missing path says that it would be a directory. */
	const char *const *write;               /* missing paths are ignored */
	const char *const *deny_write;          /* missing paths cannot be created */
	const char *const *deny_write_existing; /* missing paths are ignored */
	const char *const *deny_read;
	const char *const *allow_read;
	const char *temp_dir; /* writable, and TMPDIR; NULL: none */
	bool any_file;        /* ignore the above: files are as accessible as outside */

	enum sandbox_net net;
	/* For SANDBOX_NET_PROXY: the socket has arrived; the command has ended. Either both are
	 * called or neither. The callee of `on_listener` owns the socket. */
	sandbox_listener_fn *on_listener, *on_listener_end;
	void *listener_arg;       /* outlives the command */
	const char *const *hosts; /* that the proxy allows; NULL: none */
	/* A program that does what bubblewrap cannot do inside (create the socket, limit the
	 * processes, apply Landlock). It runs as `helper sandbox-inside WORDS...` and calls
	 * sandbox_helper_main(WORDS), which becomes the command. NULL: none. */
	const char *helper;
	bool unix_sockets; /* may connect to programs outside through Unix sockets */

	const char *const *unset; /* variables to remove from the environment */
	/* 0: unlimited. For root see sandbox_least_processes(). */
	uint64_t max_processes;
	uint64_t max_memory; /* in bytes, per process */
	uint64_t max_files;  /* open at the same time, per process */
	bool nested;         /* accept to run without a /proc of its own */
};

/* What the chosen engine does not enforce of a policy on this machine. */
enum sandbox_gap {
	SANDBOX_GAP_PROTECTED = 1 << 0, /* deny_write below `write` */
	SANDBOX_GAP_LINKS = 1 << 1,     /* links on the way to those can be replaced */
	SANDBOX_GAP_PROXY = 1 << 2,     /* no network at all instead of a filtered one */
	SANDBOX_GAP_PROC = 1 << 3,      /* processes outside are visible, but out of reach */
	SANDBOX_GAP_COUNT = 1 << 4,     /* max_processes */
	SANDBOX_GAP_SIGNALS = 1 << 5,   /* the user's other processes can be signalled */
	SANDBOX_GAP_DAEMONS = 1 << 6,   /* processes that leave the session live until we end */
	SANDBOX_GAP_PIPES = 1 << 7,     /* named pipes outside can be written to */
	SANDBOX_GAP_MODES = 1 << 8,     /* mode and times of the user's files can be changed */
	SANDBOX_GAP_DOUBT = 1 << 9,     /* an allowed path is ignored: it is reached by a link
					 * that a command could replace */
};
enum { SANDBOX_GAPS = 10 };                         /* how many there are */
const char *sandbox_gap_text(enum sandbox_gap gap); /* of one bit; a sentence, no full stop */

/* The kernel does not count the processes of root. Their process numbers can be limited instead, but
 * the kernel accepts no smaller limit than this number of processes. Others get any number. */
uint64_t sandbox_least_processes(void);

/* Chooses the engine that will enforce the policy, and lists its gaps. Fails (ERR_UNSUPPORTED)
 * when no engine can, or not the one that the policy names. Reads the file system. */
must_use bool sandbox_choose_engine(const struct sandbox_policy *policy,
				    enum sandbox_engine *engine, unsigned *gaps, struct err *err);

/* For child_start(). The data is a struct sandbox_policy. */
extern const struct confinement_type sandbox_confinement_type;

/* Appends the policy, one line per fact. Equal policies give equal text. */
void sandbox_policy_describe(struct str *out, const struct sandbox_policy *policy);

/* Appends the environment of the command: `env` without the unset variables, plus those for the
 * proxy and the temporary directory, plus a final NULL. Borrows from `env`; new strings are in
 * `arena`. */
typedef VEC(const char *) sandbox_env;
void sandbox_policy_env(sandbox_env *out, const struct sandbox_policy *policy,
			const char *const *env, struct arena *arena);

/* The main function of the helper; see `helper` above. Returns an exit status on failure. */
int sandbox_helper_main(char **words);

#endif
