#include "core/policy/sandbox_load.h"

#include "store/settings/settings.h"
#include "tool/shell/child_env.h"

static enum sandbox_source sandbox_layer_from(enum settings_source source)
{
	if (source == SETTINGS_POLICY)
		return SANDBOX_FROM_POLICY;
	return settings_are_projects(source) ? SANDBOX_FROM_PROJECT : SANDBOX_FROM_USER;
}

struct sandbox *sandbox_load(const struct settings *settings, const char *const *env,
			     struct sandbox_opts opts)
{
	VEC(struct sandbox_layer) layers = VEC_INIT;
	struct settings_taken taken;
	struct sandbox *sandbox;

	for (size_t at = 0; settings_next_taken(settings, &at, &taken);)
		vec_push(&layers,
			 ((struct sandbox_layer){ .settings = json_get(taken.settings, "sandbox"),
						  .from = sandbox_layer_from(taken.source) }));
	opts.settings = settings_get(settings, "sandbox");
	opts.layers = layers.at;
	opts.nlayers = layers.n;
	opts.env_file = json_str_or(json_get(settings_get(settings, "env"), "CLAUDE_ENV_FILE"),
				    sv_cstr(child_env_get(env, "CLAUDE_ENV_FILE")));
	opts.env = env;
	sandbox = sandbox_new(&opts);
	vec_clear(&layers);
	return sandbox;
}
