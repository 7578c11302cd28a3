#include "extend/plugins/marketplace.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/map.h"
#include "sys/fs.h"

#define MARKETPLACE_FILE ".claude-plugin/marketplace.json"

/* --- reading --------------------------------------------------------------------------------- */

bool marketplace_check_entry(struct json entry, struct err *err)
{
	struct plugin_source source;
	struct sv name;

	if (!json_str(json_get(entry, "name"), &name) || !plugin_name_valid(name))
		return err_set(err, ERR_INVALID, "a plugin has no usable \"name\"");
	if (plugin_source_read(&source, json_get(entry, "source"), err))
		return true;
	return err_context(err, "%.*s", SV_ARG(name));
}

void marketplace_check(const struct marketplace *m, struct sv plugin, struct str *notes)
{
	struct json_iter it = json_each(m->plugins);
	struct map names = MAP_INIT;
	struct json entry;

	while (json_next(&it, NULL, &entry)) {
		struct sv name = json_str_or(json_get(entry, "name"), SV_EMPTY);
		struct err err = ERR_INIT;
		bool ok = marketplace_check_entry(entry, &err);

		if (ok && map_put(&names, name, &names))
			ok = err_set(&err, ERR_EXISTS,
				     "%.*s: another plugin before it has this name", SV_ARG(name));
		if (!ok && (!plugin.len || sv_eq(name, plugin)) && notes->len < LIMIT_COMMAND_NOTES)
			str_addf(notes, "%s: %s (the entry is skipped)\n", m->file, err.text);
	}
	map_clear(&names);
}

/* Find the JSON of a marketplace. */
static void marketplace_locate(struct marketplace *out, const char *location,
			       struct plugin_set *set)
{
	struct fs_info info;
	struct err ignored = ERR_INIT;

	*out = (struct marketplace){ .file = arena_dup(&set->arena, sv_cstr(location)).ptr };
	if (fs_info(&info, location, true, &ignored) && info.kind == FS_FILE)
		return;
	out->dir = out->file;
	out->file = arena_printf(&set->arena, "%s/" MARKETPLACE_FILE, location).ptr;
}

bool marketplace_read(struct marketplace *out, const char *location, struct plugin_set *set,
		      struct err *err)
{
	struct marketplace m;
	struct json root;

	marketplace_locate(&m, location, set);
	root = plugin_read_json(set, m.file, err);
	if (!json_exists(root))
		return false;
	if (!json_str(json_get(root, "name"), &m.name) || !plugin_name_valid(m.name))
		return err_set(err, ERR_INVALID,
			       "%s: \"name\" must be a string of letters, digits, '-', '_' and '.'",
			       m.file);
	m.plugins = json_get(root, "plugins");
	if (!json_is(m.plugins, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "%s: \"plugins\" must be a list", m.file);
	m.description = json_str_or(json_get(root, "description"), SV_EMPTY);
	m.needs_from = json_get(root, "allowCrossMarketplaceDependenciesOn");
	m.owner = json_str_or(json_path(root, "owner.name"), SV_EMPTY);
	if (!plugin_path_read(json_str_or(json_path(root, "metadata.pluginRoot"), SV_EMPTY),
			      &m.plugin_root))
		return err_set(err, ERR_INVALID,
			       "%s: metadata.pluginRoot leads out of the marketplace", m.file);
	*out = m;
	return true;
}

struct json marketplace_find(const struct marketplace *m, struct sv plugin)
{
	struct json_iter it = json_each(m->plugins);
	struct json entry;
	struct err ignored = ERR_INIT;

	while (json_next(&it, NULL, &entry))
		if (sv_eq(json_str_or(json_get(entry, "name"), SV_EMPTY), plugin) &&
		    marketplace_check_entry(entry, &ignored))
			return entry;
	return (struct json){ NULL };
}
