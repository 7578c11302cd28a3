/* awl_plugins_int.h - private to src/core/plugins: one call of awl_plugins.h. */
#ifndef AWL_CORE_API_AWL_PLUGINS_INT_H
#define AWL_CORE_API_AWL_PLUGINS_INT_H

#include <awl_plugins.h>

#include "core/api/awl_project.h"
#include "extend/plugins/fetch.h"
#include "extend/plugins/registry.h"
#include "text/json/json_span.h"

struct awl_plugins {
	struct awl_project *p;
	struct project project;
	struct settings *settings;
	struct plugin_set set; /* what was read, and its notes */
	struct plugin_registry registry;
	struct plugin_policy policy;
	const char *config_dir;
};

#define AWL_PLUGINS_INIT                                        \
	{                                                       \
		.project = PROJECT_INIT, .set = PLUGIN_SET_INIT \
	}
void awl_plugins_clear(struct awl_plugins *c);
/* Begins a call. */
must_use bool awl_plugins_open(struct awl_plugins *c, struct awl_project *p, struct err *err);
/* Reads the registry again after a change. */
must_use bool awl_plugins_reread(struct awl_plugins *c, struct err *err);
/* Copies a text so that it lives until the next call for the project. */
const char *awl_plugins_keep(struct awl_plugins *c, struct sv text);
/* A path below <configuration>/plugins. */
const char *awl_plugins_path(struct awl_plugins *c, const char *fmt, ...) printf_like(2, 3);

/* Changes known_marketplaces.json or installed_plugins.json: sets the value at `steps`, or with empty `json` removes it. */
must_use bool awl_plugins_write(struct awl_plugins *c, const char *file, struct json_steps steps,
				struct sv json, struct err *err);
/* Sets enabledPlugins.<id> in the settings of a scope; "true", "false", or empty: removes it. */
must_use bool awl_plugins_set_enabled(struct awl_plugins *c, enum awl_scope scope, struct sv id,
				      struct sv json, struct err *err);
/* Fetches into `fetch->into`; waits. */
must_use bool awl_plugins_fetch(struct awl_plugins *c, struct plugin_fetch *fetch, struct err *err);

/* Finds "name" or "name@marketplace" among those that are installed, with `installed`, or among those of the known
 * marketplaces. Fails if there is none, or more than one. */
must_use bool awl_plugins_find(struct awl_plugins *c, const char *name, bool installed,
			       struct plugin_id *out, struct err *err);
/* The marketplace of a plugin, or of a name; also one of the setting extraKnownMarketplaces, which is added first. */
must_use bool awl_plugins_market(struct awl_plugins *c, struct sv name,
				 struct known_marketplace *known, struct marketplace *out,
				 struct err *err);
/* Finds the files of a plugin: where it is installed, or in a marketplace that is a directory here. */
must_use bool awl_plugins_locate(struct awl_plugins *c, const char *name, struct plugin_from *from,
				 struct err *err);
/* Removes what the user has configured for a plugin. */
must_use bool awl_plugins_forget_config(struct awl_plugins *c, struct sv id, struct err *err);
/* Removes records, settings, files and data of a plugin in all scopes. */
must_use bool awl_plugins_purge(struct awl_plugins *c, struct sv id, struct err *err);
const char *awl_plugins_id(struct awl_plugins *c, const struct plugin_id *id);

#endif
