/* fs_real.h - private to src/sys: shared by the files of src/sys/fs. */
#ifndef AWL_SYS_FS_FS_REAL_H
#define AWL_SYS_FS_FS_REAL_H

#include <sys/stat.h>

#include "sys/fd.h"
#include "sys/fs.h"

enum fs_kind fs_kind_of(mode_t mode);

struct fs_info fs_info_of(const struct stat *st);

/* Refuses everything but a regular file. */
must_use bool fs_check_regular(const struct stat *st, const char *path, struct err *err);

/* Opens for reading what fstatat() has found to be a regular file, and refuses it if it no longer
 * is one. The caller always closes `*fd`. */
must_use bool fs_open_regular(int *fd, struct stat *st, int dir, const char *name, int flags,
			      const char *path, struct err *err);
/* Appends everything that can be read from `fd`; `size` is a hint. */
must_use bool fs_read_fd(struct str *out, int fd, int64_t size, const char *path, size_t max,
			 struct err *err);
/* Takes `fd`. */
struct fs_file *fs_file_new(int fd, const char *path);

/* Takes `fd`, a directory. Returns errno, or 0. */
must_use int fs_walk_fd(int fd, fs_visit_fn *visit, void *arg);

/* The directory that contains the last component of a path, and that component. */
struct fs_place {
	int dir;
	char *name;
	bool exists;
	struct stat st; /* if it exists; never of a link */
};

#define FS_PLACE_INIT      \
	{                  \
		.dir = -1, \
	}

/* Follows links until the last component is not a link. It need not exist, but its directory must.
 * The place stays the same when directories above it are renamed. */
must_use bool fs_place_find(struct fs_place *out, const char *path, struct err *err);
void fs_place_clear(struct fs_place *place);

/* Does the work of fs_write(). Afterwards `at->st` describes the written file. With `exact` it
 * fails with ERR_STALE unless what is there is still `at->st`, or still nothing. */
must_use bool fs_place_write(struct fs_place *at, struct sv bytes, struct fs_write how, bool exact,
			     const char *path, struct err *err);
/* Whether what is there is still `at->st`, or still nothing. */
bool fs_place_is_same(const struct fs_place *at);
/* Fills the error for when it is not. */
bool fs_stale(const char *path, struct err *err);

/* Gives the file `to` the owner, attributes, ACL and mode of the file `from`, whose status is `st`.
 * Returns the errno of the first that cannot be set, or 0. To be called before `to` is written: the
 * kernel then drops what it would have dropped from `from`. */
must_use int fs_attrs_copy(int to, int from, const struct stat *st);

#endif
