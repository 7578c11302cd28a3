/* awl_plugins.h: installing, updating and removing plugins.
 *
 *   find the entry in its marketplace  >  fetch it  >  copy it, checked, to a stage  >  read it as a session would
 *   >  ask the user, who sees what it runs  >  move it into the cache, record it, enable it
 *
 * Until the user agrees, no part of it is where a session looks. */
#include "base/ascii.h"
#include "base/limits.h"
#include "core/api/awl_plugins_int.h"
#include "extend/plugins/tree.h"
#include "sys/fs.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"

/* One installation. */
struct plugin_install {
	struct awl_plugins *c;
	struct plugin_id id;
	const char *full; /* "name@marketplace" */
	struct known_marketplace known;
	struct marketplace market;
	struct json entry;
	struct plugin_source source;
	struct plugin_fetch fetch;
	struct str work;  /* a directory that is removed at the end */
	struct str stage; /* the copy in it */
	struct plugin_set set;
	const char *version;
	bool is_update;
};

static void plugin_install_clear(struct plugin_install *i)
{
	struct err ignored = ERR_INIT;

	if (i->work.len)
		(void)!fs_remove_tree(i->work.ptr, &ignored);
	str_clear(&i->work);
	str_clear(&i->stage);
	plugin_fetch_clear(&i->fetch);
	plugin_set_clear(&i->set);
}

/* --- fetching -------------------------------------------------------------------------------- */

static bool plugin_install_find(struct plugin_install *i, const char *name, struct err *err)
{
	struct awl_plugins *c = i->c;

	if (!awl_plugins_find(c, name, i->is_update, &i->id, err) ||
	    !awl_plugins_market(c, i->id.marketplace, &i->known, &i->market, err))
		return false;
	i->full = awl_plugins_id(c, &i->id);
	i->entry = marketplace_find(&i->market, i->id.name);
	if (!json_exists(i->entry))
		return err_set(err, ERR_NOT_FOUND,
			       "the marketplace %.*s has no plugin %.*s; 'awl plugin marketplace "
			       "update' looks for new ones",
			       SV_ARG(i->id.marketplace), SV_ARG(i->id.name));
	return plugin_source_read(&i->source, json_get(i->entry, "source"), err);
}

static bool plugin_install_begin(struct plugin_install *i, struct err *err)
{
	const char *cache = awl_plugins_path(i->c, "cache");

	if (!fs_mkdirs(cache, 0700, err) || !fs_temp_dir_in(&i->work, cache, err))
		return false;
	fs_join(&i->stage, sv_of(&i->work), SV("plugin"));
	return true;
}

/* Fetch the files. `*from` is where they are. */
static bool plugin_install_fetch(struct plugin_install *i, struct str *from, struct err *err)
{
	defer(str_clear) struct str into = STR_INIT;

	if (i->source.kind == SOURCE_PATH) {
		if (!i->market.dir)
			return err_set(err, ERR_INVALID,
				       "%s: %.*s is a path, but only the list of this marketplace "
				       "was fetched",
				       i->market.file, SV_ARG(i->id.name));
		str_addf(from, "%s/%.*s/%.*s", i->market.dir, SV_ARG(i->market.plugin_root),
			 SV_ARG(i->source.path));
		return true;
	}
	if (!plugin_fetch_is_needed(&i->source))
		return err_set(err, ERR_INVALID, "%s: the source of %.*s is not valid for a plugin",
			       i->market.file, SV_ARG(i->id.name));
	fs_join(&into, sv_of(&i->work), SV("fetched"));
	i->fetch.source = &i->source;
	i->fetch.into = into.ptr;
	i->fetch.allows_local = plugin_source_is_local(&i->known.source);
	if (!awl_plugins_fetch(i->c, &i->fetch, err))
		return false;
	str_add(from, sv_of(&i->fetch.dir));
	return true;
}

