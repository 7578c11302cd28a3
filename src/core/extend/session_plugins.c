#include "core/extend/session_plugins.h"

#include "base/limits.h"
#include "core/commands/session_commands.h"
#include "core/extend/session_styles.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/project.h"
#include "core/session/session_internal.h"
#include "core/session/session_settings.h"
#include "extend/file_search.h"
#include "extend/plugins/registry.h"
#include "extend/style_list.h"
#include "mcp/sources.h"
#include "sys/fs.h"

/* --- which there are -------------------------------------------------------------------------- */

static void session_plugins_keep_dirs(struct session_plugins *p, const char *const *dirs,
				      bool skips_servers)
{
	for (; dirs && *dirs; dirs++)
		vec_push(&p->dirs, ((struct session_plugin_dir){ .path = xstrdup(*dirs),
								 .skips_servers = skips_servers }));
}

static void session_plugins_load_dirs(struct session *s, const char *data_dir)
{
	struct session_plugins *p = &s->plugins;
	struct json secrets = { NULL };

	if (p->dirs.n && settings_bool(s->settings, "disableSideloadFlags")) {
		session_add_notice(s, SV("--plugin-dir is ignored: disableSideloadFlags is set"));
		return;
	}
	if (p->dirs.n && s->engine->config_dir)
		secrets = plugin_registry_secrets(s->engine->config_dir, &p->set);
	for (size_t i = 0; i < p->dirs.n; i++)
		plugin_set_load_dir(&p->set,
				    &(struct plugin_from){
					    .dir = p->dirs.at[i].path,
					    .data_dir = data_dir,
					    .skips_servers = p->dirs.at[i].skips_servers,
					    .position = i,
					    .configs = settings_get(s->settings, "pluginConfigs"),
					    .secrets = secrets,
				    });
}

struct plugin_policy plugin_policy_read(const struct settings *settings)
{
	return (struct plugin_policy){
		.allowed = settings_get_from(settings, SETTINGS_POLICY, "strictKnownMarketplaces"),
		.blocked = settings_get_from(settings, SETTINGS_POLICY, "blockedMarketplaces"),
	};
}

void plugin_set_add_enabled(struct plugin_set *set, const struct settings *settings,
			    const char *config_dir, const char *project_dir)
{
	if (config_dir)
		plugin_registry_load_enabled(
			set, &(struct plugin_wanted){
				     .config_dir = config_dir,
				     .project_dir = project_dir,
				     .enabled = settings_get(settings, "enabledPlugins"),
				     .configs = settings_get(settings, "pluginConfigs"),
				     .policy = plugin_policy_read(settings),
			     });
	plugin_set_check_needs(set);
}

/* Let shells find the programs of plugins. */
static void session_plugins_set_path(struct session *s)
{
	struct session_plugins *p = &s->plugins;

	str_truncate(&p->path, 0);
	for (size_t i = 0; i < p->set.all.n; i++) {
		defer(str_clear) struct str bin = STR_INIT;
		struct err ignored = ERR_INIT;
		struct fs_info info;

		fs_join(&bin, sv_cstr(p->set.all.at[i].root), SV("bin"));
		if (sv_find_char(sv_of(&bin), ':') == SIZE_MAX &&
		    fs_info(&info, str_c(&bin), true, &ignored) && info.kind == FS_DIR)
			str_addf(&p->path, "%s%s", p->path.len ? ":" : "", str_c(&bin));
	}
	s->shared.more_path = p->path.len ? str_c(&p->path) : NULL;
}

/* Read all of them again. What uses them has to be read again, too. */
static void session_plugins_load(struct session *s)
{
	struct session_plugins *p = &s->plugins;
	defer(str_clear) struct str data = STR_INIT;

	plugin_set_clear(&p->set);
	if (s->engine->config_dir)
		fs_join(&data, sv_cstr(s->engine->config_dir), SV("plugins/data"));
	session_plugins_load_dirs(s, data.len ? data.ptr : NULL);
	if (!p->skips_installed)
		plugin_set_add_enabled(&p->set, s->settings, s->engine->config_dir,
				       s->shared.project);
	else
		plugin_set_check_needs(&p->set);
	plugin_set_note_options(&p->set);
	session_plugins_set_path(s);
	if (!sv_eq(sv_of(&p->set.notes), sv_of(&p->reported)))
		session_add_notice(s, sv_of(&p->set.notes));
	str_set(&p->reported, sv_of(&p->set.notes));
}

