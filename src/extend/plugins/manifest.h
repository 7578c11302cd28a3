/* manifest.h - what the author of a plugin says about it: .claude-plugin/plugin.json, or the plugin's entry in a
 * marketplace.
 *
 *   { "name": "formatter", "version": "1.2.0", "description": "Formats what changes",
 *     "commands": "./more-commands", "agents": ["./agents/reviewer.md"],
 *     "hooks": "./hooks.json", "mcpServers": { "db": { "command": "${CLAUDE_PLUGIN_ROOT}/db" } } }
 *
 * Only the name is required. A field that makes no sense is ignored with a note; so is a path that leads out of the
 * plugin. Pure. All texts borrow from the JSON. */
#ifndef AWL_EXTEND_PLUGINS_MANIFEST_H
#define AWL_EXTEND_PLUGINS_MANIFEST_H

#include "base/vec.h"
#include "text/json/json.h"

typedef VEC(struct sv) plugin_texts;
typedef VEC(struct json) plugin_values;

struct plugin_manifest {
	struct sv name, version, description, author;
	plugin_texts commands, agents, skills, styles;    /* paths below the plugin, without "./" */
	plugin_texts hook_files, server_files, lsp_files; /* likewise */
	plugin_values hooks, servers, lsp;                /* objects */
	struct json user_config;                          /* options.h; missing: there are none */
	bool starts_disabled;                             /* "defaultEnabled" is false */
	struct json dependencies;                         /* a list; missing: there are none */
};

#define PLUGIN_MANIFEST_INIT                                                                      \
	{                                                                                         \
		.commands = VEC_INIT, .agents = VEC_INIT, .skills = VEC_INIT, .styles = VEC_INIT, \
		.hook_files = VEC_INIT, .server_files = VEC_INIT, .lsp_files = VEC_INIT,          \
		.hooks = VEC_INIT, .servers = VEC_INIT, .lsp = VEC_INIT                           \
	}
void plugin_manifest_clear(struct plugin_manifest *manifest);

/* Adds what an object says to what `out` has; texts that it lacks stay. `file` is named in notes, a line each. Fails
 * (ERR_INVALID), naming the file, if the name is missing or cannot be used. */
must_use bool plugin_manifest_read(struct plugin_manifest *out, struct json object,
				   const char *file, struct str *notes, struct err *err);

/* Whether an object says where components are, besides describing the plugin. */
bool plugin_manifest_has_parts(struct json object);

/* Whether a name can be that of a plugin or a marketplace: a part of paths and of command names. */
bool plugin_name_valid(struct sv name);
/* Cuts "./" off; false for a path that is absolute or has "..". */
must_use bool plugin_path_read(struct sv path, struct sv *out);

#endif
