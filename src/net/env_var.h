/* env_var.h - private to src/net and src/sandbox: variables of an environment, which need not be
 * our own. */
#ifndef AWL_NET_ENV_VAR_H
#define AWL_NET_ENV_VAR_H

#include "base/str.h"

/* The value in `env` ("NAME=value", NULL at the end), or in our own environment if that is NULL.
 * NULL: not set, or empty. */
const char *env_var(const char *const *env, const char *name);

/* Proxy variables are written in lower or upper case. Lower case wins, as in curl. curl ignores
 * HTTP_PROXY because of CGI programs; we are not one, and similar tools honour it. */
const char *env_var_either(const char *const *env, const char *lower, const char *upper);

#endif