void session_plugins_open(struct session *s, const struct awl_session_options *o)
{
	struct session_plugins *p = &s->plugins;

	session_plugins_keep_dirs(p, o->plugin_dirs, false);
	session_plugins_keep_dirs(p, o->plugin_dirs_without_mcp, true);
	p->skips_installed = o->skip_hooks;
	session_plugins_load(s);
}

void session_plugins_reload(struct session *s)
{
	session_settings_renew(s);
	session_plugins_load(s);
	session_hooks_load(s, (struct json){ NULL });
	(void)session_command_files(s, true);
	session_styles_follow(s);
	session_mcp_follow_plugins(s->mcp);
}

static bool session_plugins_has_dir(const struct session_plugins *p, struct sv path)
{
	for (size_t i = 0; i < p->dirs.n; i++)
		if (sv_is(path, p->dirs.at[i].path))
			return true;
	return false;
}

bool session_plugins_add(struct session *s, const control_plugins *more, struct err *err)
{
	struct session_plugins *p = &s->plugins;

	if (more->n && settings_bool(s->settings, "disableSideloadFlags"))
		return err_set(err, ERR_ACCESS,
			       "the host cannot add plugins: disableSideloadFlags is set");
	for (size_t i = 0; i < more->n; i++)
		if (!sv_starts(more->at[i].path, SV("/")))
			return err_set(err, ERR_INVALID,
				       "the path of a plugin is not absolute: %.*s",
				       SV_ARG(more->at[i].path));
	if (p->dirs.n + more->n > LIMIT_PLUGINS)
		return err_set(err, ERR_TOO_BIG, "there are more than %d plugins", LIMIT_PLUGINS);
	for (size_t i = 0; i < more->n; i++)
		if (!session_plugins_has_dir(p, more->at[i].path))
			vec_push(&p->dirs, ((struct session_plugin_dir){
						   .path = sv_dup(more->at[i].path),
						   .skips_servers = more->at[i].skips_servers }));
	session_plugins_reload(s);
	return true;
}

static bool session_plugins_has(const struct plugin_set *set, struct sv path)
{
	defer(str_clear) struct str name = STR_INIT, real = STR_INIT;
	struct err ignored = ERR_INIT;

	str_add(&name, path);
	if (!fs_realpath(&real, str_c(&name), &ignored))
		return false;
	for (size_t i = 0; i < set->all.n; i++) {
		struct sv root = sv_cstr(set->all.at[i].root);

		if (sv_eq(root, sv_of(&real)) ||
		    sv_eq(sv_slice(root, 0, sv_rfind_char(root, '/')), sv_of(&real)))
			return true;
	}
	return false;
}

bool session_plugins_have(const struct session *s, const control_plugins *plugins)
{
	for (size_t i = 0; i < plugins->n; i++)
		if (!session_plugins_has(&s->plugins.set, plugins->at[i].path))
			return false;
	return true;
}

void session_plugins_clear(struct session_plugins *p)
{
	for (size_t i = 0; i < p->dirs.n; i++)
		free(p->dirs.at[i].path);
	vec_clear(&p->dirs);
	str_clear(&p->reported);
	str_clear(&p->path);
	plugin_set_clear(&p->set);
}

/* --- what they have --------------------------------------------------------------------------- */

static void plugin_set_add_texts(struct command_list *list, const struct plugin *plugin,
				 const plugin_texts *paths, bool is_skills)
{
	const struct command_plugin from = { plugin->name, plugin->root, plugin->data,
					     plugin->config };

	for (size_t i = 0; i < paths->n; i++)
		command_list_add_plugin(list, &from, paths->at[i].ptr, is_skills);
}

