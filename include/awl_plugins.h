/* awl_plugins.h - plugins and marketplaces: installing, changing and listing them without a session. Part of the library of
 * awl.h, whose rules apply. docs/plugins.md describes them. */
#ifndef AWL_PLUGINS_H
#define AWL_PLUGINS_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

struct awl_plugin {
	const char *id;      /* "formatter@tools" */
	const char *version; /* may be "", like the description */
	const char *description;
	const char *path; /* NULL: it is not installed */
	const char *
		scope; /* where it is installed: "user", "project", "local" or "managed"; NULL: it is not */
	bool is_enabled;
	const char *problem; /* why it cannot be loaded; NULL: it can */
};

struct awl_marketplace {
	const char *name;
	const char *source;  /* "github owner/repo" */
	const char *path;    /* where it is on this machine */
	size_t plugins;      /* how many it has */
	const char *problem; /* why it cannot be read; NULL: it can */
};

/* Asked before anything is installed: `text` says what would run. */
typedef bool awl_plugin_confirm_fn(void *arg, const char *text);

/* All that are installed, and with `available` those of all marketplaces as well. They live until the next call for this project, like
 * everything that these functions return. */
AWL_API enum awl_result awl_plugins(struct awl_project *project, bool available,
				    const struct awl_plugin **plugins, size_t *n);
/* Installs a plugin, "name" or "name@marketplace", and enables it in the settings of a scope: user, project or local. Fetches it,
 * which may take a while. `*id` gets its full name. Fails with AWL_ERR_CANCELLED if `confirm` returns false. */
AWL_API enum awl_result awl_plugin_install(struct awl_project *project, const char *name,
					   enum awl_scope scope, awl_plugin_confirm_fn *confirm,
					   void *arg, const char **id);
/* Fetches a plugin that is installed again; `*text` says what came of it. */
AWL_API enum awl_result awl_plugin_update(struct awl_project *project, const char *name,
					  awl_plugin_confirm_fn *confirm, void *arg,
					  const char **text);
/* Removes it from the settings of a scope, and its files with the data that it kept once no scope has it. */
AWL_API enum awl_result awl_plugin_uninstall(struct awl_project *project, const char *name,
					     enum awl_scope scope, bool keep_data);
/* AWL_SCOPE_DEFAULT: where it is installed. */
AWL_API enum awl_result awl_plugin_enable(struct awl_project *project, const char *name,
					  enum awl_scope scope, bool is_enabled);
/* What an installed plugin, or one of a marketplace on this machine, has and runs. */
AWL_API enum awl_result awl_plugin_details(struct awl_project *project, const char *name,
					   const char **text);
/* Checks the plugin or marketplace in a directory. `*text` has a line for each mistake, and is "" if there is none. */
AWL_API enum awl_result awl_plugin_validate(struct awl_project *project, const char *path,
					    const char **text);

AWL_API enum awl_result awl_marketplaces(struct awl_project *project,
					 const struct awl_marketplace **marketplaces, size_t *n);
/* Adds one: "owner/repo", an address, a directory or a JSON file. `*name` gets its name. */
AWL_API enum awl_result awl_marketplace_add(struct awl_project *project, const char *source,
					    const char **name);
/* Removes one, and uninstalls its plugins. */
AWL_API enum awl_result awl_marketplace_remove(struct awl_project *project, const char *name);
/* Fetches one again, or all with NULL. */
AWL_API enum awl_result awl_marketplace_update(struct awl_project *project, const char *name);

#ifdef __cplusplus
}
#endif

#endif
