/* sandbox_load.h - the sandbox that settings and rules describe, with the settings put into the
 * form that src/sandbox reads. */
#ifndef AWL_CORE_SANDBOX_LOAD_H
#define AWL_CORE_SANDBOX_LOAD_H

#include "sandbox/sandbox.h"

struct settings;

/* Fills in what the settings decide and calls cage_new(). */
struct cage *sandbox_load(const struct settings *settings, struct cage_opts opts);

#endif
