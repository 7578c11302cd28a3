/* awl_plugins.h: installing and updating plugins. */
#include "core/api/awl_plugins_install.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "extend/plugins/tree.h"
#include "sys/fs.h"

struct plugin_install *plugin_install_new(struct awl_plugins *c, bool is_update)
{
	struct plugin_install *i = xnew(struct plugin_install);

	i->c = c;
	i->is_update = is_update;
	return i;
}

void plugin_install_free(struct plugin_install *i)
{
	struct err ignored = ERR_INIT;

	if (i->work.len)
		(void)!fs_remove_tree(i->work.ptr, &ignored);
	str_clear(&i->work);
	str_clear(&i->stage);
	vec_clear(&i->ranges);
	plugin_fetch_clear(&i->fetch);
	plugin_set_clear(&i->set);
	free(i);
}

const struct plugin *plugin_install_staged(const struct plugin_install *i)
{
	return &i->set.all.at[0];
}

/* --- fetching -------------------------------------------------------------------------------- */

static bool plugin_install_is_denied(const struct plugin_install *i, struct err *err)
{
	struct json policy =
		json_get_sv(settings_get_from(i->c->settings, SETTINGS_POLICY, "enabledPlugins"),
			    sv_cstr(i->full));

	return json_is(policy, JSON_BOOL) && !json_bool_or(policy, true) &&
	       !err_set(err, ERR_ACCESS, "the managed settings disable %s", i->full);
}

