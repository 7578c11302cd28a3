/* plugin.h - a plugin on disk: a directory with commands, agents, skills, hooks, MCP servers and language servers.
 *
 *   .claude-plugin/plugin.json    the manifest (manifest.h); a plugin may have none
 *   commands/ agents/ skills/ output-styles/    Markdown files
 *   hooks/hooks.json .mcp.json .lsp.json
 *   settings.json                 defaults for the user's settings: "agent"
 *
 * The manifest may name other places. Those of commands, agents and output styles replace the usual folder, all others add to it.
 * Nothing counts that leads out of the directory. */
#ifndef AWL_EXTEND_PLUGINS_PLUGIN_H
#define AWL_EXTEND_PLUGINS_PLUGIN_H

#include "base/arena.h"
#include "extend/plugins/dependency.h"
#include "extend/plugins/manifest.h"
#include "extend/plugins/options.h"

/* JSON of a plugin, and where it is written. */
struct plugin_json {
	const char *file;
	struct json value; /* an object */
};

typedef VEC(struct plugin_json) plugin_jsons;

struct plugin {
	struct sv name;    /* begins the names of what it has: "formatter" */
	struct sv id;      /* "formatter@tools"; "formatter@inline" for --plugin-dir */
	struct sv version; /* may be empty, like the next two */
	struct sv description, author;
	const char *root;   /* its directory: ${CLAUDE_PLUGIN_ROOT} */
	const char *data;   /* where it may keep files: ${CLAUDE_PLUGIN_DATA}; NULL: nowhere */
	bool skips_servers; /* its MCP servers are not wanted */
	plugin_texts commands, agents, skills,
		styles;       /* absolute paths of folders and files, NUL-terminated */
	plugin_jsons hooks;   /* handlers by event */
	plugin_jsons servers; /* entries by name */
	plugin_jsons lsp;     /* likewise */
	plugin_options options;
	/* "KEY\0VALUE\0..." of those that are not sensitive: ${user_config.KEY} in texts. */
	struct sv config;
	const char *const *env; /* "CLAUDE_PLUGIN_OPTION_KEY=VALUE" of all; NULL-terminated */
	plugin_needs needs;
	bool starts_disabled; /* whoever installs it has to enable it, too */
	struct sv main_agent; /* of its settings.json: runs the main conversation; may be empty */
};

/* A plugin that could not be loaded, or a part of one. */
struct plugin_error {
	struct sv
		plugin; /* its id; "inline[2]": the third directory of the command line, which has none */
	struct sv message;
	struct sv dir; /* of the command line, that was not loaded at all; empty: something else */
	enum err_kind
		why; /* ERR_NONE: only a part of it is missing; ERR_UNSUPPORTED: another plugin is */
};

/* Plugins, and what their texts are in. */
struct plugin_set {
	struct arena arena;
	VEC(struct plugin) all;
	VEC(struct json_doc *) docs;
	struct str notes; /* what is wrong with them, a line each, beginning with a file */
	VEC(struct plugin_error) errors; /* the same for each plugin */
	size_t failed;                   /* how many could not be loaded at all */
};

#define PLUGIN_SET_INIT                                                                    \
	{                                                                                  \
		.arena = ARENA_INIT, .all = VEC_INIT, .docs = VEC_INIT, .notes = STR_INIT, \
		.errors = VEC_INIT                                                         \
	}
void plugin_set_clear(struct plugin_set *set);

/* How to load one. All borrowed, until the call returns. */
struct plugin_from {
	const char *dir;
	struct sv marketplace; /* empty: "inline" */
	const char *data_dir;  /* of all plugins; NULL: there is none */
	/* Its entry in the marketplace; missing: none. It adds to the manifest, or with "strict": false takes its place. */
	struct json entry;
	const char *entry_file;
	size_t position; /* of the directory on the command line */
	bool skips_servers;
	struct json configs; /* the setting pluginConfigs; may be missing, like the next */
	struct json secrets; /* values of sensitive options, by plugin */
};

/* Adds the plugin in a directory. Fails, naming the file and adding nothing, if the directory is not a plugin, if its
 * manifest is invalid, or if the set has one of its name. Other mistakes add to set->notes. */
must_use bool plugin_set_load(struct plugin_set *set, const struct plugin_from *from,
			      struct err *err);
/* The same for a directory from the command line: a plugin, or a folder of plugins. Plugins that cannot be loaded get a
 * note and are counted in set->failed. */
void plugin_set_load_dir(struct plugin_set *set, const struct plugin_from *from);
/* Makes errors of a plugin of the notes that were added since there were `since` bytes of them. */
void plugin_set_blame(struct plugin_set *set, size_t since, struct plugin_error error);
/* Adds a note for each option that is required and has no value. */
void plugin_set_note_options(struct plugin_set *set);
/* Takes a plugin out of a set, as one that could not be loaded. */
void plugin_set_drop(struct plugin_set *set, size_t at);
/* Whether a plugin needs one that the set does not have in a version that it can use; appends the reason. */
bool plugin_set_lacks(const struct plugin_set *set, const struct plugin *plugin, struct str *why);
/* Drops the plugins that need one that is not in the set or not in a version that they can use, with a note each; then
 * those that need a dropped one, and so on. */
void plugin_set_check_needs(struct plugin_set *set);
/* The plugin of this name; NULL: none. */
const struct plugin *plugin_set_find(const struct plugin_set *set, struct sv name);

/* Whether a directory has what a plugin has. */
bool plugin_is_dir(const char *dir);
/* What texts of a plugin may name: ${CLAUDE_PLUGIN_ROOT}, ${CLAUDE_PLUGIN_DATA}, ${user_config.KEY}. */
struct plugin_words {
	const char *root, *data; /* `data` may be NULL */
	struct sv config;
	const struct plugin *
		all; /* all of its options may be named, also sensitive ones; NULL: those of `config` */
};
/* Appends a text with them replaced. */
void plugin_expand(struct str *out, struct sv text, const struct plugin_words *words);
/* Walks over the pairs of plugin.config: `while (plugin_config_next(&rest, &key, &value))`. */
bool plugin_config_next(struct sv *rest, struct sv *key, struct sv *value);
/* The value of an option, sensitive ones included; NULL: there is none. */
const char *plugin_option_value(const struct plugin *plugin, struct sv key);
/* Reads and parses a JSON file; the set owns the result. Missing when it fails. */
struct json plugin_read_json(struct plugin_set *set, const char *path, struct err *err);
/* Appends the name of the folder below plugins/data that belongs to an id. */
void plugin_data_name(struct str *out, struct sv id);

#endif
