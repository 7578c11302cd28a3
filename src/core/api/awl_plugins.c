/* awl_plugins.h: which plugins there are, and what all of its functions share. */
#include "base/limits.h"
#include "core/api/awl_plugins_install.h"
#include "core/extend/session_plugins.h"
#include "core/subagents/agent_sources.h"
#include "extend/agent_list.h"
#include "extend/command_list.h"
#include "extend/plugins/tree.h"
#include "net/http.h"
#include "store/config_lock.h"
#include "store/json_file.h"
#include "sys/fs.h"
#include "tool/shell/child_env.h"

/* --- shared ---------------------------------------------------------------------------------- */

void awl_plugins_clear(struct awl_plugins *c)
{
	settings_free(c->settings);
	project_clear(&c->project);
	plugin_set_clear(&c->set);
}

bool awl_plugins_reread(struct awl_plugins *c, struct err *err)
{
	return plugin_registry_read(&c->registry, c->config_dir, &c->set, err);
}

bool awl_plugins_open(struct awl_plugins *c, struct awl_project *p, struct err *err)
{
	c->p = p;
	awl_project_begin(p);
	awl_project_look(p, &c->project);
	c->config_dir = awl_project_config_dir(p);
	if (!c->config_dir)
		return err_set(err, ERR_NOT_FOUND, "there is no configuration directory");
	c->settings = settings_load(&c->project.files, &p->notes, err);
	if (!c->settings)
		return false;
	c->policy = plugin_policy_read(c->settings);
	return awl_plugins_reread(c, err);
}

const char *awl_plugins_keep(struct awl_plugins *c, struct sv text)
{
	return arena_dup(&c->p->arena, text).ptr;
}

const char *awl_plugins_path(struct awl_plugins *c, const char *fmt, ...)
{
	defer(str_clear) struct str path = STR_INIT;
	va_list args;

	str_addf(&path, "%s/plugins/", c->config_dir);
	va_start(args, fmt);
	str_vaddf(&path, fmt, args);
	va_end(args);
	return awl_plugins_keep(c, sv_of(&path));
}

const char *awl_plugins_id(struct awl_plugins *c, const struct plugin_id *id)
{
	return arena_printf(&c->p->arena, "%.*s@%.*s", SV_ARG(id->name), SV_ARG(id->marketplace))
		.ptr;
}

bool awl_plugins_write(struct awl_plugins *c, const char *file, struct json_steps steps,
		       struct sv json, struct err *err)
{
	defer(fs_unlockp) struct fs_lock *turn = NULL;
	defer(str_clear) struct str before = STR_INIT, after = STR_INIT;
	const struct json_file_change change = { .path = awl_plugins_path(c, "%s", file),
						 .limit = LIMIT_PLUGIN_FILE,
						 .mode = 0600,
						 .steps = steps,
						 .json = json };

	if (!fs_mkdirs(awl_plugins_path(c, "."), 0700, err))
		return false;
	turn = config_lock_take(c->config_dir, err);
	return turn && json_file_change(&change, &before, &after, err) &&
	       awl_plugins_reread(c, err);
}

bool awl_plugins_set_enabled(struct awl_plugins *c, enum awl_scope scope, struct sv id,
			     struct sv json, struct err *err)
{
	enum settings_source source = scope == AWL_SCOPE_PROJECT ? SETTINGS_PROJECT
				      : scope == AWL_SCOPE_LOCAL ? SETTINGS_LOCAL
								 : SETTINGS_USER;
	struct json file = settings_get_from(c->settings, source, "enabledPlugins");
	struct json_steps steps = JSON_STEPS(SV("enabledPlugins"), id);

	if (!json.len && !json_exists(json_get_sv(file, id)))
		return true;
	if (!json.len && json_len(file) == 1) /* nothing is left of it */
		steps.n = 1;
	return project_change(&c->project, settings_set, source, steps, json, err);
}

/* --- fetching -------------------------------------------------------------------------------- */

struct awl_plugins_wait {
	struct err err;
	bool failed;
};

