/* awl_plugins.h: what plugins need of each other. */
#include "base/limits.h"
#include "core/api/awl_plugins_install.h"

/* --- what is installed ----------------------------------------------------------------------- */

static void awl_plugins_load_one(struct awl_plugins *c, struct sv key, struct plugin_set *out)
{
	struct installed_plugin installed;
	struct known_marketplace known;
	struct marketplace market = { .plugins = { NULL } };
	struct err ignored = ERR_INIT;
	struct plugin_id id;

	if (!plugin_id_read(key, &id) ||
	    !plugin_registry_installed(&c->registry, key, c->project.files.project_dir, &installed))
		return;
	if (plugin_registry_market(&c->registry, id.marketplace, &known, &ignored))
		(void)!marketplace_read(&market, known.location, out, &ignored);
	(void)!plugin_set_load(out,
			       &(struct plugin_from){ .dir = installed.path,
						      .marketplace = id.marketplace,
						      .entry = marketplace_find(&market, id.name),
						      .entry_file = market.file },
			       &ignored);
}

void awl_plugins_load_installed(struct awl_plugins *c, struct plugin_set *out)
{
	struct json_iter it = json_each(json_get(c->registry.installed, "plugins"));
	struct json value;
	struct sv key;

	while (it.keyed && json_next(&it, &key, &value))
		awl_plugins_load_one(c, key, out);
}

bool awl_plugins_need_is(const struct plugin_need *need, struct sv by, struct sv id)
{
	struct plugin_id from, of;

	return plugin_id_read(by, &from) && plugin_id_read(id, &of) && sv_eq(need->name, of.name) &&
	       sv_eq(need->marketplace.len ? need->marketplace : from.marketplace, of.marketplace);
}

static const struct plugin *awl_plugins_by_id(const struct plugin_set *set, struct sv id)
{
	for (size_t i = 0; i < set->all.n; i++)
		if (sv_eq(set->all.at[i].id, id))
			return &set->all.at[i];
	return NULL;
}

bool awl_plugins_check_unneeded(struct awl_plugins *c, struct sv id, struct err *err)
{
	defer(plugin_set_clear) struct plugin_set all = PLUGIN_SET_INIT;

	awl_plugins_load_installed(c, &all);
	for (size_t i = 0; i < all.all.n; i++) {
		const struct plugin *p = &all.all.at[i];

		for (size_t k = 0; k < p->needs.n; k++)
			if (!sv_eq(p->id, id) && awl_plugins_is_enabled(c, p->id) &&
			    awl_plugins_need_is(&p->needs.at[k], p->id, id))
				return err_set(
					err, ERR_BUSY,
					"%.*s needs %.*s; first run 'awl plugin disable %.*s'",
					SV_ARG(p->id), SV_ARG(id), SV_ARG(p->id));
	}
	return true;
}

/* The full name of what a plugin needs. */
static const char *awl_plugins_needed(struct awl_plugins *c, const struct plugin_need *need,
				      struct sv by)
{
	struct plugin_id from = { SV_EMPTY, SV_EMPTY };

	(void)!plugin_id_read(by, &from);
	return awl_plugins_id(c, &(struct plugin_id){ need->name, need->marketplace.len
									  ? need->marketplace
									  : from.marketplace });
}

bool awl_plugins_enable_needs(struct awl_plugins *c, struct sv id, enum awl_scope scope,
			      struct err *err)
{
	defer(plugin_set_clear) struct plugin_set all = PLUGIN_SET_INIT;
	plugin_texts open = VEC_INIT;
	bool ok = true;

	awl_plugins_load_installed(c, &all);
	vec_push(&open, id);
	for (size_t i = 0; ok && i < open.n; i++) {
		const struct plugin *p = awl_plugins_by_id(&all, open.at[i]);

		for (size_t k = 0; ok && p && k < p->needs.n; k++) {
			struct sv needed = sv_cstr(awl_plugins_needed(c, &p->needs.at[k], p->id));
			bool is_new = true;

			for (size_t n = 0; n < open.n; n++)
				is_new = is_new && !sv_eq(open.at[n], needed);
			if (!is_new)
				continue;
			vec_push(&open, needed);
			if (!awl_plugins_by_id(&all, needed))
				ok = err_set(err, ERR_NOT_FOUND,
					     "%.*s needs %s, which is not installed; 'awl plugin "
					     "install %.*s' installs both",
					     SV_ARG(p->id), needed.ptr, SV_ARG(id));
		}
	}
	for (size_t i = 1; ok && i < open.n; i++)
		if (!awl_plugins_is_enabled(c, open.at[i]))
			ok = awl_plugins_set_enabled(c, scope, open.at[i], SV("true"), err);
	vec_clear(&open);
	return ok;
}

/* --- a plan ---------------------------------------------------------------------------------- */

void plugin_plan_clear(struct plugin_plan *plan)
{
	for (size_t i = 0; i < plan->all.n; i++)
		plugin_install_free(plan->all.at[i]);
	vec_clear(&plan->all);
	vec_clear(&plan->enable);
	plugin_set_clear(&plan->installed);
}

/* Who needs a plugin, and in which versions. `visit` returns false to stop. */
typedef bool plugin_plan_fn(struct plugin_install *i, const struct plugin_need *need, struct sv by,
			    struct err *err);

static bool plugin_plan_each_need(struct plugin_install *i, const struct plugin *by,
				  plugin_plan_fn *visit, struct err *err)
{
	for (size_t k = 0; k < by->needs.n; k++)
		if (awl_plugins_need_is(&by->needs.at[k], by->id, sv_cstr(i->full)) &&
		    !visit(i, &by->needs.at[k], by->id, err))
			return false;
	return true;
}

