#include "tool/shell/child_env.h"

#include <stdlib.h>

static struct sv child_env_name_of(const char *entry)
{
	return sv_slice(sv_cstr(entry), 0, sv_find_char(sv_cstr(entry), '='));
}

/* Programs read HTTPS_PROXY and https_proxy as one variable, in different orders. Setting one of
 * them means both. */
static bool child_env_is_same(struct sv a, struct sv b)
{
	static const struct sv proxy = SV_INIT("_proxy");

	return sv_eq(a, b) || (sv_eq_nocase(a, b) && a.len > proxy.len &&
			       sv_eq_nocase(sv_skip(a, a.len - proxy.len), proxy));
}

static bool is_overridden(const char *entry, struct json settings)
{
	struct json_iter it = json_each(settings);
	struct sv name;
	struct json value;

	while (json_next(&it, &name, &value))
		if (child_env_is_same(child_env_name_of(entry), name))
			return true;
	return false;
}

static void child_env_add(env_list *out, struct sv name, struct sv value)
{
	struct str entry = STR_INIT;

	/* Cannot be an environment variable. */
	if (!name.len || sv_find_char(name, '=') != SIZE_MAX ||
	    sv_find_char(name, '\0') != SIZE_MAX || sv_find_char(value, '\0') != SIZE_MAX)
		return;
	str_addf(&entry, "%.*s=%.*s", SV_ARG(name), SV_ARG(value));
	vec_push(out, str_detach(&entry));
}

void child_env_build(env_list *out, const char *const *base, struct json settings,
		     const char *without)
{
	struct json_iter it = json_each(settings);
	struct sv name;
	struct json value;

	for (; base && *base; base++)
		if (!(without && sv_is(child_env_name_of(*base), without)) &&
		    !is_overridden(*base, settings))
			vec_push(out, xstrdup(*base));
	while (json_next(&it, &name, &value))
		if (!without || !sv_is(name, without))
			child_env_add(out, name, json_str_or(value, SV_EMPTY));
	vec_push(out, NULL);
}

void child_env_clear(env_list *env)
{
	for (size_t i = 0; i < env->n; i++)
		free((char *)env->at[i]);
	vec_clear(env);
}

const char *child_env_get(const char *const *env, const char *name)
{
	size_t length = strlen(name);

	if (!env)
		return getenv(name);
	for (; *env; env++)
		if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
			return *env + length + 1;
	return NULL;
}
