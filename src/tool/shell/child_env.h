/* child_env.h - the environment of what is run: the one we were given, and over it what the
 * settings say ("env"). */
#ifndef AWL_TOOL_SHELL_CHILD_ENV_H
#define AWL_TOOL_SHELL_CHILD_ENV_H

#include "base/vec.h"
#include "text/json/json.h"

typedef VEC(const char *) env_list; /* "NAME=value", owned, NULL at the end */

/* `settings` is an object of strings, or missing. `without` names a variable that is left out;
 * NULL: none. */
void child_env_build(env_list *out, const char *const *base, struct json settings,
		     const char *without);
void child_env_clear(env_list *env);

/* Returns the value of a variable, NULL when it is not set. `env` is a list of "NAME=value" with a
 * NULL at the end, or NULL for the environment of this process. */
const char *child_env_get(const char *const *env, const char *name);

#endif
