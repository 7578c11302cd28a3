/* git_index.h - the repositories inside a repository, as its index has them: git looks into
 * each of them, by its own settings, when it compares the work tree. */
#ifndef AWL_STORE_GIT_GIT_INDEX_H
#define AWL_STORE_GIT_GIT_INDEX_H

#include "base/str.h"

/* Calls `each` with the path of every one, seen from the work tree, until it returns true.
 * True when one did, and when the index is none that is understood. */
bool git_index_any(struct sv index, bool (*each)(void *arg, struct sv path), void *arg);

#endif
