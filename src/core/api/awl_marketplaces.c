/* awl_plugins.h: marketplaces. */
#include "base/limits.h"
#include "core/api/awl_plugins_int.h"
#include "extend/plugins/tree.h"
#include "sys/fs.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"

/* Names that only their owner may use, so that nobody passes for it. */
static bool awl_marketplace_is_reserved(struct sv name, const struct plugin_source *source)
{
	static const char reserved[][24] = {
		"claude-code-marketplace", "claude-code-plugins", "claude-plugins-official",
		"anthropic-marketplace",   "anthropic-plugins",   "agent-skills",
	};
	bool is_owner = source->kind == SOURCE_GITHUB && sv_starts(source->repo, SV("anthropics/"));

	for (size_t i = 0; i < countof(reserved); i++)
		if (sv_eq_nocase(name, sv_cstr(reserved[i])))
			return !is_owner &&
			       !sv_starts(source->url, SV("https://github.com/anthropics/"));
	return false;
}

/* --- adding ---------------------------------------------------------------------------------- */

static bool awl_marketplace_record(struct awl_plugins *c, struct sv name,
				   const struct plugin_source *source, const char *location,
				   struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct loop *loop = loop_new();
	struct iso_time now = iso_time(loop_wall(loop));
	struct jw w;

	loop_free(loop);
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_key(&w, SV("source"));
	plugin_source_write(&w, source);
	jw_put_str(&w, "installLocation", sv_cstr(location));
	jw_put_str(&w, "lastUpdated", sv_cstr(now.text));
	jw_end(&w);
	jw_done(&w);
	return awl_plugins_write(c, "known_marketplaces.json", JSON_STEPS(name), sv_of(&json), err);
}

/* Fetch to a directory of work. `*location` is what to read there. */
static bool awl_marketplace_fetch(struct awl_plugins *c, const struct plugin_source *source,
				  const char *work, struct str *location, struct err *err)
{
	defer(str_clear) struct str into = STR_INIT;
	struct plugin_fetch fetch = { .source = source,
				      .is_marketplace = true,
				      .allows_local = true };
	bool ok;

	fs_join(&into, sv_cstr(work), SV("fetched"));
	fetch.into = into.ptr;
	ok = awl_plugins_fetch(c, &fetch, err);
	if (ok)
		str_add(location, sv_of(&fetch.dir));
	plugin_fetch_clear(&fetch);
	return ok;
}

/* Whether the name may be used for this source. */
static bool awl_marketplace_check_name(struct awl_plugins *c, struct sv name, struct sv expected,
				       const struct plugin_source *source, struct err *err)
{
	struct known_marketplace known;
	struct err ignored = ERR_INIT;
	defer(str_clear) struct str before = STR_INIT, now = STR_INIT;

	if (expected.len && !sv_eq(name, expected))
		return err_set(err, ERR_INVALID, "its name is %.*s, not %.*s", SV_ARG(name),
			       SV_ARG(expected));
	if (awl_marketplace_is_reserved(name, source))
		return err_set(err, ERR_ACCESS, "the name %.*s is reserved for its owner",
			       SV_ARG(name));
	if (!plugin_registry_market(&c->registry, name, &known, &ignored))
		return true;
	plugin_source_describe(&before, &known.source);
	plugin_source_describe(&now, source);
	return sv_eq(sv_of(&before), sv_of(&now)) ||
	       err_set(err, ERR_EXISTS,
		       "the marketplace %.*s already exists, from %s; remove it first",
		       SV_ARG(name), str_c(&before));
}

/* Move what was fetched to its place. */
static const char *awl_marketplace_keep(struct awl_plugins *c, struct sv name, const char *fetched,
					const char *work, struct err *err)
{
	bool is_file = sv_ends(sv_cstr(fetched), SV("/fetched"));
	struct fs_info info;
	const char *place;
	defer(str_clear) struct str old = STR_INIT;

	if (!fs_info(&info, fetched, true, err))
		return NULL;
	place = awl_plugins_path(c, "marketplaces/%.*s%s", SV_ARG(name),
				 info.kind == FS_FILE ? ".json" : "");
	fs_join(&old, sv_cstr(work), SV("old"));
	if (fs_exists(place) && !fs_rename(place, old.ptr, err))
		return NULL;
	return (is_file ? fs_rename(fetched, place, err)
			: plugin_tree_copy(fetched, work, place, err))
		       ? place
		       : NULL;
}

