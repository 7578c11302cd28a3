/* sandbox_load.h - the sandbox that settings and rules describe, with the settings put into the
 * form that src/sandbox reads. */
#ifndef AWL_CORE_POLICY_SANDBOX_LOAD_H
#define AWL_CORE_POLICY_SANDBOX_LOAD_H

#include "sandbox/sandbox.h"

struct settings;

/* Calls sandbox_new() with what the settings say. `env` is the environment of the engine; NULL:
 * that of this process. */
struct sandbox *sandbox_load(const struct settings *settings, const char *const *env,
			     struct sandbox_opts opts);

#endif
