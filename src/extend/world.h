/* world.h - the machine as permission decisions see it (perm/world.h): its links,
 * directories and repositories, looked at when asked. */
#ifndef AWL_EXTEND_WORLD_H
#define AWL_EXTEND_WORLD_H

#include "perm/world.h"

extern const struct perm_world world_here;

/* Whether the repository at `top` itself, none inside of it, names programs that git runs as soon
 * as it looks at it. */
bool world_git_names_programs(struct sv top);

#endif
