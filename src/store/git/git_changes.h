/* git_changes.h - what has changed below a directory since the last commit, for people. */
#ifndef AWL_STORE_GIT_GIT_CHANGES_H
#define AWL_STORE_GIT_GIT_CHANGES_H

#include "sys/op.h"

struct str;

/* Appends the files with the number of changed lines, the untracked files and the patch to `out`, at
 * most LIMIT_GIT_KEPT bytes, or that nothing has changed. `dir` is in a repository and `env` is
 * the environment of the user's programs. Runs git as git.h describes. Fails, with `out` unchanged,
 * when there is no repository and when git cannot tell. */
struct op *git_changes_start(struct loop *loop, const char *dir, const char *const *env,
			     struct str *out, struct then then);

#endif