static void awl_plugins_on_done(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct awl_plugins_wait *wait = owner;

	wait->failed = why;
	if (why)
		wait->err = *why;
}

static int64_t awl_plugins_deadline(struct awl_plugins *c)
{
	const char *given =
		child_env_get(awl_project_env(c->p), "CLAUDE_CODE_PLUGIN_GIT_TIMEOUT_MS");
	int64_t ms;

	return given && sv_to_int(sv_cstr(given), &ms) && ms > 0 ? ms : LIMIT_PLUGIN_FETCH_MS;
}

static bool awl_plugins_needs_http(const struct plugin_fetch *fetch)
{
	if (sv_starts(fetch->source->url, SV("file://")))
		return false;
	return fetch->source->kind == SOURCE_ARCHIVE ||
	       (fetch->source->kind == SOURCE_URL && fetch->is_marketplace);
}

bool awl_plugins_fetch(struct awl_plugins *c, struct plugin_fetch *fetch, struct err *err)
{
	struct loop *loop = loop_new();
	struct awl_plugins_wait wait = { .failed = false };
	const struct http_config config = { .env = awl_project_env(c->p), .user_agent = "awl" };
	bool fine = true;

	fetch->env = awl_project_env(c->p);
	fetch->deadline_ms = awl_plugins_deadline(c);
	if (awl_plugins_needs_http(fetch))
		fine = (fetch->http = http_new(loop, &config, err));
	if (fine) {
		(void)plugin_fetch_start(loop, fetch, THEN(awl_plugins_on_done, &wait));
		loop_run(loop);
	}
	http_free(fetch->http);
	loop_free(loop);
	if (wait.failed)
		*err = wait.err;
	return fine && !wait.failed;
}

/* --- finding --------------------------------------------------------------------------------- */

/* What a name without a marketplace may mean. */
struct awl_plugins_search {
	struct sv name;
	struct plugin_id found;
	size_t n;
	struct str names;
};

static void awl_plugins_offer(struct awl_plugins_search *s, struct sv name, struct sv marketplace)
{
	if (!sv_eq(name, s->name))
		return;
	s->found = (struct plugin_id){ name, marketplace };
	str_addf(&s->names, "%s%.*s@%.*s", s->n++ ? ", " : "", SV_ARG(name), SV_ARG(marketplace));
}

static void awl_plugins_search_installed(struct awl_plugins *c, struct awl_plugins_search *s)
{
	struct json_iter it = json_each(json_get(c->registry.installed, "plugins"));
	struct plugin_id id;
	struct json value;
	struct sv key;

	while (it.keyed && json_next(&it, &key, &value))
		if (plugin_id_read(key, &id))
			awl_plugins_offer(s, id.name, id.marketplace);
}

static void awl_plugins_search_markets(struct awl_plugins *c, struct awl_plugins_search *s)
{
	struct json_iter it = json_each(c->registry.known);
	struct known_marketplace known;
	struct marketplace market;
	struct err ignored = ERR_INIT;

	while (plugin_registry_next_market(&it, &known))
		if (marketplace_read(&market, known.location, &c->set, &ignored) &&
		    json_exists(marketplace_find(&market, s->name)))
			awl_plugins_offer(s, s->name, known.name);
}

bool awl_plugins_find(struct awl_plugins *c, const char *name, bool installed,
		      struct plugin_id *out, struct err *err)
{
	struct awl_plugins_search s = { .names = STR_INIT };
	struct plugin_id id;

	if (!plugin_id_read(sv_cstr(name), &id))
		return err_set(err, ERR_INVALID, "'%s' is not the name of a plugin", name);
	s.name = id.name;
	if (!id.marketplace.len && installed)
		awl_plugins_search_installed(c, &s);
	else if (!id.marketplace.len)
		awl_plugins_search_markets(c, &s);
	if (!id.marketplace.len && s.n == 0)
		err_set(err, ERR_NOT_FOUND,
			installed ? "there is no installed plugin %s; 'awl plugin list' shows them"
				  : "no known marketplace has the plugin %s; 'awl plugin list "
				    "--available' shows them all",
			name);
	else if (!id.marketplace.len && s.n > 1)
		err_set(err, ERR_INVALID, "more than one plugin has this name; choose from %s",
			str_c(&s.names));
	*out = id.marketplace.len ? id : s.found;
	str_clear(&s.names);
	return id.marketplace.len || s.n == 1;
}

