#include "extend/child_env.h"

/* Whether the entry "NAME=value" is of that name. */
static bool is_of(const char *entry, struct sv name)
{
	return sv_eq(sv_slice(sv_cstr(entry), 0, sv_find_char(sv_cstr(entry), '=')), name);
}

static bool is_overridden(const char *entry, struct json settings)
{
	struct json_iter it = json_each(settings);
	struct sv name;
	struct json value;

	while (json_next(&it, &name, &value))
		if (is_of(entry, name))
			return true;
	return false;
}

static void add(env_list *out, struct sv name, struct sv value)
{
	struct str entry = STR_INIT;

	/* It could not be passed on as it is. */
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
		if (!(without && is_of(*base, sv_cstr(without))) && !is_overridden(*base, settings))
			vec_push(out, xstrdup(*base));
	while (json_next(&it, &name, &value))
		if (!without || !sv_is(name, without))
			add(out, name, json_str_or(value, SV_EMPTY));
	vec_push(out, NULL);
}

void child_env_clear(env_list *env)
{
	for (size_t i = 0; i < env->n; i++)
		free((char *)env->at[i]);
	vec_clear(env);
}
