/* cwd_set.h - where a command may find itself: each directory it could be in, after a cd that
 * may have failed. */
#ifndef AWL_PERM_COMMAND_CWD_SET_H
#define AWL_PERM_COMMAND_CWD_SET_H

#include "base/arena.h"

enum { PLACE_MAX = 4 };

struct place {
	struct sv dirs[PLACE_MAX]; /* normal; borrowed */
	size_t n;
	bool lost; /* it could be anywhere */
};

struct place place_at(struct sv dir);
struct place place_anywhere(void);
/* After `cd path`. */
struct place place_enter(const struct place *from, struct sv path, struct arena *arena);
/* In one or the other. */
struct place place_either(const struct place *a, const struct place *b);
bool place_is(const struct place *a, const struct place *b);

#endif