/* Visit the needs of what is installed, and of what is staged, which takes its place. */
static bool plugin_plan_each(struct plugin_plan *plan, struct plugin_install *i,
			     plugin_plan_fn *visit, struct err *err)
{
	for (size_t k = 0; k < plan->all.n; k++)
		if (plan->all.at[k] != i && plan->all.at[k]->set.all.n &&
		    !plugin_plan_each_need(i, plugin_install_staged(plan->all.at[k]), visit, err))
			return false;
	for (size_t n = 0; n < plan->installed.all.n; n++) {
		const struct plugin *p = &plan->installed.all.at[n];
		bool is_staged = false;

		for (size_t k = 0; k < plan->all.n; k++)
			is_staged = is_staged || sv_is(p->id, plan->all.at[k]->full);
		if (!is_staged && awl_plugins_is_enabled(plan->c, p->id) &&
		    !plugin_plan_each_need(i, p, visit, err))
			return false;
	}
	return true;
}

static bool plugin_plan_add_range(struct plugin_install *i, const struct plugin_need *need,
				  __attribute__((unused)) struct sv by,
				  __attribute__((unused)) struct err *err)
{
	if (need->range.len)
		vec_push(&i->ranges, need->range);
	return true;
}

static bool plugin_plan_check_range(struct plugin_install *i, const struct plugin_need *need,
				    struct sv by, struct err *err)
{
	return plugin_need_takes(need, sv_cstr(i->version)) ||
	       err_set(err, ERR_STALE, "%.*s needs %.*s %.*s, but its version is %s", SV_ARG(by),
		       SV_ARG(need->name), SV_ARG(need->range), i->version);
}

static bool plugin_plan_stage(struct plugin_plan *plan, const char *name, bool is_update,
			      struct err *err)
{
	struct plugin_install *i = plugin_install_new(plan->c, is_update);

	i->is_automatic = plan->all.n;
	vec_push(&plan->all, i);
	return plugin_install_find(i, name, err) &&
	       plugin_plan_each(plan, i, plugin_plan_add_range, err) &&
	       plugin_install_stage(i, err) &&
	       plugin_plan_each(plan, i, plugin_plan_check_range, err);
}

bool plugin_plan_begin(struct plugin_plan *plan, struct awl_plugins *c, const char *name,
		       bool is_update, struct err *err)
{
	plan->c = c;
	awl_plugins_load_installed(c, &plan->installed);
	return plugin_plan_stage(plan, name, is_update, err);
}

/* Only the marketplace of the plugin that the user named can allow plugins of others. */
static bool plugin_plan_allows(const struct plugin_plan *plan, const char *needed)
{
	const struct plugin_install *first = plan->all.at[0];
	struct json_iter it = json_each(first->market.needs_from);
	struct plugin_id id;
	struct json name;

	if (!plugin_id_read(sv_cstr(needed), &id) || sv_eq(id.marketplace, first->id.marketplace))
		return true;
	while (!it.keyed && json_next(&it, NULL, &name))
		if (sv_eq(json_str_or(name, SV_EMPTY), id.marketplace))
			return true;
	return false;
}

static bool plugin_plan_add(struct plugin_plan *plan, const struct plugin *by,
			    const struct plugin_need *need, struct err *err);

/* What is installed and fits only has to be enabled, and so does what it needs. */
static bool plugin_plan_enable(struct plugin_plan *plan, const struct plugin *p, struct err *err)
{
	for (size_t i = 0; i < plan->enable.n; i++)
		if (sv_eq(plan->enable.at[i], p->id))
			return true;
	if (awl_plugins_is_enabled(plan->c, p->id))
		return true;
	vec_push(&plan->enable, p->id);
	for (size_t k = 0; k < p->needs.n; k++)
		if (!plugin_plan_add(plan, p, &p->needs.at[k], err))
			return false;
	return true;
}

static bool plugin_plan_add_needs(struct plugin_plan *plan, size_t at, struct err *err)
{
	const struct plugin *by = plugin_install_staged(plan->all.at[at]);

	for (size_t k = 0; k < by->needs.n; k++)
		if (!plugin_plan_add(plan, by, &by->needs.at[k], err))
			return false;
	return true;
}

static bool plugin_plan_add(struct plugin_plan *plan, const struct plugin *by,
			    const struct plugin_need *need, struct err *err)
{
	const char *needed = awl_plugins_needed(plan->c, need, by->id);
	const struct plugin *there = awl_plugins_by_id(&plan->installed, sv_cstr(needed));

	if (!plugin_plan_allows(plan, needed))
		return err_set(err, ERR_ACCESS,
			       "%.*s needs %s, but the marketplace %.*s does not allow plugins of "
			       "that marketplace (allowCrossMarketplaceDependenciesOn)",
			       SV_ARG(by->id), needed, SV_ARG(plan->all.at[0]->id.marketplace));
	for (size_t i = 0; i < plan->all.n; i++)
		if (sv_is(sv_cstr(needed), plan->all.at[i]->full))
			return plugin_plan_check_range(plan->all.at[i], need, by->id, err);
	if (there && plugin_need_takes(need, there->version))
		return plugin_plan_enable(plan, there, err);
	if (plan->all.n == LIMIT_PLUGIN_NEEDS)
		return err_set(err, ERR_TOO_BIG, "it needs more than %d plugins",
			       LIMIT_PLUGIN_NEEDS);
	return (plugin_plan_stage(plan, needed, there, err) &&
		plugin_plan_add_needs(plan, plan->all.n - 1, err)) ||
	       err_context(err, "%.*s needs %s", SV_ARG(by->id), needed);
}

bool plugin_plan_complete(struct plugin_plan *plan, struct err *err)
{
	return plugin_plan_add_needs(plan, 0, err);
}
