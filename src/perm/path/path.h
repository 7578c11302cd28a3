/* path.h - paths, and the patterns of rules about them. They are compared by whole components:
 * /w/proj is not inside /w/pro.
 *
 * Patterns are those of .gitignore, and match everything below a match:
 *
 *   //etc/hosts   from the root
 *   ~/notes       from the home directory
 *   /src/gen      from where its rule belongs: a project, or a working directory
 *   ./x  ../y     from a working directory, and from its parent
 *   src/gen       likewise, because of the slash in the middle
 *   .env          any depth below a working directory
 *   gen/          the same, for directories only
 *
 * Patterns of rules that forbid match in any letter case and Unicode form, because some file
 * systems treat those as the same file. */
#ifndef AWL_PERM_PATH_PATH_H
#define AWL_PERM_PATH_PATH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* Absolute, and without an empty, "." or ".." component or a NUL byte. */
bool path_is_normal(struct sv path);

/* `path` seen from the directory `dir` (normal), with "." and ".." removed as if no component were
 * a link: normal, in `arena`. */
struct sv path_join(struct sv dir, struct sv path, struct arena *arena);

/* The directory that contains a normal path; "/" for "/". */
struct sv path_parent(struct sv path);

/* Whether `path` is `dir` or below it; both normal. */
bool path_is_inside(struct sv path, struct sv dir);

/* Whether it starts with a link in /proc to a directory of a process: "/proc/self/cwd". `*end` is
 * where the link ends, `*is_own` whether it belongs to the process that opens it. */
bool path_is_of_process(struct sv path, size_t *end, bool *is_own);

/* Whether a file there could change what runs later without a question: git hooks, start-up files
 * of shells, settings of editors, agents, package managers and CI. `*what` is the part of the path
 * that makes it so. In any letter case. */
bool path_is_protected(struct sv path, struct sv *what);

/* Whether everybody may know what is there: facts about the machine, headers of the system. With
 * `only_names`, the names in such directories as /tmp, too. */
bool path_is_public(struct sv path, bool only_names);

/* What patterns are relative to. */
struct path_scope {
	const struct sv *dirs; /* where relative patterns start */
	size_t n;
	struct sv home;
	bool wide; /* in doubt it matches: for rules that forbid */
	size_t *steps;
	struct sv root; /* where "/x" starts; empty: where relative patterns do */
};

/* Fails (ERR_INVALID) for a pattern that could never match as intended; with an empty `home`, also
 * for a "~/" pattern. */
must_use bool path_pattern_check(struct sv pattern, struct sv home, struct err *err);

/* Whether it matches `path` (normal) or a directory above it. `is_dir`: `path` may be a directory.
 * Once scope->steps is 0 the answer is scope->wide. */
bool path_matches(const struct path_scope *scope, struct sv pattern, struct sv path, bool is_dir);

/* Whether it may match something below the directory `dir` (normal), without looking there. */
bool path_matches_below(const struct path_scope *scope, struct sv pattern, struct sv dir);

#endif
