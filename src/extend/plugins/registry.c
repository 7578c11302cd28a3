#include "extend/plugins/registry.h"

#include "base/limits.h"
#include "sys/fs.h"

bool plugin_id_read(struct sv text, struct plugin_id *out)
{
	size_t at = sv_rfind_char(text, '@');
	struct plugin_id id = { sv_slice(text, 0, min_of(at, text.len)),
				at == SIZE_MAX ? SV_EMPTY : sv_skip(text, at + 1) };

	if (!plugin_name_valid(id.name) || (at != SIZE_MAX && !plugin_name_valid(id.marketplace)))
		return false;
	*out = id;
	return true;
}

const char *plugin_scope_name(enum plugin_scope scope)
{
	static const char names[PLUGIN_SCOPES][8] = {
		[PLUGIN_USER] = "user",
		[PLUGIN_PROJECT] = "project",
		[PLUGIN_LOCAL] = "local",
		[PLUGIN_MANAGED] = "managed",
	};

	return names[scope];
}

/* --- the files ------------------------------------------------------------------------------- */

/* Read a file that may be missing. */
static bool plugin_registry_read_file(struct plugin_registry *r, const char *name, struct json *out,
				      struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, r->dir, sv_cstr(name));
	*out = (struct json){ NULL };
	if (!fs_exists(path.ptr))
		return true;
	*out = plugin_read_json(r->set, path.ptr, err);
	if (!json_exists(*out))
		return false;
	return json_is(*out, JSON_OBJECT) ||
	       err_set(err, ERR_INVALID, "%s: must be an object", path.ptr);
}

bool plugin_registry_read(struct plugin_registry *out, const char *config_dir,
			  struct plugin_set *set, struct err *err)
{
	struct plugin_registry r = { .set = set,
				     .dir = arena_printf(&set->arena, "%s/plugins", config_dir) };

	if (!plugin_registry_read_file(&r, "known_marketplaces.json", &r.known, err) ||
	    !plugin_registry_read_file(&r, "installed_plugins.json", &r.installed, err))
		return false;
	*out = r;
	return true;
}

static bool plugin_registry_take_market(struct sv name, struct json value,
					struct known_marketplace *out, struct err *err)
{
	struct sv location = json_str_or(json_get(value, "installLocation"), SV_EMPTY);

	*out = (struct known_marketplace){
		.name = name,
		.location = location.ptr,
	};
	if (!plugin_name_valid(name) || !location.len)
		return err_set(err, ERR_INVALID, "the record of the marketplace is invalid");
	return plugin_source_read(&out->source, json_get(value, "source"), err);
}

bool plugin_registry_market(const struct plugin_registry *r, struct sv name,
			    struct known_marketplace *out, struct err *err)
{
	struct json value = json_get_sv(r->known, name);
	struct known_marketplace m;

	if (!json_exists(value))
		return err_set(err, ERR_NOT_FOUND,
			       "there is no marketplace %.*s; add it with 'awl plugin marketplace "
			       "add'",
			       SV_ARG(name));
	if (!plugin_registry_take_market(name, value, &m, err))
		return err_context(err, "%.*s/known_marketplaces.json: %.*s", SV_ARG(r->dir),
				   SV_ARG(name));
	*out = m;
	return true;
}

bool plugin_registry_next_market(struct json_iter *it, struct known_marketplace *out)
{
	struct err ignored = ERR_INIT;
	struct json value;
	struct sv name;

	while (it->keyed && json_next(it, &name, &value))
		if (plugin_registry_take_market(name, value, out, &ignored))
			return true;
	return false;
}

/* How well a record fits a project; 0: it cannot be used. */
static int plugin_registry_rank(struct json record, const char *project_dir)
{
	struct sv project = json_str_or(json_get(record, "projectPath"), SV_EMPTY);

	if (!json_str_or(json_get(record, "installPath"), SV_EMPTY).len)
		return 0;
	return project.len ? (sv_is(project, project_dir) ? 3 : 1) : 2;
}

static enum plugin_scope plugin_registry_scope(struct json record)
{
	struct sv word = json_str_or(json_get(record, "scope"), SV_EMPTY);
	enum plugin_scope scope = 0;

	while (scope < PLUGIN_SCOPES && !sv_is(word, plugin_scope_name(scope)))
		scope++;
	return scope < PLUGIN_SCOPES ? scope : PLUGIN_USER;
}

