/* path.h - where a path is, and whether a rule's pattern speaks of it. By whole
 * components of real paths: /w/proj is not inside /w/pro.
 *
 * Patterns are those of .gitignore, and what they match includes all below it:
 *
 *   //etc/hosts   from the root
 *   ~/notes       from the home directory
 *   /src/gen      from where its rule belongs: a project, or a working directory
 *   ./x  ../y     from a working directory, and from its parent
 *   src/gen       likewise, because of the slash in the middle
 *   .env          any depth below a working directory
 *   gen/          the same, for directories only
 *
 * Of a rule that forbids they match in any letter case and Unicode form, since there are file
 * systems to which those are the same file. */
#ifndef AWL_PERM_PATH_PATH_H
#define AWL_PERM_PATH_PATH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* Absolute, and without an empty, "." or ".." component or a NUL byte. */
bool path_is_normal(struct sv path);

/* `path` as seen from the directory `dir` (normal), and what "." and ".." in it mean when no
 * component is a link: in `arena`, normal. */
struct sv path_join(struct sv dir, struct sv path, struct arena *arena);

/* The directory a normal path is in; of "/" itself. */
struct sv path_parent(struct sv path);

/* Whether `path` is `dir` or below it; both normal. */
bool path_is_inside(struct sv path, struct sv dir);

/* Whether it begins with a link in /proc that leads where the process is that looks at it, or
 * another: "/proc/self/cwd". `*end` is where that ends, `*is_own` whether it is the former. */
bool path_is_of_process(struct sv path, size_t *end, bool *is_own);

/* Whether a file there could change what runs later without being asked about: git
 * hooks, start-up files of shells, settings of editors, agents, package managers
 * and CI. Then `*what` is the name that says so. In any letter case. */
bool path_is_protected(struct sv path, struct sv *what);

/* What a pattern is judged with. */
struct path_scope {
	const struct sv *dirs; /* where relative patterns begin */
	size_t n;
	struct sv home;
	bool wide; /* in doubt, it matches: for rules that forbid */
	size_t *steps;
	struct sv root; /* where "/x" begins; empty: as the relative ones */
};

/* Fails (ERR_INVALID) on one that could never match as it is meant: with an empty
 * `home`, also on one from there. */
must_use bool path_pattern_check(struct sv pattern, struct sv home, struct err *err);

/* Whether it matches `path` (normal) or a directory above. `is_dir`: `path` may be
 * a directory itself. Once scope->steps is 0 the answer is scope->wide. */
bool path_matches(const struct path_scope *scope, struct sv pattern, struct sv path, bool is_dir);

/* Whether it could match something below the directory `dir` (normal), as far as can
 * be told without looking. */
bool path_matches_below(const struct path_scope *scope, struct sv pattern, struct sv dir);

#endif
