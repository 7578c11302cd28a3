/* awl_plugins.h - install, change and list plugins and marketplaces without a session. Part of the
 * library of awl.h, whose rules apply; docs/plugins.md describes them. */
#ifndef AWL_PLUGINS_H
#define AWL_PLUGINS_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

struct awl_plugin {
	const char *id;      /* "formatter@tools" */
	const char *version; /* may be "", as may the description */
	const char *description;
	const char *path;  /* NULL if not installed */
	const char *scope; /* "user", "project", "local" or "managed"; NULL if not installed */
	bool is_enabled;
	const char *problem; /* why it cannot be loaded; NULL if it can */
};

struct awl_marketplace {
	const char *name;
	const char *source; /* "github owner/repo" */
	const char *path;   /* its directory or file on this machine */
	size_t plugins;     /* the number of its plugins */
	const char
		*problem; /* why it or its entries cannot be read, a line each; NULL if they can */
};

/* Called before anything is installed. `text` says what would run; returns whether the user
 * agrees. */
typedef bool awl_plugin_confirm_fn(void *arg, const char *text);

/* Lists the installed plugins, and with `available` also those of all marketplaces. Everything that
 * these functions return lives until the next call for this project. */
AWL_API enum awl_result awl_plugins(struct awl_project *project, bool available,
				    const struct awl_plugin **plugins, size_t *n);
/* Fetches and installs a plugin, "name" or "name@marketplace", and the plugins that it needs, and
 * enables them in the settings of a scope: user, project or local. Blocks while it fetches. `*id`
 * gets the full name; the notes of the project name the others. Fails with AWL_ERR_CANCELLED if
 * `confirm` returns false. */
AWL_API enum awl_result awl_plugin_install(struct awl_project *project, const char *name,
					   enum awl_scope scope, awl_plugin_confirm_fn *confirm,
					   void *arg, const char **id);
/* Fetches an installed plugin again; `*text` reports the result. */
AWL_API enum awl_result awl_plugin_update(struct awl_project *project, const char *name,
					  awl_plugin_confirm_fn *confirm, void *arg,
					  const char **text);
/* Removes a plugin from the settings of a scope. Once no scope has it, removes its files, and its
 * data unless `keep_data`. Fails while an enabled plugin needs it. */
AWL_API enum awl_result awl_plugin_uninstall(struct awl_project *project, const char *name,
					     enum awl_scope scope, bool keep_data);
/* Uninstalls the plugins that were installed only because another one needed them, and that none
 * needs now. `*text` names them; "" if there are none. */
AWL_API enum awl_result awl_plugins_prune(struct awl_project *project, const char **text);
/* Finds the data that uninstalled plugins have left; with `removes`, deletes it. `*text` names the
 * directories below plugins/data; "" if there are none. */
AWL_API enum awl_result awl_plugins_leftovers(struct awl_project *project, bool removes,
					      const char **text);
/* Enables an installed plugin and what it needs, or disables it, which fails while an enabled
 * plugin needs it. AWL_SCOPE_DEFAULT: in the scope where it is installed. */
AWL_API enum awl_result awl_plugin_enable(struct awl_project *project, const char *name,
					  enum awl_scope scope, bool is_enabled);
/* Describes the contents of a plugin, and what it runs. It must be installed or come from a
 * marketplace on this machine. */
AWL_API enum awl_result awl_plugin_details(struct awl_project *project, const char *name,
					   const char **text);

/* What a plugin lets its user configure. */
struct awl_plugin_option {
	const char *key, *title, *description; /* the description may be "" */
	const char *type; /* "string", "number", "boolean", "directory" or "file" */
	bool is_sensitive, is_required, is_multiple;
	bool is_set; /* by the user */
	const char
		*value; /* or the default; NULL if there is none, and always for sensitive ones */
};
/* Lists the options of a plugin, as awl_plugin_details() finds it. */
AWL_API enum awl_result awl_plugin_options(struct awl_project *project, const char *name,
					   const struct awl_plugin_option **options, size_t *n);
/* Sets an option in the user's settings, or a sensitive one in the file of credentials; several
 * values are separated by commas. A `value` of NULL removes it. */
AWL_API enum awl_result awl_plugin_configure(struct awl_project *project, const char *name,
					     const char *key, const char *value);

/* Unpacks an archive of a plugin (zip or tar), which is a file or an https address, without
 * installing it. `*dir` gets the directory, for awl_session_options.plugin_dirs; awl removes it
 * when nobody has asked for it for 14 days. Blocks. */
AWL_API enum awl_result awl_plugin_unpack(struct awl_project *project, const char *archive,
					  const char **dir);

/* Checks the plugin or marketplace in a directory. `*text` has a line for each mistake; "" if there
 * are none. */
AWL_API enum awl_result awl_plugin_validate(struct awl_project *project, const char *path,
					    const char **text);

AWL_API enum awl_result awl_marketplaces(struct awl_project *project,
					 const struct awl_marketplace **marketplaces, size_t *n);
/* Adds a marketplace: "owner/repo", an address, a directory or a JSON file. `*name` gets its
 * name. */
AWL_API enum awl_result awl_marketplace_add(struct awl_project *project, const char *source,
					    const char **name);
/* Removes a marketplace and uninstalls its plugins. */
AWL_API enum awl_result awl_marketplace_remove(struct awl_project *project, const char *name);
/* Fetches a marketplace again; NULL: all of them. */
AWL_API enum awl_result awl_marketplace_update(struct awl_project *project, const char *name);

#ifdef __cplusplus
}
#endif

#endif
