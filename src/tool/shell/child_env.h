/* child_env.h - the environment of the programs that we run: ours, with the values of the settings
 * ("env") added or replaced. */
#ifndef AWL_TOOL_SHELL_CHILD_ENV_H
#define AWL_TOOL_SHELL_CHILD_ENV_H

#include "base/vec.h"
#include "text/json/json.h"

typedef VEC(const char *) env_list; /* "NAME=value", owned, NULL at the end */

/* `settings` is an object of strings, or missing. `without` names a variable to omit; NULL: none.
 */
void child_env_build(env_list *out, const char *const *base, struct json settings,
		     const char *without);
void child_env_clear(env_list *env);

/* Returns the value of a variable, NULL when it is not set. `env` is a list of "NAME=value" with a
 * NULL at the end, or NULL for the environment of this process. */
const char *child_env_get(const char *const *env, const char *name);

#endif
