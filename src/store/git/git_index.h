/* git_index.h - finds files and submodules in the index of a repository. When git compares the
 * worktree, it enters each submodule and uses its settings. */
#ifndef AWL_STORE_GIT_GIT_INDEX_H
#define AWL_STORE_GIT_GIT_INDEX_H

#include "base/str.h"

/* A path is relative to the worktree. */
typedef bool git_index_fn(void *arg, struct sv path, bool is_submodule);

/* Calls `each` with every path until it returns true. Returns true when one call did, and when the
 * index has an unknown format. */
bool git_index_any(struct sv index, git_index_fn *each, void *arg);

#endif
