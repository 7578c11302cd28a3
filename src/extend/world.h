/* world.h - the machine as permission decisions see it (perm/world.h): its links,
 * directories and repositories, looked at when asked. */
#ifndef AWL_EXTEND_WORLD_H
#define AWL_EXTEND_WORLD_H

#include "perm/world.h"

extern const struct perm_world world_here;

#endif
