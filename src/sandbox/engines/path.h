/* sandbox_path_resolve.h - private to src/sys/real: where a path of a policy leads now. */
#ifndef AWL_SANDBOX_ENGINES_PATH_H
#define AWL_SANDBOX_ENGINES_PATH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct sandbox_path {
	/* Without links: the place itself, or the first component of it that is missing; in
	 * the arena. Of what may not even be looked at, the directory that forbids it. */
	const char *path;
	bool missing, is_dir;    /* a missing one: whether it would be a directory */
	bool beyond;             /* it would be below a file, which is `path` then */
	VEC(const char *) links; /* met on the way; in the arena */
};

/* `path` is absolute. Fails on links that lead in a circle. */
must_use bool sandbox_path_resolve(struct sandbox_path *out, const char *path, struct arena *arena,
				   struct err *err);
void sandbox_path_clear(struct sandbox_path *path);

/* Opens a directory by its path, absolute, following no link; -1, with errno, when there is
 * one in it. */
int sandbox_path_open_dir(struct sv path);

/* What is at an absolute path, a link too, but following none on the way; errno says why not. */
struct statx;
must_use bool sandbox_path_stat(const char *path, struct statx *out);

/* Whether `path` is `dir` or below; both without links. */
bool sandbox_path_is_inside(const char *path, const char *dir);

#endif
