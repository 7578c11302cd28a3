/* fs_real.h - private to src/sys/real: what the files of fs share. */
#ifndef AWL_SYS_REAL_FS_REAL_H
#define AWL_SYS_REAL_FS_REAL_H

#include <sys/stat.h>

#include "sys/fs.h"
#include "sys/real/fd.h"

enum fs_kind fs_kind_of(mode_t mode);

/* Refuses anything but a regular file. */
must_use bool fs_check_regular(const struct stat *st, const char *path, struct err *err);

/* The directory that holds the last part of a path, and that part. */
struct fs_place {
	int dir;
	char *name;
	bool exists;
	struct stat st; /* when it exists; never of a link */
};

#define FS_PLACE_INIT      \
	{                  \
		.dir = -1, \
	}

/* Follows links until the last part is none. It need not exist, its directory
 * must. The place stays the same however directories above it are renamed. */
must_use bool fs_place_find(struct fs_place *out, const char *path, struct err *err);
void fs_place_clear(struct fs_place *place);

#endif
