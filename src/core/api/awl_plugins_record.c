/* awl_plugins.h: the records and files of installed plugins. */
#include "base/limits.h"
#include "core/api/awl_plugins_install.h"
#include "sys/fs.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"

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

int64_t awl_plugin_record_now(void)
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
	if (i->is_automatic)
		jw_put_bool(w, "autoInstalled", true);
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

/* --- install and update ---------------------------------------------------------------------- */

/* Make the directory in which the plugin may keep files. */
static bool plugin_record_make_data(struct plugin_install *i, struct err *err)
{
	defer(str_clear) struct str data = STR_INIT;

	plugin_data_name(&data, sv_cstr(i->full));
	return fs_mkdirs(awl_plugins_path(i->c, "data/%s", str_c(&data)), 0700, err);
}

bool plugin_record_install(struct plugin_install *i, enum awl_scope scope, struct err *err)
{
	bool is_enabled = i->is_automatic || !plugin_install_staged(i)->starts_disabled;
	const char *path = plugin_install_move(i, err);

	if (path && !is_enabled)
		awl_project_note(i->c->p,
				 "%s is disabled by default: 'awl plugin enable %s' enables it.",
				 i->full, i->full);
	return path && plugin_record_make_data(i, err) &&
	       awl_plugin_record(i, awl_plugin_record_scope(scope), path, SV_EMPTY, err) &&
	       awl_plugins_set_enabled(i->c, scope, sv_cstr(i->full),
				       is_enabled ? SV("true") : SV("false"), err);
}

bool plugin_record_update(struct plugin_install *i, struct err *err)
{
	struct installed_plugin old;
	const char *path = plugin_install_move(i, err);

	if (!path || !plugin_registry_installed(&i->c->registry, sv_cstr(i->full),
						i->c->project.files.project_dir, &old))
		return false;
	i->is_automatic = old.is_automatic;
	return awl_plugin_record(i, old.scope, path, old.installed_at, err);
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

static bool awl_plugins_uninstall(struct awl_plugins *c, const struct plugin_id *id,
				  enum awl_scope scope, bool keep_data, struct err *err)
{
	return awl_plugins_set_enabled(c, scope, sv_cstr(awl_plugins_id(c, id)), SV_EMPTY, err) &&
	       awl_plugin_forget(c, id, awl_plugin_record_scope(scope), keep_data, err);
}

static enum awl_scope awl_plugin_scope_of(enum plugin_scope scope)
{
	return scope == PLUGIN_PROJECT ? AWL_SCOPE_PROJECT
	       : scope == PLUGIN_LOCAL ? AWL_SCOPE_LOCAL
				       : AWL_SCOPE_USER;
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
		scope = awl_plugin_scope_of(installed.scope);
	return awl_plugins_check_unneeded(c, full, err) &&
	       awl_plugins_uninstall(c, &id, scope, keep_data, err);
}

enum awl_result awl_plugin_uninstall(struct awl_project *p, const char *name, enum awl_scope scope,
				     bool keep_data)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;

	bool ok = awl_plugins_open(&c, p, &err) &&
		  awl_plugin_uninstall_run(&c, name, scope, keep_data, &err) &&
		  awl_plugins_reread(&c, &err);

	if (ok)
		plugin_record_sweep(&c);
	return awl_end(ok, &err);
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

static bool awl_plugin_enable_run(struct awl_plugins *c, const char *name, enum awl_scope scope,
				  bool is_enabled, struct err *err)
{
	struct installed_plugin installed = { .scope = PLUGIN_USER };
	struct plugin_id id;
	struct sv full;

	if (!awl_plugins_find(c, name, true, &id, err))
		return false;
	full = sv_cstr(awl_plugins_id(c, &id));
	if (scope == AWL_SCOPE_DEFAULT) {
		(void)!plugin_registry_installed(&c->registry, full, c->project.files.project_dir,
						 &installed);
		scope = awl_plugin_scope_of(installed.scope);
	}
	return (is_enabled ? awl_plugins_enable_needs(c, full, scope, err)
			   : awl_plugins_check_unneeded(c, full, err)) &&
	       awl_plugins_set_enabled(c, scope, full, is_enabled ? SV("true") : SV("false"), err);
}

enum awl_result awl_plugin_enable(struct awl_project *p, const char *name, enum awl_scope scope,
				  bool is_enabled)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_plugins_open(&c, p, &err) &&
			       awl_plugin_enable_run(&c, name, scope, is_enabled, &err),
		       &err);
}

/* --- prune ----------------------------------------------------------------------------------- */

static bool awl_plugin_prune_is_needed(const struct plugin_set *all, struct sv id)
{
	for (size_t i = 0; i < all->all.n; i++)
		for (size_t k = 0; k < all->all.at[i].needs.n; k++)
			if (awl_plugins_need_is(&all->all.at[i].needs.at[k], all->all.at[i].id, id))
				return true;
	return false;
}

/* Remove one that nobody needs. `*found` gets its name; empty: there is none. */
static bool awl_plugin_prune_one(struct awl_plugins *c, struct sv *found, struct err *err)
{
	defer(plugin_set_clear) struct plugin_set all = PLUGIN_SET_INIT;
	struct installed_plugin installed = { 0 };
	struct plugin_id id;

	*found = SV_EMPTY;
	awl_plugins_load_installed(c, &all);
	for (size_t i = 0; i < all.all.n && !found->len; i++)
		if (plugin_registry_installed(&c->registry, all.all.at[i].id,
					      c->project.files.project_dir, &installed) &&
		    installed.is_automatic && !awl_plugin_prune_is_needed(&all, all.all.at[i].id))
			*found = sv_cstr(awl_plugins_keep(c, all.all.at[i].id));
	return !found->len ||
	       (plugin_id_read(*found, &id) &&
		awl_plugins_uninstall(c, &id, awl_plugin_scope_of(installed.scope), false, err));
}

enum awl_result awl_plugins_prune(struct awl_project *p, const char **text)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	defer(str_clear) struct str names = STR_INIT;
	struct err err = ERR_INIT;
	struct sv found;
	bool ok = awl_plugins_open(&c, p, &err);

	while (ok && (ok = awl_plugin_prune_one(&c, &found, &err)) && found.len)
		str_addf(&names, "%s%.*s", names.len ? ", " : "", SV_ARG(found));
	if (ok)
		plugin_record_sweep(&c);
	*text = awl_plugins_keep(&c, sv_of(&names));
	return awl_end(ok, &err);
}
