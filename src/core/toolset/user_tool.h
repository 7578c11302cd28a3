/* user_tool.h - the user's own executables (tool/user_tools.h) as tools of the engine. Each call is
 * a question, as with an MCP server's tool, unless the tool is declared read-only; output has the
 * limits of Bash. */
#ifndef AWL_CORE_TOOLSET_USER_TOOL_H
#define AWL_CORE_TOOLSET_USER_TOOL_H

#include "tool/tool.h"
#include "tool/user_tools.h"

struct user_toolset {
	struct user_tools found;
	struct tool *tools; /* as many as `n` */
	size_t n;
};

#define USER_TOOLSET_INIT                \
	{                                \
		.found = USER_TOOLS_INIT \
	}

/* Reads the folder. Invalid tools are skipped, with a line in found.notes. */
void user_toolset_open(struct user_toolset *set, const char *dir);
/* Not while a call runs. */
void user_toolset_clear(struct user_toolset *set);

#endif
