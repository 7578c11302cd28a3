/* git_index.h - finds the submodules in the index of a repository. When git compares the
 * worktree, it enters each of them and uses its settings. */
#ifndef AWL_STORE_GIT_GIT_INDEX_H
#define AWL_STORE_GIT_GIT_INDEX_H

#include "base/str.h"

/* Calls `each` with the path of every submodule, relative to the worktree, until it returns
 * true. Returns true when one call did, and when the index has an unknown format. */
bool git_index_any(struct sv index, bool (*each)(void *arg, struct sv path), void *arg);

#endif
