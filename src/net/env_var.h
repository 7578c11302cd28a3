/* env_var.h - private to src/net: variables of an environment that need not be our own. */
#ifndef AWL_NET_ENV_VAR_H
#define AWL_NET_ENV_VAR_H

#include "base/str.h"

/* Of `env` ("NAME=value", NULL at the end), or, where that is NULL, of our own environment.
 * NULL: it is not set, or empty. */
const char *variable(const char *const *env, const char *name);

/* Those of a proxy are written either way. Lower case first, as curl has it; curl ignores
 * HTTP_PROXY for fear of CGI, which we are not, and other tools of this kind heed it. */
const char *variable_either(const char *const *env, const char *lower, const char *upper);

#endif