static bool awl_marketplace_take(struct awl_plugins *c, const struct plugin_source *source,
				 struct sv expected, const char *work, const char **name,
				 struct err *err)
{
	bool is_fetched = plugin_fetch_is_needed(source);
	defer(str_clear) struct str location = STR_INIT;
	struct marketplace market;
	const char *place;

	if (!is_fetched)
		str_add(&location, source->path);
	else if (!awl_marketplace_fetch(c, source, work, &location, err))
		return false;
	if (!marketplace_read(&market, str_c(&location), &c->set, err) ||
	    !awl_marketplace_check_name(c, market.name, expected, source, err))
		return false;
	place = is_fetched ? awl_marketplace_keep(c, market.name, location.ptr, work, err)
			   : str_c(&location);
	*name = awl_plugins_keep(c, market.name);
	marketplace_check(&market, SV_EMPTY, &c->p->notes);
	return place && awl_marketplace_record(c, market.name, source, place, err);
}

static bool awl_plugins_add_market(struct awl_plugins *c, const struct plugin_source *source,
				   struct sv expected, const char **name, struct err *err)
{
	const char *dir = awl_plugins_path(c, "marketplaces");
	defer(str_clear) struct str work = STR_INIT;
	struct err ignored = ERR_INIT;
	bool ok;

	if (json_len(c->registry.known) >= LIMIT_MARKETPLACES)
		return err_set(err, ERR_TOO_BIG, "there are %d marketplaces already",
			       LIMIT_MARKETPLACES);
	if (!plugin_policy_allows(&c->policy, source, err) || !fs_mkdirs(dir, 0700, err) ||
	    !fs_temp_dir_in(&work, dir, err))
		return false;
	ok = awl_marketplace_take(c, source, expected, work.ptr, name, err);
	(void)!fs_remove_tree(work.ptr, &ignored);
	return ok;
}

enum awl_result awl_marketplace_add(struct awl_project *p, const char *typed, const char **name)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct plugin_source source;
	struct err err = ERR_INIT;
	bool ok = awl_plugins_open(&c, p, &err) &&
		  plugin_source_parse(&source, sv_cstr(typed), p->dir.ptr, &p->arena, &err) &&
		  awl_plugins_add_market(&c, &source, SV_EMPTY, name, &err);

	return awl_end(ok, &err);
}

/* --- finding --------------------------------------------------------------------------------- */

/* Add a marketplace that the settings name: those of the user, of the policy, or of a project that is trusted. */
static bool awl_marketplace_add_extra(struct awl_plugins *c, struct sv name, struct err *err)
{
	struct json extra = json_get_sv(settings_get(c->settings, "extraKnownMarketplaces"), name);
	struct plugin_source source;
	const char *added;

	if (!json_exists(extra))
		return false;
	if (!plugin_source_read(&source, json_get(extra, "source"), err))
		return err_context(err, "extraKnownMarketplaces.%.*s", SV_ARG(name));
	if (source.path.len && !sv_starts(source.path, SV("/")))
		source.path =
			arena_printf(&c->p->arena, "%s/%.*s", c->p->dir.ptr, SV_ARG(source.path));
	return awl_plugins_add_market(c, &source, name, &added, err);
}

bool awl_plugins_market(struct awl_plugins *c, struct sv name, struct known_marketplace *known,
			struct marketplace *out, struct err *err)
{
	if (!json_exists(json_get_sv(c->registry.known, name)) &&
	    !awl_marketplace_add_extra(c, name, err) && err->kind)
		return false;
	return plugin_registry_market(&c->registry, name, known, err) &&
	       plugin_policy_allows(&c->policy, &known->source, err) &&
	       marketplace_read(out, known->location, &c->set, err);
}