/* A version is a part of a path. */
static const char *plugin_install_version(struct plugin_install *i, struct sv version)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!version.len)
		version = sv_slice(sv_of(&i->fetch.sha), 0, min_of(i->fetch.sha.len, (size_t)12));
	for (size_t k = 0; k < version.len && k < LIMIT_PLUGIN_NAME; k++)
		str_addc(&text, ascii_is_alnum(version.ptr[k]) || (k && version.ptr[k] == '.')
					? version.ptr[k]
					: '-');
	return awl_plugins_keep(i->c, text.len ? sv_of(&text) : SV("unknown"));
}

/* Copy the files to the stage, and read the plugin there as a session would. */
static bool plugin_install_stage(struct plugin_install *i, struct err *err)
{
	defer(str_clear) struct str from = STR_INIT;
	const struct plugin *plugin;

	if (!plugin_install_begin(i, err) || !plugin_install_fetch(i, &from, err) ||
	    !plugin_tree_copy(from.ptr, i->source.kind == SOURCE_PATH ? i->market.dir : i->work.ptr,
			      i->stage.ptr, err) ||
	    !plugin_set_load(&i->set,
			     &(struct plugin_from){ .dir = i->stage.ptr,
						    .marketplace = i->id.marketplace,
						    .entry = i->entry,
						    .entry_file = i->market.file },
			     err))
		return false;
	plugin = &i->set.all.at[0];
	if (!sv_eq(plugin->name, i->id.name))
		return err_set(err, ERR_INVALID,
			       "%s: its name is %.*s, but the marketplace calls it %.*s",
			       plugin->root, SV_ARG(plugin->name), SV_ARG(i->id.name));
	i->version = plugin_install_version(i, plugin->version);
	return true;
}

/* --- asking ---------------------------------------------------------------------------------- */

static bool plugin_install_ask(struct plugin_install *i, const char *before,
			       awl_plugin_confirm_fn *confirm, void *arg, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT, parts = STR_INIT, source = STR_INIT;

	plugin_source_describe(&source, &i->source);
	plugin_describe(&parts, &i->set.all.at[0]);
	if (before)
		str_addf(&text, "Update %s from %s to %s", i->full, before, i->version);
	else
		str_addf(&text, "Install %s, version %s", i->full, i->version);
	str_addf(&text, ", from %s\n", str_c(&source));
	if (i->fetch.sha.len)
		str_addf(&text, "Commit %s\n", str_c(&i->fetch.sha));
	str_adds(&text,
		 parts.len ? "It contains and may run:\n" : "It contains nothing that awl uses.\n");
	str_add(&text, sv_of(&parts));
	str_add(&text, sv_of(&i->set.notes));
	return confirm(arg, str_c(&text)) || err_set(err, ERR_CANCELLED, "%s was not %s", i->full,
						     before ? "updated" : "installed");
}

/* --- recording ------------------------------------------------------------------------------- */

static bool awl_plugin_record_is_of(struct json record, enum plugin_scope scope,
				    const char *project)
{
	struct sv word = json_str_or(json_get(record, "scope"), SV("user"));
	struct sv path = json_str_or(json_get(record, "projectPath"), SV_EMPTY);

	return sv_is(word, plugin_scope_name(scope)) &&
	       (scope == PLUGIN_USER || scope == PLUGIN_MANAGED || sv_is(path, project));
}

/* Write the records of a plugin without that of a scope. Returns how many there are. */
static size_t awl_plugin_record_copy(struct jw *w, struct awl_plugins *c, struct sv id,
				     enum plugin_scope scope)
{
	struct json_iter it =
		json_each(json_get_sv(json_get(c->registry.installed, "plugins"), id));
	struct json record;
	size_t n = 0;

	while (!it.keyed && json_next(&it, NULL, &record))
		if (!awl_plugin_record_is_of(record, scope, c->project.files.project_dir)) {
			jw_value(w, record);
			n++;
		}
	return n;
}

static enum plugin_scope awl_plugin_record_scope(enum awl_scope scope)
{
	return scope == AWL_SCOPE_PROJECT ? PLUGIN_PROJECT
	       : scope == AWL_SCOPE_LOCAL ? PLUGIN_LOCAL
					  : PLUGIN_USER;
}

static int64_t awl_plugin_record_now(void)
{
	struct loop *loop = loop_new();
	int64_t now = loop_wall(loop);

	loop_free(loop);
	return now;
}

