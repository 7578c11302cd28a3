/* confinement.h - the interface by which somebody above src/sys restricts what a child may do
 * (src/sandbox does). child_start() and the guard process call it; they know nothing about what
 * the restrictions are.
 *
 *   our process                 the guard, or a process that it has just forked
 *   -----------                 ------------------------------------------------
 *   prepare()
 *   hand_over()   -- guard -->  clone_flags()
 *                               set_up()   in the first process, when there are clone flags
 *                               enter()    in the process that becomes the command
 *                               confinement_watch() in the first process
 *   explain()     <- failed --
 *   release()     <- ended ---
 *
 * The guard is a fork of our process, so pointers to functions and to static tables stay valid
 * in it. Pointers to anything allocated later do not: the guard may be older than the sandbox.
 * Whatever the right column needs therefore travels as a block of bytes without pointers (the
 * "image") and as descriptors.
 *
 * The functions of the right column run in a copy of a process that may have had threads. They
 * may only call async-signal-safe functions. Those that return bool set errno and `*at` when
 * they fail. */
#ifndef AWL_SYS_CONFINEMENT_H
#define AWL_SYS_CONFINEMENT_H

#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

struct child_opts;
struct loop;

enum { CONFINEMENT_FDS = 3 };

/* Where a function of the right column failed. Only explain() knows what the numbers mean. */
struct confinement_place {
	uint32_t step, item;
};

/* What prepare() made, as the right column sees it. */
struct confinement_image {
	const void *bytes;
	int file;       /* a file in memory with the same bytes */
	int final_cwd;  /* for confinement_watch(); -1: none */
	const int *fds; /* CONFINEMENT_FDS of them; -1 where there is none */
};

struct confinement_type {
	/* Appends what the child may do, one line per fact. */
	void (*describe)(struct str *out, const void *data);

	/* Makes everything ready for one child. May replace the argv and env of `opts`; those
	 * must then live until release(). NULL, with `err` set, when it cannot be done. */
	void *(*prepare)(const void *data, struct loop *loop, struct child_opts *opts,
			 struct err *err);
	/* Returns the image, borrowed, and moves the descriptors into `fds`. */
	struct sv (*hand_over)(void *prepared, int fds[CONFINEMENT_FDS]);
	/* Says why it could not be done. Returns false. */
	bool (*explain)(const void *prepared, struct confinement_place at, int errnum,
			struct err *err);
	/* Nothing of the child is left, or it never started. */
	void (*release)(void *prepared);

	/* The namespaces to clone the first process with. 0: there is no first process, and the
	 * one that becomes the command is started as any other child. */
	unsigned long (*clone_flags)(const void *image);
	/* Whether the process that the guard sees only watches over the command. It then gets no
	 * SIGTERM: it ends when the command does. */
	bool (*is_watched)(const void *image);
	bool (*set_up)(const struct confinement_image *image, struct confinement_place *at);
	bool (*enter)(const struct confinement_image *image, struct confinement_place *at);
};

/* For the parent of a command that it has started with confinement_clone(): waits for everything in
 * there, writes the directory in which the command ended to the file `final_cwd` (-1: none), and
 * exits with the command's status. Closes all other descriptors first. */
_Noreturn void confinement_watch(pid_t command, int final_cwd);
/* Forks. With `follow`, the kernel keeps one working directory for parent and child, so the parent
 * knows it even when the child has ended. The child ends with the parent. Returns as fork(). */
pid_t confinement_clone(bool follow);

/* How one child is confined. `data` is the type's own, and outlives the child. */
struct confinement {
	const struct confinement_type *type;
	const void *data;
};

/* Tries out whether a first process can be cloned and set up. Blocks until it has ended. On
 * failure `*errnum` says why, and `*at` where; `*cloned` is whether there was a process. */
must_use bool confinement_try(const struct confinement_type *type, const void *image, bool *cloned,
			      struct confinement_place *at, int *errnum);

#endif
