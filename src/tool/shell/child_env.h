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

#endif