/* --- list ------------------------------------------------------------------------------------ */

typedef VEC(struct awl_plugin) awl_plugin_list;

static const char *awl_plugins_problem(struct awl_plugins *c, const struct plugin_id *id,
				       const char *path)
{
	struct plugin_set set = PLUGIN_SET_INIT;
	struct known_marketplace known;
	struct marketplace market = { .plugins = { NULL } };
	struct err err = ERR_INIT;
	const char *problem = NULL;
	bool ok =
		plugin_registry_market(&c->registry, id->marketplace, &known, &err) &&
		plugin_policy_allows(&c->policy, &known.source, &err) &&
		marketplace_read(&market, known.location, &c->set, &err) &&
		plugin_set_load(&set,
				&(struct plugin_from){ .dir = path,
						       .marketplace = id->marketplace,
						       .entry = marketplace_find(&market, id->name),
						       .entry_file = market.file },
				&err);

	if (!ok || set.notes.len)
		problem = awl_plugins_keep(c, ok ? sv_trim(sv_of(&set.notes)) : sv_cstr(err.text));
	plugin_set_clear(&set);
	return problem;
}

bool awl_plugins_is_enabled(const struct awl_plugins *c, struct sv id)
{
	struct json value = json_get_sv(settings_get(c->settings, "enabledPlugins"), id);

	return json_exists(value) && json_bool_or(value, true);
}

/* What an enabled plugin lacks, among those that sessions load. */
static const char *awl_plugins_lack(struct awl_plugins *c, const struct plugin_set *enabled,
				    struct sv id)
{
	for (size_t i = 0; i < enabled->all.n; i++) {
		defer(str_clear) struct str why = STR_INIT;

		if (sv_eq(enabled->all.at[i].id, id) &&
		    plugin_set_lacks(enabled, &enabled->all.at[i], &why))
			return awl_plugins_keep(c, sv_of(&why));
	}
	return NULL;
}

static void awl_plugins_load_enabled(struct awl_plugins *c, struct plugin_set *out)
{
	plugin_registry_load_enabled(
		out,
		&(struct plugin_wanted){ .config_dir = c->config_dir,
					 .project_dir = c->project.files.project_dir,
					 .enabled = settings_get(c->settings, "enabledPlugins"),
					 .policy = c->policy });
}

static void awl_plugins_list_installed(struct awl_plugins *c, awl_plugin_list *out)
{
	defer(plugin_set_clear) struct plugin_set enabled = PLUGIN_SET_INIT;
	struct json_iter it = json_each(json_get(c->registry.installed, "plugins"));
	struct installed_plugin installed;
	struct json value;
	struct sv key;

	awl_plugins_load_enabled(c, &enabled);
	while (it.keyed && json_next(&it, &key, &value)) {
		const char *lack = awl_plugins_lack(c, &enabled, key), *problem;
		struct plugin_id id;

		if (!plugin_id_read(key, &id) ||
		    !plugin_registry_installed(&c->registry, key, c->project.files.project_dir,
					       &installed))
			continue;
		problem = awl_plugins_problem(c, &id, installed.path);
		vec_push(out,
			 ((struct awl_plugin){ .id = awl_plugins_keep(c, key),
					       .version = awl_plugins_keep(c, installed.version),
					       .description = "",
					       .path = awl_plugins_keep(c, sv_cstr(installed.path)),
					       .scope = plugin_scope_name(installed.scope),
					       .is_enabled = awl_plugins_is_enabled(c, key),
					       .problem = problem ? problem : lack }));
	}
}

static bool awl_plugins_has(const awl_plugin_list *list, const char *id)
{
	for (size_t i = 0; i < list->n; i++)
		if (sv_is(sv_cstr(id), list->at[i].id))
			return true;
	return false;
}

