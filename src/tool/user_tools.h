/* user_tools.h - tools that a user has made without a server: executables in a folder,
 * each with a description beside it. `NAME` is run with its input, a JSON object, on
 * standard input; what it prints is the result, and an exit code but 0 an error.
 *
 *   NAME.json: { "description": "...", "input_schema": { "type": "object", ... },
 *                "read_only": false, "deferred": false, "timeout_ms": 120000 }
 *
 * The first two have to be there. What cannot be a tool is left out, with a note that
 * says which file and why. */
#ifndef AWL_TOOL_USER_TOOLS_H
#define AWL_TOOL_USER_TOOLS_H

#include "base/str.h"
#include "base/vec.h"

struct user_tool {
	char *name;
	char *path;        /* of the executable */
	char *description; /* for the model */
	char *schema;      /* JSON, not looked into */
	bool read_only, deferred;
	int64_t timeout_ms; /* 0: not said */
};

struct user_tools {
	VEC(struct user_tool) list; /* by name */
	struct str notes;           /* a line each */
};

#define USER_TOOLS_INIT          \
	{                        \
		.list = VEC_INIT \
	}
void user_tools_clear(struct user_tools *tools);

/* Into an empty one. No such folder: no tools. */
void user_tools_load(struct user_tools *tools, const char *dir);

#endif