/* --- list ------------------------------------------------------------------------------------ */

static struct awl_marketplace awl_marketplace_describe(struct awl_plugins *c,
						       const struct known_marketplace *known)
{
	defer(str_clear) struct str source = STR_INIT, notes = STR_INIT;
	struct marketplace market;
	struct err err = ERR_INIT;
	struct awl_marketplace out = { .name = awl_plugins_keep(c, known->name),
				       .path = awl_plugins_keep(c, sv_cstr(known->location)) };

	plugin_source_describe(&source, &known->source);
	out.source = awl_plugins_keep(c, sv_of(&source));
	if (plugin_policy_allows(&c->policy, &known->source, &err) &&
	    marketplace_read(&market, known->location, &c->set, &err)) {
		out.plugins = json_len(market.plugins);
		marketplace_check(&market, SV_EMPTY, &notes);
	} else {
		str_adds(&notes, err.text);
	}
	if (notes.len)
		out.problem = awl_plugins_keep(c, sv_trim(sv_of(&notes)));
	return out;
}

enum awl_result awl_marketplaces(struct awl_project *p, const struct awl_marketplace **marketplaces,
				 size_t *n)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;
	struct known_marketplace known;
	struct awl_marketplace *all;
	struct json_iter it;

	if (!awl_plugins_open(&c, p, &err))
		return awl_end(false, &err);
	all = arena_calloc(&p->arena, json_len(c.registry.known) + 1, sizeof(*all));
	*n = 0;
	it = json_each(c.registry.known);
	while (plugin_registry_next_market(&it, &known))
		all[(*n)++] = awl_marketplace_describe(&c, &known);
	*marketplaces = all;
	return awl_end(true, &err);
}

/* --- remove and update ----------------------------------------------------------------------- */

static bool awl_marketplace_remove_plugins(struct awl_plugins *c, struct sv name, struct err *err)
{
	struct json_iter it = json_each(json_get(c->registry.installed, "plugins"));
	struct plugin_id id;
	struct json value;
	struct sv key;

	while (it.keyed && json_next(&it, &key, &value))
		if (plugin_id_read(key, &id) && sv_eq(id.marketplace, name) &&
		    !awl_plugins_purge(c, key, err))
			return false;
	return true;
}

static bool awl_marketplace_remove_run(struct awl_plugins *c, struct sv name, struct err *err)
{
	struct known_marketplace known;

	if (!plugin_registry_market(&c->registry, name, &known, err) ||
	    !awl_marketplace_remove_plugins(c, name, err) ||
	    !awl_plugins_write(c, "known_marketplaces.json", JSON_STEPS(name), SV_EMPTY, err))
		return false;
	return !plugin_fetch_is_needed(&known.source) ||
	       !sv_starts(sv_cstr(known.location), sv_cstr(awl_plugins_path(c, "marketplaces/"))) ||
	       fs_remove_tree(known.location, err);
}

enum awl_result awl_marketplace_remove(struct awl_project *p, const char *name)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_plugins_open(&c, p, &err) &&
			       awl_marketplace_remove_run(&c, sv_cstr(name), &err),
		       &err);
}

static bool awl_marketplace_update_run(struct awl_plugins *c, const char *name, struct err *err)
{
	struct json_iter it = json_each(c->registry.known);
	struct known_marketplace known;
	const char *same;
	bool ok = true;

	if (name)
		return plugin_registry_market(&c->registry, sv_cstr(name), &known, err) &&
		       awl_plugins_add_market(c, &known.source, known.name, &same, err);
	while (plugin_registry_next_market(&it, &known)) {
		struct err why = ERR_INIT;

		if (awl_plugins_add_market(c, &known.source, known.name, &same, &why))
			continue;
		awl_project_note(c->p, "%.*s: %s", SV_ARG(known.name), why.text);
		ok = false;
	}
	return ok || err_set(err, ERR_IO, "not all marketplaces could be updated");
}

enum awl_result awl_marketplace_update(struct awl_project *p, const char *name)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_plugins_open(&c, p, &err) && awl_marketplace_update_run(&c, name, &err),
		       &err);
}
