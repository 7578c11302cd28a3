/* perm_world.h - the real machine as permission decisions see it (perm/world.h): links, directories
 * and repositories, read when they are needed. */
#ifndef AWL_CORE_POLICY_PERM_WORLD_H
#define AWL_CORE_POLICY_PERM_WORLD_H

#include "perm/world.h"

extern const struct perm_world world_here;

/* The same for commands whose GIT_DIR and GIT_COMMON_DIR have these values, empty: are not set.
 * It is made, with copies of them, in `arena`. */
const struct perm_world *world_led(struct arena *arena, struct sv git_dir, struct sv common_dir);

/* Whether the configuration of the repository at `top`, without its submodules, names programs that
 * git runs even for commands that only read. */
bool world_git_names_programs(struct sv top);

#endif