static void awl_plugins_list_market(struct awl_plugins *c, const struct known_marketplace *known,
				    awl_plugin_list *out)
{
	struct marketplace market;
	struct err err = ERR_INIT;
	struct json_iter it;
	struct json entry;

	if (!marketplace_read(&market, known->location, &c->set, &err)) {
		awl_project_note(c->p, "%s", err.text);
		return;
	}
	marketplace_check(&market, SV_EMPTY, &c->p->notes);
	it = json_each(market.plugins);
	while (json_next(&it, NULL, &entry)) {
		struct plugin_id id = { json_str_or(json_get(entry, "name"), SV_EMPTY),
					known->name };
		const char *full = awl_plugins_id(c, &id);

		if (!marketplace_check_entry(entry, &err) || awl_plugins_has(out, full))
			continue;
		vec_push(out,
			 ((struct awl_plugin){
				 .id = full,
				 .version = awl_plugins_keep(
					 c, json_str_or(json_get(entry, "version"), SV_EMPTY)),
				 .description = awl_plugins_keep(
					 c, json_str_or(json_get(entry, "description"), SV_EMPTY)),
			 }));
	}
}

enum awl_result awl_plugins(struct awl_project *p, bool available,
			    const struct awl_plugin **plugins, size_t *n)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;
	awl_plugin_list list = VEC_INIT;
	struct known_marketplace known;
	struct awl_plugin *copy;
	struct json_iter it;

	if (!awl_plugins_open(&c, p, &err))
		return awl_end(false, &err);
	awl_plugins_list_installed(&c, &list);
	it = json_each(c.registry.known);
	while (available && plugin_registry_next_market(&it, &known))
		awl_plugins_list_market(&c, &known, &list);
	copy = arena_calloc(&p->arena, list.n + 1, sizeof(*copy));
	if (list.n)
		memcpy(copy, list.at, list.n * sizeof(*copy));
	*plugins = copy;
	*n = list.n;
	vec_clear(&list);
	return awl_end(true, &err);
}

/* --- details --------------------------------------------------------------------------------- */

bool awl_plugins_locate(struct awl_plugins *c, const char *name, struct plugin_from *from,
			struct err *err)
{
	struct plugin_id id = { 0 };
	struct installed_plugin installed;
	struct known_marketplace known;
	struct marketplace market;
	struct plugin_source source;
	struct err ignored = ERR_INIT;

	if (!awl_plugins_find(c, name, true, &id, &ignored) &&
	    !awl_plugins_find(c, name, false, &id, err))
		return false;
	if (!awl_plugins_market(c, id.marketplace, &known, &market, err))
		return false;
	*from = (struct plugin_from){ .marketplace = id.marketplace,
				      .entry = marketplace_find(&market, id.name),
				      .entry_file = market.file,
				      .configs = settings_get(c->settings, "pluginConfigs"),
				      .secrets = plugin_registry_secrets(c->config_dir, &c->set) };
	if (plugin_registry_installed(&c->registry, sv_cstr(awl_plugins_id(c, &id)),
				      c->project.files.project_dir, &installed)) {
		from->dir = installed.path;
		return true;
	}
	if (!json_exists(from->entry))
		return err_set(err, ERR_NOT_FOUND, "the marketplace %.*s has no plugin %.*s",
			       SV_ARG(id.marketplace), SV_ARG(id.name));
	if (!plugin_source_read(&source, json_get(from->entry, "source"), err))
		return false;
	if (source.kind != SOURCE_PATH || !market.dir)
		return err_set(
			err, ERR_NOT_FOUND,
			"%s is not on this machine; 'awl plugin install' fetches it and shows "
			"its contents before it installs anything",
			name);
	from->dir = arena_printf(&c->p->arena, "%s/%.*s/%.*s", market.dir,
				 SV_ARG(market.plugin_root), SV_ARG(source.path))
			    .ptr;
	return true;
}

