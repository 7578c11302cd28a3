/* registry.h - the known marketplaces and the installed plugins: files in `plugins` of the configuration directory, in
 * a format that other agents read, too.
 *
 *   known_marketplaces.json   { "<name>": { "source": {...}, "installLocation": "...", "lastUpdated": "..." } }
 *   installed_plugins.json    { "version": 2, "plugins": { "<plugin>@<marketplace>": [ { "scope": "user",
 *                               "installPath": "...", "version": "...", "gitCommitSha": "..." } ] } }
 *   marketplaces/<name>       a fetched marketplace
 *   cache/<marketplace>/<plugin>/<version>
 *   data/<plugin>-<marketplace>
 *
 * awl keeps members of these files that it does not know. */
#ifndef AWL_EXTEND_PLUGINS_REGISTRY_H
#define AWL_EXTEND_PLUGINS_REGISTRY_H

#include "extend/plugins/marketplace.h"

/* "plugin@marketplace" */
struct plugin_id {
	struct sv name, marketplace;
};
/* False: it is not an id. A missing marketplace is empty. */
must_use bool plugin_id_read(struct sv text, struct plugin_id *out);

/* Where a plugin is enabled. */
enum plugin_scope { PLUGIN_USER, PLUGIN_PROJECT, PLUGIN_LOCAL, PLUGIN_MANAGED, PLUGIN_SCOPES };
const char *plugin_scope_name(enum plugin_scope scope);

/* The files, as they were read. */
struct plugin_registry {
	struct plugin_set *set;       /* owns the JSON */
	struct sv dir;                /* <configuration>/plugins */
	struct json known, installed; /* objects; missing: there are none */
};

/* Reads the files; none is an error only if it is there and invalid. */
must_use bool plugin_registry_read(struct plugin_registry *out, const char *config_dir,
				   struct plugin_set *set, struct err *err);

struct known_marketplace {
	struct sv name;
	struct plugin_source source;
	const char *location; /* what marketplace_read() reads */
};
/* Finds one by name. Fails (ERR_NOT_FOUND) with advice. */
must_use bool plugin_registry_market(const struct plugin_registry *registry, struct sv name,
				     struct known_marketplace *out, struct err *err);
/* Visits all that can be used: `for (it = json_each(registry->known); plugin_registry_next_market(&it, &m);)`. */
bool plugin_registry_next_market(struct json_iter *it, struct known_marketplace *out);

struct installed_plugin {
	enum plugin_scope scope;
	struct sv project; /* of scope project or local */
	const char *path;
	struct sv version, sha, installed_at;
	bool is_automatic; /* only because another plugin needs it */
};
/* The record of a plugin that counts in a project: one of the project, else one of the user, else any. False: none. */
must_use bool plugin_registry_installed(const struct plugin_registry *registry, struct sv id,
					const char *project_dir, struct installed_plugin *out);

/* What a session wants. */
struct plugin_wanted {
	const char *config_dir, *project_dir;
	struct json enabled; /* the setting enabledPlugins */
	struct json configs; /* the setting pluginConfigs */
	struct plugin_policy policy;
};
/* The values of sensitive options, by plugin; missing: there are none. */
struct json plugin_registry_secrets(const char *config_dir, struct plugin_set *set);
/* Adds all plugins that are enabled and installed. What cannot be loaded gets a note and is counted. */
void plugin_registry_load_enabled(struct plugin_set *set, const struct plugin_wanted *wanted);

#endif
