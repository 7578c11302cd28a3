/* agent_sources.h - reads the definitions of agents from everywhere that files can define them. */
#ifndef AWL_CORE_SUBAGENTS_AGENT_SOURCES_H
#define AWL_CORE_SUBAGENTS_AGENT_SOURCES_H

#include "extend/agent_list.h"
#include "extend/plugins/plugin.h"

/* Borrowed. */
struct agent_sources {
	const char *config_dir; /* NULL: there is none */
	const char *root;       /* of the project */
	const struct plugin_set *plugins;
	bool has_builtins, has_user, has_project;
};

/* Adds those of the policy, too. What is wrong with a file becomes a note of the list. */
void agent_sources_load(struct agent_list *out, const struct agent_sources *sources);
/* Adds only those of plugins. */
void agent_sources_add_plugins(struct agent_list *out, const struct plugin_set *set);

#endif