void plugin_set_add_commands(const struct plugin_set *set, struct command_list *list)
{
	for (size_t i = 0; i < set->all.n; i++) {
		const struct plugin *plugin = &set->all.at[i];

		plugin_set_add_texts(list, plugin, &plugin->skills, true);
		plugin_set_add_texts(list, plugin, &plugin->commands, false);
	}
}

struct sv session_plugins_agent(const struct session *s)
{
	for (size_t i = 0; i < s->plugins.set.all.n; i++)
		if (s->plugins.set.all.at[i].main_agent.len)
			return s->plugins.set.all.at[i].main_agent;
	return SV_EMPTY;
}

static const char *plugin_set_lookup(void *arg, struct sv name)
{
	static const struct sv option = SV_INIT("user_config.");

	return sv_starts(name, option) ? plugin_option_value(arg, sv_skip(name, option.len)) : NULL;
}

void plugin_set_add_servers(const struct plugin_set *set, struct mcp_sources *sources,
			    const struct mcp_sources_opts *opts)
{
	for (size_t i = 0; i < set->all.n; i++) {
		const struct plugin *plugin = &set->all.at[i];

		for (size_t k = 0; !plugin->skips_servers && k < plugin->servers.n; k++)
			mcp_sources_add_plugin(sources, opts,
					       &(struct mcp_plugin){
						       .name = plugin->name.ptr,
						       .root = plugin->root,
						       .data = plugin->data,
						       .file = plugin->servers.at[k].file,
						       .servers = plugin->servers.at[k].value,
						       .lookup = plugin_set_lookup,
						       .lookup_arg = (void *)plugin,
						       .env = plugin->env,
					       });
	}
}

void plugin_set_add_styles(const struct plugin_set *set, struct style_list *list)
{
	for (size_t i = 0; i < set->all.n; i++) {
		defer(str_clear) struct str inside = STR_INIT;

		file_search_inside(&inside, set->all.at[i].root);
		for (size_t k = 0; k < set->all.at[i].styles.n; k++)
			style_list_add_path(list, set->all.at[i].styles.at[k].ptr, STYLE_PLUGIN,
					    sv_of(&inside));
	}
}

void plugin_set_add_hooks(const struct plugin_set *set, hook_plugins *out)
{
	for (size_t i = 0; i < set->all.n; i++) {
		const struct plugin *plugin = &set->all.at[i];

		for (size_t k = 0; k < plugin->hooks.n; k++)
			vec_push(out, ((struct hook_plugin){ .root = plugin->root,
							     .data = plugin->data,
							     .env = plugin->env,
							     .file = plugin->hooks.at[k].file,
							     .hooks = plugin->hooks.at[k].value }));
	}
}

size_t session_plugins_report(const struct session *s, const struct reply_plugin **out,
			      struct arena *arena)
{
	const struct plugin_set *set = &s->plugins.set;
	struct reply_plugin *all = arena_calloc(arena, set->all.n + 1, sizeof(*all));

	for (size_t i = 0; i < set->all.n; i++)
		all[i] = (struct reply_plugin){ .name = set->all.at[i].name,
						.path = sv_cstr(set->all.at[i].root),
						.source = set->all.at[i].id,
						.version = set->all.at[i].version };
	*out = all;
	return set->all.n;
}

size_t session_plugins_report_errors(const struct session *s, const struct reply_plugin_error **out,
				     struct arena *arena)
{
	const struct plugin_set *set = &s->plugins.set;
	struct reply_plugin_error *all = arena_calloc(arena, set->errors.n + 1, sizeof(*all));

	for (size_t i = 0; i < set->errors.n; i++) {
		const struct plugin_error *error = &set->errors.at[i];
		const struct tool_context *ctx = agent_tool_context(s->agent);

		all[i] = (struct reply_plugin_error){ .plugin = error->plugin,
						      .message = error->message,
						      .why = error->why };
		if (error->dir.len)
			all[i].path = tool_path(ctx, error->dir, arena);
	}
	*out = all;
	return set->errors.n;
}
