/* mounts.h - private to src/sandbox: the file part of a policy as a list of mounts. Both engines
 * that have mounts follow this list, so they enforce the same.
 *
 * The base is the whole file system, read-only (or unchanged when the policy makes all of it
 * writable). The list has a mount wherever the access changes, parents before children. It also has
 * every writable directory above a path that must not be written or read: a mount point cannot be
 * renamed, so the protected file cannot be moved away to a place where the next sandbox would not
 * protect it.
 *
 * Symbolic links in a policy are followed, with one exception: a link that commands can replace
 * never leads to something that they may write or read. */
#ifndef AWL_SANDBOX_ENGINES_MOUNTS_H
#define AWL_SANDBOX_ENGINES_MOUNTS_H

#include "sandbox/policy.h"

enum mount_kind {
	MOUNT_RW, /* as outside */
	MOUNT_RO,
	MOUNT_HIDE_DIR,
	MOUNT_HIDE_FILE,
	MOUNT_LINK, /* the link itself, so that it cannot be replaced */
};

struct sandbox_mount {
	enum mount_kind kind;
	const char *path; /* without symbolic links */
	bool missing;     /* needs a placeholder first */
	bool is_dir;
};

struct sandbox_mounts {
	struct arena arena;              /* for all paths */
	VEC(struct sandbox_mount) list;  /* sorted */
	VEC(const char *) roots;         /* writable; real paths */
	VEC(const char *) hidden, shown; /* for reading; real paths */
	bool base_rw;                    /* the base is writable */
	bool protects,
		has_links; /* a mount that is not MOUNT_RW lies inside MOUNT_RW; a MOUNT_LINK */
	bool has_doubtful; /* an allowed path was ignored because of a link on the way */
};

#define SANDBOX_MOUNTS_INIT      \
	{                        \
		.list = VEC_INIT \
	}

/* Parts of /proc through which root could control the whole machine even without capabilities.
 * Read-only in every sandbox, where they exist. */
enum { SANDBOX_READONLY_PROC = 11 };
extern const char *const sandbox_readonly_proc[SANDBOX_READONLY_PROC];

/* Reads the file system. Fails (ERR_TOO_BIG) past LIMIT_SANDBOX_PATHS. */
must_use bool sandbox_mounts_make(struct sandbox_mounts *out, const struct sandbox_policy *policy,
				  struct err *err);
void sandbox_mounts_clear(struct sandbox_mounts *mounts);

#endif
