/* git_worktree_fill.h - private to git_worktree.c: files that git does not put into a new worktree. Blocks: for a
 * worker. */
#ifndef AWL_STORE_GIT_GIT_WORKTREE_FILL_H
#define AWL_STORE_GIT_GIT_WORKTREE_FILL_H

#include "base/err.h"
#include "base/str.h"

/* Copies the files of `wanted` that are not in `visible` from the main checkout; a NUL ends each name. Only regular
 * files of at most LIMIT_WORKTREE_FILE bytes, and only to places inside `to`, whatever links there are. A file that
 * exists stays. Fails on a full disk and the like. */
must_use bool git_worktree_copy(const char *from, const char *to, struct sv wanted,
				struct sv visible, struct err *err);

/* Makes a link in `to` for each of these directories of the main checkout. A NUL ends each name. */
must_use bool git_worktree_link(const char *from, const char *to, struct sv names, struct err *err);

/* Whether `name` is such a link. */
bool git_worktree_is_link(const char *from, const char *to, struct sv name);
/* Removes the links again. */
must_use bool git_worktree_unlink(const char *from, const char *to, struct sv names,
				  struct err *err);

#endif