static void awl_plugin_record_write(struct jw *w, struct plugin_install *i, enum plugin_scope scope,
				    const char *path, struct sv installed_at)
{
	struct iso_time now = iso_time(awl_plugin_record_now());

	jw_object(w);
	jw_put_str(w, "scope", sv_cstr(plugin_scope_name(scope)));
	if (scope == PLUGIN_PROJECT || scope == PLUGIN_LOCAL)
		jw_put_str(w, "projectPath", sv_cstr(i->c->project.files.project_dir));
	jw_put_str(w, "installPath", sv_cstr(path));
	jw_put_str(w, "version", sv_cstr(i->version));
	jw_put_str(w, "installedAt", installed_at.len ? installed_at : sv_cstr(now.text));
	jw_put_str(w, "lastUpdated", sv_cstr(now.text));
	if (i->fetch.sha.len)
		jw_put_str(w, "gitCommitSha", sv_of(&i->fetch.sha));
	jw_end(w);
}

static bool awl_plugin_record(struct plugin_install *i, enum plugin_scope scope, const char *path,
			      struct sv installed_at, struct err *err)
{
	struct sv id = sv_cstr(i->full);
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_array(&w);
	(void)awl_plugin_record_copy(&w, i->c, id, scope);
	awl_plugin_record_write(&w, i, scope, path, installed_at);
	jw_end(&w);
	jw_done(&w);
	if (!json_exists(json_get(i->c->registry.installed, "version")) &&
	    !awl_plugins_write(i->c, "installed_plugins.json", JSON_STEPS(SV("version")), SV("2"),
			       err))
		return false;
	return awl_plugins_write(i->c, "installed_plugins.json", JSON_STEPS(SV("plugins"), id),
				 sv_of(&json), err);
}

/* Move the stage to where sessions look for this version. */
static const char *plugin_install_move(struct plugin_install *i, struct err *err)
{
	const char *dir = awl_plugins_path(i->c, "cache/%.*s/%.*s", SV_ARG(i->id.marketplace),
					   SV_ARG(i->id.name));
	const char *path = arena_printf(&i->c->p->arena, "%s/%s", dir, i->version).ptr;
	defer(str_clear) struct str old = STR_INIT;

	fs_join(&old, sv_of(&i->work), SV("old"));
	if (!fs_mkdirs(dir, 0700, err) || (fs_exists(path) && !fs_rename(path, old.ptr, err)) ||
	    !fs_rename(i->stage.ptr, path, err))
		return NULL;
	return path;
}

/* --- install --------------------------------------------------------------------------------- */

static bool plugin_install_is_forbidden(struct plugin_install *i, struct err *err)
{
	struct json policy =
		json_get_sv(settings_get_from(i->c->settings, SETTINGS_POLICY, "enabledPlugins"),
			    sv_cstr(i->full));

	return json_is(policy, JSON_BOOL) && !json_bool_or(policy, true) &&
	       !err_set(err, ERR_ACCESS, "the managed settings disable %s", i->full);
}

/* Make the directory in which the plugin may keep files. */
static bool plugin_install_make_data(struct plugin_install *i, struct err *err)
{
	defer(str_clear) struct str data = STR_INIT;

	plugin_data_name(&data, sv_cstr(i->full));
	return fs_mkdirs(awl_plugins_path(i->c, "data/%s", str_c(&data)), 0700, err);
}

static bool plugin_install_run(struct plugin_install *i, const char *name, enum awl_scope scope,
			       awl_plugin_confirm_fn *confirm, void *arg, struct err *err)
{
	const char *path;

	if (!plugin_install_find(i, name, err) || plugin_install_is_forbidden(i, err) ||
	    !plugin_install_stage(i, err) || !plugin_install_ask(i, NULL, confirm, arg, err))
		return false;
	path = plugin_install_move(i, err);
	return path && plugin_install_make_data(i, err) &&
	       awl_plugin_record(i, awl_plugin_record_scope(scope), path, SV_EMPTY, err) &&
	       awl_plugins_set_enabled(i->c, scope, sv_cstr(i->full), SV("true"), err);
}