bool plugin_install_find(struct plugin_install *i, const char *name, struct err *err)
{
	struct awl_plugins *c = i->c;

	if (!awl_plugins_find(c, name, i->is_update, &i->id, err) ||
	    !awl_plugins_market(c, i->id.marketplace, &i->known, &i->market, err))
		return false;
	i->full = awl_plugins_id(c, &i->id);
	if (!i->is_update && plugin_install_is_denied(i, err))
		return false;
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

/* Only git knows other versions than the present one. */
static void plugin_install_prefer_git(struct plugin_install *i)
{
	struct arena *arena = &i->c->p->arena;
	struct sv url = plugin_source_address(&i->known.source, arena);

	if (i->source.kind == SOURCE_PATH && i->ranges.n && url.len && i->market.dir)
		i->source = (struct plugin_source){
			.kind = SOURCE_GIT_SUBDIR,
			.url = url,
			.path = arena_printf(arena, "%.*s%s%.*s", SV_ARG(i->market.plugin_root),
					     i->market.plugin_root.len ? "/" : "",
					     SV_ARG(i->source.path)),
			.ref = i->known.source.ref,
		};
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
	i->fetch.tag_prefix = arena_printf(&i->c->p->arena, "%.*s--v", SV_ARG(i->id.name)).ptr;
	i->fetch.ranges = i->ranges.at;
	i->fetch.nranges = i->ranges.n;
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
bool plugin_install_stage(struct plugin_install *i, struct err *err)
{
	defer(str_clear) struct str from = STR_INIT;
	const struct plugin *plugin;

	plugin_install_prefer_git(i);
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
	plugin = plugin_install_staged(i);
	if (!sv_eq(plugin->name, i->id.name))
		return err_set(err, ERR_INVALID,
			       "%s: its name is %.*s, but the marketplace calls it %.*s",
			       plugin->root, SV_ARG(plugin->name), SV_ARG(i->id.name));
	i->version = plugin_install_version(i, plugin->version);
	return true;
}

/* --- asking ---------------------------------------------------------------------------------- */

/* Append what it contains and runs. `before` is the version that it replaces; NULL: none. */
static void plugin_install_describe(struct str *out, struct plugin_install *i, const char *before)
{
	defer(str_clear) struct str parts = STR_INIT, source = STR_INIT;

	plugin_source_describe(&source, &i->source);
	plugin_describe(&parts, plugin_install_staged(i));
	if (before)
		str_addf(out, "Update %s from %s to %s", i->full, before, i->version);
	else
		str_addf(out, "Install %s, version %s", i->full, i->version);
	str_addf(out, ", from %s\n", str_c(&source));
	if (i->fetch.tag)
		str_addf(out, "Tag %s\n", i->fetch.tag);
	if (i->fetch.sha.len)
		str_addf(out, "Commit %s\n", str_c(&i->fetch.sha));
	str_adds(out,
		 parts.len ? "It contains and may run:\n" : "It contains nothing that awl uses.\n");
	str_add(out, sv_of(&parts));
	str_add(out, sv_of(&i->set.notes));
}

/* Show the whole plan. */
static bool plugin_install_ask(struct plugin_plan *plan, const char *before,
			       awl_plugin_confirm_fn *confirm, void *arg, struct err *err)
{
	struct plugin_install *first = plan->all.at[0];
	const char *more = settings_str(plan->c->settings, "pluginTrustMessage");
	defer(str_clear) struct str text = STR_INIT;

	plugin_install_describe(&text, first, before);
	if (plan->all.n > 1 || plan->enable.n)
		str_addf(&text, "\n%s needs other plugins:\n", first->full);
	for (size_t k = 1; k < plan->all.n; k++)
		plugin_install_describe(&text, plan->all.at[k], NULL);
	for (size_t k = 0; k < plan->enable.n; k++)
		str_addf(&text, "Enable %.*s, which is installed\n", SV_ARG(plan->enable.at[k]));
	if (more && *more)
		str_addf(&text, "\n%s\n", more);
	return confirm(arg, str_c(&text)) || err_set(err, ERR_CANCELLED, "%s was not %s",
						     first->full, before ? "updated" : "installed");
}

/* What is needed comes first, so that a failure leaves nothing that lacks it. */
static bool plugin_install_record(struct plugin_plan *plan, enum awl_scope scope, struct err *err)
{
	for (size_t k = 0; k < plan->enable.n; k++)
		if (!awl_plugins_set_enabled(plan->c, scope, plan->enable.at[k], SV("true"), err))
			return false;
	for (size_t k = plan->all.n; k-- > 0;) {
		struct plugin_install *i = plan->all.at[k];

		if (!(i->is_update ? plugin_record_update(i, err)
				   : plugin_record_install(i, scope, err)))
			return false;
		if (i->is_update && k &&
		    !awl_plugins_set_enabled(plan->c, scope, sv_cstr(i->full), SV("true"), err))
			return false;
		if (k)
			awl_project_note(plan->c->p, "Installed %s as well, because %s needs it.",
					 i->full, plan->all.at[0]->full);
	}
	plugin_record_sweep(plan->c);
	return true;
}

/* --- install --------------------------------------------------------------------------------- */

enum awl_result awl_plugin_install(struct awl_project *p, const char *name, enum awl_scope scope,
				   awl_plugin_confirm_fn *confirm, void *arg, const char **id)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	defer(plugin_plan_clear) struct plugin_plan plan = { .installed = PLUGIN_SET_INIT };
	struct err err = ERR_INIT;
	bool ok = awl_plugins_open(&c, p, &err) &&
		  plugin_plan_begin(&plan, &c, name, false, &err) &&
		  plugin_plan_complete(&plan, &err) &&
		  plugin_install_ask(&plan, NULL, confirm, arg, &err) &&
		  plugin_install_record(&plan, scope, &err);

	*id = plan.all.n ? plan.all.at[0]->full : NULL;
	return awl_end(ok, &err);
}

/* --- update ---------------------------------------------------------------------------------- */

static bool awl_plugin_update_run(struct plugin_plan *plan, const char *name,
				  awl_plugin_confirm_fn *confirm, void *arg, struct str *text,
				  struct err *err)
{
	struct awl_plugins *c = plan->c;
	struct installed_plugin old;
	struct plugin_install *i;

	if (!plugin_plan_begin(plan, c, name, true, err))
		return false;
	i = plan->all.at[0];
	if (!plugin_registry_installed(&c->registry, sv_cstr(i->full), c->project.files.project_dir,
				       &old))
		return err_set(err, ERR_NOT_FOUND, "%s is not installed", i->full);
	if (sv_is(old.version, i->version) && !sv_is(old.version, "unknown") &&
	    sv_eq(old.sha, sv_of(&i->fetch.sha))) {
		str_addf(text, "%s is up to date (%s)", i->full, i->version);
		return true;
	}
	str_addf(text, "Updated %s from %.*s to %s", i->full, SV_ARG(old.version), i->version);
	return plugin_plan_complete(plan, err) &&
	       plugin_install_ask(plan, awl_plugins_keep(c, old.version), confirm, arg, err) &&
	       plugin_install_record(plan,
				     old.scope == PLUGIN_PROJECT ? AWL_SCOPE_PROJECT
				     : old.scope == PLUGIN_LOCAL ? AWL_SCOPE_LOCAL
								 : AWL_SCOPE_USER,
				     err);
}

enum awl_result awl_plugin_update(struct awl_project *p, const char *name,
				  awl_plugin_confirm_fn *confirm, void *arg, const char **text)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	defer(plugin_plan_clear) struct plugin_plan plan = { .c = &c,
							     .installed = PLUGIN_SET_INIT };
	defer(str_clear) struct str done = STR_INIT;
	struct err err = ERR_INIT;
	bool ok = awl_plugins_open(&c, p, &err) &&
		  awl_plugin_update_run(&plan, name, confirm, arg, &done, &err);

	*text = awl_plugins_keep(&c, sv_of(&done));
	return awl_end(ok, &err);
}