bool plugin_registry_installed(const struct plugin_registry *r, struct sv id,
			       const char *project_dir, struct installed_plugin *out)
{
	struct json_iter it = json_each(json_get_sv(json_get(r->installed, "plugins"), id));
	struct json record, best = { NULL };
	int rank = 0;

	while (!it.keyed && json_next(&it, NULL, &record))
		if (plugin_registry_rank(record, project_dir) > rank) {
			best = record;
			rank = plugin_registry_rank(record, project_dir);
		}
	if (!rank)
		return false;
	*out = (struct installed_plugin){
		.scope = plugin_registry_scope(best),
		.project = json_str_or(json_get(best, "projectPath"), SV_EMPTY),
		.path = json_str_or(json_get(best, "installPath"), SV_EMPTY).ptr,
		.version = json_str_or(json_get(best, "version"), SV_EMPTY),
		.sha = json_str_or(json_get(best, "gitCommitSha"), SV_EMPTY),
		.installed_at = json_str_or(json_get(best, "installedAt"), SV_EMPTY),
		.is_automatic = json_bool_or(json_get(best, "autoInstalled"), false),
	};
	return true;
}

struct json plugin_registry_secrets(const char *config_dir, struct plugin_set *set)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;

	fs_join(&path, sv_cstr(config_dir), SV(".credentials.json"));
	return fs_exists(path.ptr)
		       ? json_get(plugin_read_json(set, path.ptr, &ignored), "pluginSecrets")
		       : (struct json){ NULL };
}

/* --- what a session wants -------------------------------------------------------------------- */

/* A marketplace that was read for one plugin is there for the next. */
struct plugin_markets {
	VEC(struct marketplace) read;
	struct json secrets; /* read once, too */
};

static const struct marketplace *plugin_registry_open(struct plugin_markets *markets,
						      const struct known_marketplace *known,
						      struct plugin_set *set, struct err *err)
{
	struct marketplace m = { 0 };

	for (size_t i = 0; i < markets->read.n; i++)
		if (sv_is(sv_cstr(markets->read.at[i].file), known->location) ||
		    sv_is(sv_cstr(markets->read.at[i].dir), known->location))
			return &markets->read.at[i];
	if (!marketplace_read(&m, known->location, set, err))
		return NULL;
	vec_push(&markets->read, m);
	return vec_last(&markets->read);
}

static bool plugin_registry_load_one(struct plugin_set *set, const struct plugin_registry *r,
				     const struct plugin_wanted *wanted,
				     struct plugin_markets *markets, struct sv id, struct err *err)
{
	struct plugin_id parts;
	struct known_marketplace known = { 0 };
	struct installed_plugin installed;
	const struct marketplace *market;
	struct json entry;
	defer(str_clear) struct str data = STR_INIT;

	if (!plugin_id_read(id, &parts) || !parts.marketplace.len)
		return err_set(err, ERR_INVALID, "it must be written as name@marketplace");
	if (!plugin_registry_installed(r, id, wanted->project_dir, &installed))
		return err_set(
			err, ERR_NOT_FOUND,
			"it is enabled but not installed; 'awl plugin install %.*s' installs it",
			SV_ARG(id));
	if (!plugin_registry_market(r, parts.marketplace, &known, err) ||
	    !plugin_policy_allows(&wanted->policy, &known.source, err))
		return false;
	market = plugin_registry_open(markets, &known, set, err);
	if (!market)
		return false;
	entry = marketplace_find(market, parts.name);
	if (!json_exists(entry))
		marketplace_check(market, parts.name, &set->notes);
	str_addf(&data, "%.*s/data", SV_ARG(r->dir));
	return plugin_set_load(set,
			       &(struct plugin_from){ .dir = installed.path,
						      .marketplace = parts.marketplace,
						      .data_dir = data.ptr,
						      .entry = entry,
						      .entry_file = market->file,
						      .configs = wanted->configs,
						      .secrets = markets->secrets },
			       err);
}

void plugin_registry_load_enabled(struct plugin_set *set, const struct plugin_wanted *wanted)
{
	struct json_iter it = json_each(wanted->enabled);
	struct plugin_markets markets = { .read = VEC_INIT };
	struct plugin_registry registry;
	struct json value;
	struct sv id;
	struct err err = ERR_INIT;

	if (!json_len(wanted->enabled))
		return;
	if (!plugin_registry_read(&registry, wanted->config_dir, set, &err)) {
		str_addf(&set->notes, "%s (no installed plugin is loaded)\n", err.text);
		set->failed++;
		return;
	}
	markets.secrets = plugin_registry_secrets(wanted->config_dir, set);
	while (it.keyed && json_next(&it, &id, &value)) {
		struct err why = ERR_INIT;
		size_t since = set->notes.len;

		if (!json_bool_or(value, true) ||
		    plugin_registry_load_one(set, &registry, wanted, &markets, id, &why))
			continue;
		set->failed++;
		if (set->notes.len < LIMIT_COMMAND_NOTES)
			str_addf(&set->notes, "Plugin %.*s is not loaded: %s\n", SV_ARG(id),
				 why.text);
		plugin_set_blame(set, since,
				 (struct plugin_error){ .plugin = id, .why = why.kind });
	}
	vec_clear(&markets.read);
}
