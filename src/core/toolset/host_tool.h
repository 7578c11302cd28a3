/* host_tool.h - a tool of the program that embeds awl: registered with awl_add_tool(), called on
 * its thread, finished whenever it likes. */
#ifndef AWL_CORE_TOOLSET_HOST_TOOL_H
#define AWL_CORE_TOOLSET_HOST_TOOL_H

#include "tool/tool.h"
#include <awl.h>

struct host_tool {
	struct tool tool;
	struct awl_tool host; /* its strings are ours */
};

/* Copies everything. Fails on an invalid name or schema. */
struct host_tool *host_tool_new(const struct awl_tool *host, struct err *err);
void host_tool_free(struct host_tool *tool);

#endif
