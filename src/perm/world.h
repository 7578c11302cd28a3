/* world.h - what a decision must know of the machine, asked of whoever makes it: links,
 * names in directories, repositories. So that everything else in src/perm stays a pure
 * function of what it is given, and a test can give it any machine. */
#ifndef AWL_PERM_WORLD_H
#define AWL_PERM_WORLD_H

#include "base/arena.h"

/* Whether git run in a repository would run programs that the repository itself names. */
enum world_repo { REPO_PLAIN, REPO_RUNS_PROGRAMS };

struct perm_world {
	void *arg;
	/* `path` is absolute and may hold "..", which is meant as the kernel means it: after the
	 * links before it. Gives the place with every link resolved as far as it exists, normal,
	 * in `arena`; "/" when links lead in circles. What is behind a link of a process
	 * (path_is_of_process) stays as it is. */
	struct sv (*real)(void *arg, struct sv path, struct arena *arena);
	/* Calls `each` with every name in the directory but "." and ".."; stops when that returns
	 * false. Nothing when it cannot be read. */
	void (*list)(void *arg, struct sv dir, bool (*each)(void *to, struct sv name), void *to);
	/* Whether `path`, which may hold ".." as in real(), is a directory or a link to one. */
	bool (*is_directory)(void *arg, struct sv path);
	/* The work tree (or bare repository) that git would use in `dir`, in `arena`; empty when
	 * there is none. `kind` may be NULL, which spares to look into it. */
	struct sv (*repository)(void *arg, struct sv dir, enum world_repo *kind,
				struct arena *arena);
};

#endif
