/* tree_search.h - private to src/perm: searches everything below a directory. */
#ifndef AWL_PERM_PATH_TREE_SEARCH_H
#define AWL_PERM_PATH_TREE_SEARCH_H

#include "perm/world.h"

enum tree_answer {
	TREE_NO,
	TREE_YES,
	TREE_TOO_BIG, /* the search was cut short */
};

typedef bool tree_hit_fn(void *arg, struct sv path);

/* Whether something below `dir` (real) is a hit. Links are not followed. `*left` is how many names
 * may be looked at, and is reduced. */
enum tree_answer tree_search(const struct perm_world *world, struct sv dir, tree_hit_fn *is_hit,
			     void *arg, size_t *left);

#endif
