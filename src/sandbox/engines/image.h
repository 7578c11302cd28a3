/* sandbox_program.h - private to src/sys/real: a sandbox as the guard carries it out, on the
 * way from our side (sandbox_job.c) to the first process in there (sandbox_enter.c), which
 * may call nothing but async-signal-safe functions: everything is decided before.
 *
 * Texts are offsets from its beginning. */
#ifndef AWL_SANDBOX_ENGINES_IMAGE_H
#define AWL_SANDBOX_ENGINES_IMAGE_H

#include <sys/types.h>

#include "sandbox/engines/mounts.h"

struct image_mount {
	enum mount_kind kind;
	uint32_t path;
	bool is_dir;
	/* Of SANDBOX_BWRAP: what was there when it was decided, unless it is hidden. */
	uint32_t device_major, device_minor;
	uint64_t inode;
};

struct engine_image {
	enum sandbox_engine engine;
	/* Of SANDBOX_NAMESPACES. */
	uid_t uid;
	gid_t gid;
	bool base_rw, any_file; /* see struct sandbox_mounts, struct sandbox_policy */
	bool own_net, listens, own_proc;
	bool has_helper;  /* of SANDBOX_BWRAP, to look at what was made of it */
	uint32_t pid_max; /* 0: as it is */
	uint32_t cwd;
	uint64_t rules; /* what its Landlock rules are about: allowed in /dev and /proc, too */

	uint32_t filter_size; /* bytes behind GUARD_FD_FILTER */
	uint64_t max_processes, max_memory, max_file, max_cpu, max_files;
	uint32_t nmounts;
	struct image_mount mounts[];
};

/* Where making one failed; the number of a mount comes with SANDBOX_AT_MOUNT. */
enum engine_step {
	SANDBOX_AT_IDS,
	SANDBOX_AT_TREE,
	SANDBOX_AT_BASE,
	SANDBOX_AT_PROC,
	SANDBOX_AT_DEV,
	SANDBOX_AT_MOUNT,
	SANDBOX_AT_NET,
	SANDBOX_AT_LISTEN,
	SANDBOX_AT_CWD,
	SANDBOX_AT_POWERS,
	SANDBOX_AT_LIMITS,
	SANDBOX_AT_RULES,
	SANDBOX_AT_FILTER,
	SANDBOX_STEPS,
};

/* The descriptors that come with it: the filter of system calls; the Landlock rules; a socket
 * through which the listening socket goes back. */
enum { SANDBOX_FD_FILTER, SANDBOX_FD_RULES, SANDBOX_FD_LINK };

/* Descriptors of bubblewrap, and of what it runs. */
enum {
	SANDBOX_BWRAP_FILTER = 3,
	SANDBOX_BWRAP_LINK,
	SANDBOX_BWRAP_RULES,
	SANDBOX_BWRAP_PROGRAM,
};

static inline const char *image_text(const struct engine_image *program, uint32_t offset)
{
	return (const char *)program + offset;
}

#endif
