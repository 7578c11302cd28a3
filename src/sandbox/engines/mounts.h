/* sandbox_mounts_make.h - private to src/sys/real: what a policy says about files, as mounts that
 * make it so. Both engines with mounts of their own follow this list, so that they mean the
 * same.
 *
 * Beneath it all lies the file system read-only (or as it is, when the policy lets all of it
 * be written). A path is in the list where what may be done changes: parents come before
 * children. A directory on the way to something that must not be written or read is in it
 * too, as it is: being a mount it cannot be renamed, and what it holds moved away with it to
 * where the next sandbox would not look.
 *
 * Links of a policy are followed, but not everywhere: one that commands can replace never
 * leads to what they may write or see. */
#ifndef AWL_SANDBOX_ENGINES_MOUNTS_H
#define AWL_SANDBOX_ENGINES_MOUNTS_H

#include "sandbox/policy.h"

enum mount_kind {
	MOUNT_RW, /* as it is outside */
	MOUNT_RO,
	MOUNT_HIDE_DIR,
	MOUNT_HIDE_FILE,
	MOUNT_LINK, /* a link, as it is, so that it cannot be replaced */
};

struct sandbox_mount {
	enum mount_kind kind;
	const char *path; /* without links on the way */
	bool missing;     /* something has to be put there first: a directory, or a file */
	bool is_dir;
};

struct sandbox_mounts {
	struct arena arena;              /* of all paths */
	VEC(struct sandbox_mount) list;  /* in order */
	VEC(const char *) roots;         /* that may be written, real */
	VEC(const char *) hidden, shown; /* of reading, real */
	bool base_rw;                    /* beneath, too */
	bool protects, has_links;        /* not MOUNT_RW inside of MOUNT_RW; MOUNT_LINK */
	bool has_doubtful;               /* something is not permitted: links on the way to it */
};

#define SANDBOX_MOUNTS_INIT      \
	{                        \
		.list = VEC_INIT \
	}

/* Parts of /proc through which root, without any special powers, would reach the whole
 * machine: read-only in every sandbox, where they exist. */
enum { SANDBOX_READONLY_PROC = 11 };
extern const char *const sandbox_readonly_proc[SANDBOX_READONLY_PROC];

/* Looks at what is there now. Fails (ERR_TOO_BIG) past LIMIT_SANDBOX_PATHS. */
must_use bool sandbox_mounts_make(struct sandbox_mounts *out, const struct sandbox_policy *policy,
				  struct err *err);
void sandbox_mounts_clear(struct sandbox_mounts *mounts);

#endif
