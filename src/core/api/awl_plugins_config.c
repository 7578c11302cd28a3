/* awl_plugins.h: what plugins let their users configure. Secrets go to the file of credentials, everything else to the
 * settings of the user. */
#include "base/limits.h"
#include "core/api/awl_plugins_int.h"
#include "store/config_lock.h"
#include "store/json_file.h"

/* --- list ------------------------------------------------------------------------------------ */

static const struct plugin *awl_plugin_config_load(struct awl_plugins *c, const char *name,
						   struct err *err)
{
	struct plugin_from from;

	if (!awl_plugins_locate(c, name, &from, err) || !plugin_set_load(&c->set, &from, err))
		return NULL;
	return vec_last(&c->set.all);
}

static struct awl_plugin_option awl_plugin_config_describe(struct awl_plugins *c,
							   const struct plugin_option *option)
{
	return (struct awl_plugin_option){
		.key = awl_plugins_keep(c, option->key),
		.title = awl_plugins_keep(c, option->title.len ? option->title : option->key),
		.description = awl_plugins_keep(c, option->description),
		.type = plugin_option_type_name(option->type),
		.is_sensitive = option->is_sensitive,
		.is_required = option->is_required,
		.is_multiple = option->is_multiple,
		.is_set = option->is_given,
		.value = option->value.ptr && !option->is_sensitive
				 ? awl_plugins_keep(c, option->value)
				 : NULL,
	};
}

enum awl_result awl_plugin_options(struct awl_project *p, const char *name,
				   const struct awl_plugin_option **options, size_t *n)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;
	const struct plugin *plugin = NULL;
	struct awl_plugin_option *all;

	if (awl_plugins_open(&c, p, &err))
		plugin = awl_plugin_config_load(&c, name, &err);
	if (!plugin)
		return awl_end(false, &err);
	all = arena_calloc(&p->arena, plugin->options.n + 1, sizeof(*all));
	for (size_t i = 0; i < plugin->options.n; i++)
		all[i] = awl_plugin_config_describe(&c, &plugin->options.at[i]);
	*options = all;
	*n = plugin->options.n;
	return awl_end(true, &err);
}

/* --- change ---------------------------------------------------------------------------------- */

/* Whether there is an object with no members at these steps. */
static bool awl_plugin_config_is_empty(struct sv text, struct json_steps steps)
{
	struct json_span_iter it;
	struct json_span span;
	struct json_item item;
	struct err ignored = ERR_INIT;

	return json_span_find(text, steps, &span, &ignored) &&
	       json_span_each(&it, text, span, &ignored) && json_span_next(&it, &item, &ignored) &&
	       it.done;
}

/* Removes the objects around a secret that was the last one in them, and a file that has nothing else in it. */
static bool awl_plugin_config_clean(const struct json_file_change *change, struct str *text,
				    struct err *err)
{
	struct json_file_change outer = *change;
	defer(str_clear) struct str before = STR_INIT;
	struct fs_info info;

	for (outer.steps.n--; outer.steps.n; outer.steps.n--)
		if (!awl_plugin_config_is_empty(sv_of(text), outer.steps))
			return true;
		else if (!json_file_change(&outer, &before, text, err))
			return false;
	return !awl_plugin_config_is_empty(sv_of(text), outer.steps) ||
	       !fs_info(&info, change->path, false, err) || info.kind != FS_FILE ||
	       fs_remove(change->path, err);
}

/* Sets a member of pluginSecrets, or with empty `json` removes it. */
static bool awl_plugin_config_write_secret(struct awl_plugins *c, struct json_steps steps,
					   struct sv json, struct err *err)
{
	defer(fs_unlockp) struct fs_lock *turn = NULL;
	defer(str_clear) struct str before = STR_INIT, after = STR_INIT;
	const struct json_file_change change = {
		.path = arena_printf(&c->p->arena, "%s/.credentials.json", c->config_dir).ptr,
		.limit = LIMIT_PLUGIN_FILE,
		.mode = 0600,
		.steps = steps,
		.json = json
	};

	turn = config_lock_take(c->config_dir, err);
	return turn && json_file_change(&change, &before, &after, err) &&
	       (json.len || awl_plugin_config_clean(&change, &after, err));
}

static bool awl_plugin_config_remove(bool ok, struct err *err)
{
	if (!ok && err->kind == ERR_NOT_FOUND) /* it was not there */
		*err = (struct err)ERR_INIT;
	return err->kind == ERR_NONE;
}

static bool awl_plugin_config_set(struct awl_plugins *c, struct sv id, struct sv key,
				  bool is_secret, struct sv json, struct err *err)
{
	bool ok = is_secret
			  ? awl_plugin_config_write_secret(
				    c, JSON_STEPS(SV("pluginSecrets"), id, key), json, err)
			  : project_change(&c->project, settings_set, SETTINGS_USER,
					   JSON_STEPS(SV("pluginConfigs"), id, SV("options"), key),
					   json, err);

	return json.len ? ok : awl_plugin_config_remove(ok, err);
}

static bool awl_plugin_config_change(struct awl_plugins *c, const char *name, struct sv key,
				     const char *value, struct err *err)
{
	const struct plugin *plugin = awl_plugin_config_load(c, name, err);
	defer(str_clear) struct str json = STR_INIT, keys = STR_INIT;

	if (!plugin)
		return false;
	for (size_t i = 0; i < plugin->options.n; i++) {
		const struct plugin_option *o = &plugin->options.at[i];

		if (sv_eq(o->key, key))
			return (!value || plugin_option_parse(o, sv_cstr(value), &json, err)) &&
			       awl_plugin_config_set(c, plugin->id, key, o->is_sensitive,
						     sv_of(&json), err);
		str_addf(&keys, "%s%.*s", keys.len ? ", " : "", SV_ARG(o->key));
	}
	return err_set(err, ERR_NOT_FOUND, "%.*s has no option %.*s; it has %s", SV_ARG(plugin->id),
		       SV_ARG(key), keys.len ? str_c(&keys) : "none");
}

enum awl_result awl_plugin_configure(struct awl_project *p, const char *name, const char *key,
				     const char *value)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_plugins_open(&c, p, &err) &&
			       awl_plugin_config_change(&c, name, sv_cstr(key), value, &err),
		       &err);
}

bool awl_plugins_forget_config(struct awl_plugins *c, struct sv id, struct err *err)
{
	struct plugin_set set = PLUGIN_SET_INIT;
	bool has_secrets =
		json_exists(json_get_sv(plugin_registry_secrets(c->config_dir, &set), id));
	bool has_options = json_exists(json_get_sv(settings_get(c->settings, "pluginConfigs"), id));

	plugin_set_clear(&set);
	return (!has_secrets ||
		awl_plugin_config_remove(
			awl_plugin_config_write_secret(c, JSON_STEPS(SV("pluginSecrets"), id),
						       SV_EMPTY, err),
			err)) &&
	       (!has_options ||
		awl_plugin_config_remove(project_change(&c->project, settings_set, SETTINGS_USER,
							JSON_STEPS(SV("pluginConfigs"), id),
							SV_EMPTY, err),
					 err));
}