enum awl_result awl_plugin_details(struct awl_project *p, const char *name, const char **text)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;
	struct plugin_from from;
	defer(str_clear) struct str out = STR_INIT;
	const struct plugin *plugin;

	if (!awl_plugins_open(&c, p, &err) || !awl_plugins_locate(&c, name, &from, &err) ||
	    !plugin_set_load(&c.set, &from, &err))
		return awl_end(false, &err);
	plugin = vec_last(&c.set.all);
	str_addf(&out, "%.*s %.*s\n", SV_ARG(plugin->id), SV_ARG(plugin->version));
	if (plugin->description.len)
		str_addf(&out, "%.*s\n", SV_ARG(plugin->description));
	if (plugin->author.len)
		str_addf(&out, "By %.*s\n", SV_ARG(plugin->author));
	str_addf(&out, "%s\n", plugin->root);
	plugin_describe(&out, plugin);
	str_add(&out, sv_of(&c.set.notes));
	*text = awl_plugins_keep(&c, sv_of(&out));
	return awl_end(true, &err);
}

/* --- validate -------------------------------------------------------------------------------- */

static bool awl_plugins_validate_market(struct awl_plugins *c, const char *path, struct err *err)
{
	struct marketplace market;
	struct json_iter it;
	struct json entry;

	if (!marketplace_read(&market, path, &c->set, err))
		return false;
	marketplace_check(&market, SV_EMPTY, &c->set.notes);
	it = json_each(market.plugins);
	while (market.dir && json_next(&it, NULL, &entry)) {
		struct plugin_source source;
		struct err why = ERR_INIT;
		defer(str_clear) struct str dir = STR_INIT;

		if (!marketplace_check_entry(entry, &why) ||
		    !plugin_source_read(&source, json_get(entry, "source"), &why) ||
		    source.kind != SOURCE_PATH)
			continue;
		str_addf(&dir, "%s/%.*s/%.*s", market.dir, SV_ARG(market.plugin_root),
			 SV_ARG(source.path));
		if (!plugin_set_load(&c->set,
				     &(struct plugin_from){ .dir = dir.ptr,
							    .marketplace = market.name,
							    .entry = entry,
							    .entry_file = market.file },
				     &why))
			str_addf(&c->set.notes, "%s\n", why.text);
	}
	return true;
}

/* What a session would say about the parts of the plugins. */
static void awl_plugins_validate_parts(struct awl_plugins *c)
{
	defer(command_list_clear) struct command_list commands = COMMAND_LIST_INIT;
	defer(agent_list_clear) struct agent_list agents = AGENT_LIST_INIT;
	struct str *notes = &c->set.notes;
	hook_plugins hooks = VEC_INIT;

	plugin_set_add_commands(&c->set, &commands);
	agent_sources_add_plugins(&agents, &c->set);
	plugin_set_add_hooks(&c->set, &hooks);
	hook_set_unref(hook_set_new(
		NULL, &(struct hook_others){ .plugins = hooks.at, .nplugins = hooks.n }, false,
		notes));
	str_add(notes, sv_of(&commands.notes));
	str_add(notes, sv_of(&agents.notes));
	vec_clear(&hooks);
}

enum awl_result awl_plugin_validate(struct awl_project *p, const char *path, const char **text)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;
	defer(str_clear) struct str real = STR_INIT, full = STR_INIT, market = STR_INIT;
	bool ok;

	if (!awl_plugins_open(&c, p, &err))
		return awl_end(false, &err);
	fs_join(&full, *path == '/' ? SV_EMPTY : sv_of(&p->dir), sv_cstr(path));
	if (!fs_realpath(&real, full.ptr, &err))
		return awl_end(false, &err);
	fs_join(&market, sv_of(&real), SV(".claude-plugin/marketplace.json"));
	ok = fs_exists(market.ptr) || sv_ends(sv_of(&real), SV(".json"))
		     ? awl_plugins_validate_market(&c, real.ptr, &err)
		     : plugin_set_load(&c.set, &(struct plugin_from){ .dir = real.ptr }, &err);
	if (!ok)
		str_addf(&c.set.notes, "%s\n", err.text);
	awl_plugins_validate_parts(&c);
	*text = awl_plugins_keep(&c, sv_of(&c.set.notes));
	return awl_end(true, &err);
}
