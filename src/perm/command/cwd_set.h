/* cwd_set.h - the directories that a command may run in: several after a cd that may have failed. */
#ifndef AWL_PERM_COMMAND_CWD_SET_H
#define AWL_PERM_COMMAND_CWD_SET_H

#include "base/arena.h"

enum { CWD_SET_MAX = 4 };

struct cwd_set {
	struct sv dirs[CWD_SET_MAX]; /* normal; borrowed */
	size_t n;
	bool is_unknown; /* it may be any directory */
};

struct cwd_set cwd_set_of(struct sv dir);
struct cwd_set cwd_set_unknown(void);
/* The set after `cd path`. */
struct cwd_set cwd_set_enter(const struct cwd_set *from, struct sv path, struct arena *arena);
/* All directories of both. */
struct cwd_set cwd_set_union(const struct cwd_set *a, const struct cwd_set *b);
bool cwd_set_equals(const struct cwd_set *a, const struct cwd_set *b);

#endif
