/* path.h - private to src/sandbox: what a path of a policy refers to now. */
#ifndef AWL_SANDBOX_ENGINES_PATH_H
#define AWL_SANDBOX_ENGINES_PATH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct sandbox_path {
	/* Without symbolic links: the file itself, or its first missing component; in the arena.
	 * When a directory cannot be entered, that directory. */
	const char *path;
	bool missing, is_dir;    /* of a missing one: whether it would be a directory */
	bool beyond;             /* it would be below a file; `path` is that file */
	VEC(const char *) links; /* followed on the way; in the arena */
};

/* `path` is absolute. Fails on a cycle of links. */
must_use bool sandbox_path_resolve(struct sandbox_path *out, const char *path, struct arena *arena,
				   struct err *err);
void sandbox_path_clear(struct sandbox_path *path);

/* Opens a directory by its absolute path without following any link; -1, with errno, when it
 * contains one. */
int sandbox_path_open_dir(struct sv path);

/* Returns what is at an absolute path without following any link. Sets errno on failure. */
struct statx;
must_use bool sandbox_path_stat(const char *path, struct statx *out);

/* Whether `path` is `dir` or below it. Neither contains links. */
bool sandbox_path_is_inside(const char *path, const char *dir);

#endif