enum awl_result awl_plugin_install(struct awl_project *p, const char *name, enum awl_scope scope,
				   awl_plugin_confirm_fn *confirm, void *arg, const char **id)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	defer(plugin_install_clear) struct plugin_install i = { .c = &c, .set = PLUGIN_SET_INIT };
	struct err err = ERR_INIT;
	bool ok = awl_plugins_open(&c, p, &err) &&
		  plugin_install_run(&i, name, scope, confirm, arg, &err);

	*id = i.full;
	return awl_end(ok, &err);
}

/* --- update ---------------------------------------------------------------------------------- */

/* Every record follows: a version that nobody uses is removed. */
static bool awl_plugin_update_records(struct plugin_install *i, struct err *err)
{
	struct json all =
		json_get_sv(json_get(i->c->registry.installed, "plugins"), sv_cstr(i->full));
	struct installed_plugin old;
	const char *path = plugin_install_move(i, err);
	struct err ignored = ERR_INIT;

	if (!path ||
	    !plugin_registry_installed(&i->c->registry, sv_cstr(i->full),
				       i->c->project.files.project_dir, &old) ||
	    !awl_plugin_record(i, old.scope, path, old.installed_at, err))
		return false;
	if (json_len(all) == 1 && !sv_is(sv_cstr(path), old.path) &&
	    sv_starts(sv_cstr(old.path), sv_cstr(awl_plugins_path(i->c, "cache/"))))
		(void)!fs_remove_tree(old.path, &ignored);
	return true;
}

static bool awl_plugin_update_run(struct plugin_install *i, const char *name,
				  awl_plugin_confirm_fn *confirm, void *arg, struct str *text,
				  struct err *err)
{
	struct installed_plugin old;

	if (!plugin_install_find(i, name, err))
		return false;
	if (!plugin_registry_installed(&i->c->registry, sv_cstr(i->full),
				       i->c->project.files.project_dir, &old))
		return err_set(err, ERR_NOT_FOUND, "%s is not installed", i->full);
	if (!plugin_install_stage(i, err))
		return false;
	if (sv_is(old.version, i->version) && !sv_is(old.version, "unknown") &&
	    sv_eq(old.sha, sv_of(&i->fetch.sha))) {
		str_addf(text, "%s is up to date (%s)", i->full, i->version);
		return true;
	}
	str_addf(text, "Updated %s from %.*s to %s", i->full, SV_ARG(old.version), i->version);
	return plugin_install_ask(i, awl_plugins_keep(i->c, old.version), confirm, arg, err) &&
	       awl_plugin_update_records(i, err);
}

enum awl_result awl_plugin_update(struct awl_project *p, const char *name,
				  awl_plugin_confirm_fn *confirm, void *arg, const char **text)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	defer(plugin_install_clear) struct plugin_install i = { .c = &c,
								.set = PLUGIN_SET_INIT,
								.is_update = true };
	defer(str_clear) struct str done = STR_INIT;
	struct err err = ERR_INIT;
	bool ok = awl_plugins_open(&c, p, &err) &&
		  awl_plugin_update_run(&i, name, confirm, arg, &done, &err);

	*text = awl_plugins_keep(&c, sv_of(&done));
	return awl_end(ok, &err);
}

/* --- uninstall ------------------------------------------------------------------------------- */

/* Remove the files that are left when nobody has the plugin any more. */
static bool awl_plugin_remove_files(struct awl_plugins *c, const struct plugin_id *id,
				    bool keep_data, struct err *err)
{
	defer(str_clear) struct str data = STR_INIT;
	struct err ignored = ERR_INIT;

	plugin_data_name(&data, sv_cstr(awl_plugins_id(c, id)));
	if (!fs_remove_tree(awl_plugins_path(c, "cache/%.*s/%.*s", SV_ARG(id->marketplace),
					     SV_ARG(id->name)),
			    err) ||
	    (!keep_data && !awl_plugins_forget_config(c, sv_cstr(awl_plugins_id(c, id)), err)) ||
	    (!keep_data && !fs_remove_tree(awl_plugins_path(c, "data/%s", str_c(&data)), err)))
		return false;
	/* Only when it is empty. */
	(void)!fs_remove(awl_plugins_path(c, "cache/%.*s", SV_ARG(id->marketplace)), &ignored);
	return true;
}

