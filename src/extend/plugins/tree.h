/* tree.h - the files of a plugin: copying them, and what of them can run. */
#ifndef AWL_EXTEND_PLUGINS_TREE_H
#define AWL_EXTEND_PLUGINS_TREE_H

#include "extend/plugins/plugin.h"

/* Copies a directory, without .git, to one that does not exist yet. Fails if the directory is not really in `inside`, if it has a link that leads out of it or a file
 * that is neither regular nor a directory nor a link, or if it is bigger than LIMIT_PLUGIN_TREE; then the copy is removed.
 * Blocks. */
must_use bool plugin_tree_copy(const char *from, const char *inside, const char *to,
			       struct err *err);

/* Appends a line for everything of a plugin that runs on this machine or adds to what the model is told: hooks, MCP servers,
 * executable files; commands, agents and skills by name. */
void plugin_describe(struct str *out, const struct plugin *plugin);

#endif
