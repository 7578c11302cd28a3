/* awl_agents.h - list the definitions of agents of a project. Part of the library of awl.h, whose
 * rules apply; docs/agents.md describes the definitions. */
#ifndef AWL_AGENTS_H
#define AWL_AGENTS_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the definitions of agents that a session in this project could start, as a JSON array in
 * `*json`: objects with "name", "description", "source" ("built-in", "plugin", "user", "project",
 * "managed") and, where the definition sets them, "file", "model", "effort", "mode", "memory",
 * "color", "tools", "disallowedTools", "skills" and "background". awl_project_notes() names invalid
 * files, with the line and the reason. */
AWL_API enum awl_result awl_agents_describe(struct awl_project *project, const char **json);

#ifdef __cplusplus
}
#endif

#endif
