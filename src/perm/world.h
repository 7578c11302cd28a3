/* world.h - what a decision has to know about the machine: links, names in directories,
 * repositories. The caller provides it, so everything else in src/perm is a pure function, and a
 * test can provide any machine. */
#ifndef AWL_PERM_WORLD_H
#define AWL_PERM_WORLD_H

#include "base/arena.h"
#include "base/str.h"

/* Whether git would run programs that the repository itself names. */
enum world_repo { REPO_PLAIN, REPO_RUNS_PROGRAMS };

struct perm_world {
	void *arg;
	/* The real path of `path`, which is absolute and may contain ".." in the kernel's sense, after
	 * the links before it. Every link is resolved as far as the path exists; normal, in `arena`;
	 * "/" when links lead in circles. A link of a process (path_is_of_process) is not resolved. */
	struct sv (*real)(void *arg, struct sv path, struct arena *arena);
	/* Calls `each` with every name in the directory but "." and "..", until it returns false. Does
	 * nothing if the directory can't be read. */
	void (*list)(void *arg, struct sv dir, bool (*each)(void *to, struct sv name), void *to);
	/* Whether `path`, with ".." as in real(), is a directory or a link to one. */
	bool (*is_directory)(void *arg, struct sv path);
	/* The work tree (or bare repository) that git would use in `dir`, in `arena`; empty: none. A
	 * NULL `kind` saves the look into its configuration. */
	struct sv (*repository)(void *arg, struct sv dir, enum world_repo *kind,
				struct arena *arena);
	/* Appends the bytes of a file that has no more than `max`; false if that is not possible. */
	bool (*read)(void *arg, struct sv path, size_t max, struct str *out);
	/* Whether a name in the index of the repository around `dir` is a hit; true as well when
	 * nobody can tell. Names are relative to the top of the work tree. */
	bool (*tracks)(void *arg, struct sv dir, bool (*is_hit)(void *to, struct sv name),
		       void *to);
};

#endif
