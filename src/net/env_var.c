#include "net/env_var.h"

#include <stdlib.h>

static const char *env_var_find(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

const char *env_var(const char *const *env, const char *name)
{
	const char *value = env ? env_var_find(env, name) : getenv(name);

	return value && *value ? value : NULL;
}

const char *env_var_either(const char *const *env, const char *lower, const char *upper)
{
	const char *value = env_var(env, lower);

	return value ? value : env_var(env, upper);
}
