/* image.h - private to src/sandbox: the image of a sandbox (see sys/confinement.h), made by job.c
 * and used by enter.c in the new process. That process may only call async-signal-safe functions,
 * so everything is decided here already.
 *
 * Strings are offsets from the beginning of the image. */
#ifndef AWL_SANDBOX_ENGINES_IMAGE_H
#define AWL_SANDBOX_ENGINES_IMAGE_H

#include <sys/types.h>

#include "sandbox/engines/mounts.h"

struct image_mount {
	enum mount_kind kind;
	uint32_t path;
	bool is_dir;
	/* For SANDBOX_BWRAP: the file that was there when the policy was read. Not for hidden
	 * files. */
	uint32_t device_major, device_minor;
	uint64_t inode;
};

struct engine_image {
	enum sandbox_engine engine;
	/* For SANDBOX_NAMESPACES. */
	uid_t uid;
	gid_t gid;
	bool base_rw, any_file; /* see struct sandbox_mounts, struct sandbox_policy */
	bool own_net, listens, own_proc;
	bool has_helper;  /* for SANDBOX_BWRAP: a helper checks the mounts */
	bool follows_cwd; /* ... and follows the working directory */
	uint32_t pid_max; /* 0: not limited */
	uint32_t cwd;
	uint64_t rules; /* the rights that its Landlock rules handle */

	uint32_t filter_size; /* bytes in SANDBOX_FD_FILTER */
	uint64_t max_processes, max_memory, max_files;
	uint32_t nmounts;
	struct image_mount mounts[];
};

/* Where setting up failed. With SANDBOX_AT_TREE and SANDBOX_AT_MOUNT comes the number of a mount.
 */
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
	SANDBOX_AT_DESCRIPTORS,
	SANDBOX_STEPS,
};

/* The descriptors of the image: the seccomp filter, the Landlock rules, and a socket through which
 * the listening socket is sent back. */
enum { SANDBOX_FD_FILTER, SANDBOX_FD_RULES, SANDBOX_FD_LINK };

/* The descriptors of bubblewrap, which the helper inherits. */
enum {
	SANDBOX_BWRAP_FILTER = 3,
	SANDBOX_BWRAP_LINK,
	SANDBOX_BWRAP_RULES,
	SANDBOX_BWRAP_PROGRAM,
	SANDBOX_BWRAP_FINAL_CWD, /* only with `follows_cwd` */
};

static inline const char *image_text(const struct engine_image *program, uint32_t offset)
{
	return (const char *)program + offset;
}

#endif