static bool awl_plugin_forget(struct awl_plugins *c, const struct plugin_id *id,
			      enum plugin_scope scope, bool keep_data, struct err *err)
{
	struct sv full = sv_cstr(awl_plugins_id(c, id));
	defer(str_clear) struct str json = STR_INIT;
	size_t left;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_array(&w);
	left = awl_plugin_record_copy(&w, c, full, scope);
	jw_end(&w);
	jw_done(&w);
	return awl_plugins_write(c, "installed_plugins.json", JSON_STEPS(SV("plugins"), full),
				 left ? sv_of(&json) : SV_EMPTY, err) &&
	       (left || awl_plugin_remove_files(c, id, keep_data, err));
}

static bool awl_plugin_uninstall_run(struct awl_plugins *c, const char *name, enum awl_scope scope,
				     bool keep_data, struct err *err)
{
	struct plugin_id id;
	struct installed_plugin installed;
	struct sv full;

	if (!awl_plugins_find(c, name, true, &id, err))
		return false;
	full = sv_cstr(awl_plugins_id(c, &id));
	if (!plugin_registry_installed(&c->registry, full, c->project.files.project_dir,
				       &installed))
		return err_set(err, ERR_NOT_FOUND, "%s is not installed", full.ptr);
	if (scope == AWL_SCOPE_DEFAULT)
		scope = installed.scope == PLUGIN_PROJECT ? AWL_SCOPE_PROJECT
			: installed.scope == PLUGIN_LOCAL ? AWL_SCOPE_LOCAL
							  : AWL_SCOPE_USER;
	return awl_plugins_set_enabled(c, scope, full, SV_EMPTY, err) &&
	       awl_plugin_forget(c, &id, awl_plugin_record_scope(scope), keep_data, err);
}

enum awl_result awl_plugin_uninstall(struct awl_project *p, const char *name, enum awl_scope scope,
				     bool keep_data)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_plugins_open(&c, p, &err) &&
			       awl_plugin_uninstall_run(&c, name, scope, keep_data, &err),
		       &err);
}

bool awl_plugins_purge(struct awl_plugins *c, struct sv id, struct err *err)
{
	struct plugin_id parts;

	if (!plugin_id_read(id, &parts))
		return true;
	return awl_plugins_set_enabled(c, AWL_SCOPE_USER, id, SV_EMPTY, err) &&
	       awl_plugins_set_enabled(c, AWL_SCOPE_LOCAL, id, SV_EMPTY, err) &&
	       awl_plugins_write(c, "installed_plugins.json", JSON_STEPS(SV("plugins"), id),
				 SV_EMPTY, err) &&
	       awl_plugin_remove_files(c, &parts, false, err);
}

/* --- enable ---------------------------------------------------------------------------------- */

enum awl_result awl_plugin_enable(struct awl_project *p, const char *name, enum awl_scope scope,
				  bool is_enabled)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;
	struct plugin_id id;
	bool ok = awl_plugins_open(&c, p, &err) && awl_plugins_find(&c, name, true, &id, &err);

	if (ok && scope == AWL_SCOPE_DEFAULT) {
		struct installed_plugin installed = { .scope = PLUGIN_USER };

		(void)!plugin_registry_installed(&c.registry, sv_cstr(awl_plugins_id(&c, &id)),
						 c.project.files.project_dir, &installed);
		scope = installed.scope == PLUGIN_PROJECT ? AWL_SCOPE_PROJECT
			: installed.scope == PLUGIN_LOCAL ? AWL_SCOPE_LOCAL
							  : AWL_SCOPE_USER;
	}
	return awl_end(ok && awl_plugins_set_enabled(&c, scope, sv_cstr(awl_plugins_id(&c, &id)),
						     is_enabled ? SV("true") : SV("false"), &err),
		       &err);
}
