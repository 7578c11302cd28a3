/* user_tool.h - the tools that a user keeps as executables (tool/user_tools.h), made
 * such as the engine can call. Unless they are said to be read-only, each call asks as
 * that of a server's tool does; output is bounded as that of Bash. */
#ifndef AWL_CORE_USER_TOOL_H
#define AWL_CORE_USER_TOOL_H

#include "tool/tool.h"
#include "tool/user_tools.h"

struct user_kit {
	struct user_tools found;
	struct tool *tools; /* as many as `n` */
	size_t n;
};

#define USER_KIT_INIT                    \
	{                                \
		.found = USER_TOOLS_INIT \
	}

/* Reads the folder; what cannot be a tool is noted in found.notes. */
void user_kit_open(struct user_kit *kit, const char *dir);
/* When no call is under way. */
void user_kit_clear(struct user_kit *kit);

#endif
