/* tree.h - the files of a plugin: copying them, and what of them can run. */
#ifndef AWL_EXTEND_PLUGINS_TREE_H
#define AWL_EXTEND_PLUGINS_TREE_H

#include "extend/plugins/plugin.h"

/* Copies a directory, without .git, to one that does not exist yet. Fails, and removes the copy, if the directory is
 * not really in `inside`, if a link in it leads out of it, if it contains a device, socket or pipe, or if it is bigger
 * than LIMIT_PLUGIN_TREE. Blocks. */
must_use bool plugin_tree_copy(const char *from, const char *inside, const char *to,
			       struct err *err);

/* Appends a line for each part of a plugin that runs on this machine or reaches the model: hooks, MCP servers and
 * executable files; commands, agents and skills by name. */
void plugin_describe(struct str *out, const struct plugin *plugin);

#endif
