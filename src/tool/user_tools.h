/* user_tools.h - tools that a user made without a server: executables in a folder, each with a
 * description beside it. `NAME` gets its input, a JSON object, on standard input. Its output is the
 * result; a non-zero exit status makes it an error.
 *
 *   NAME.json: { "description": "...", "input_schema": { "type": "object", ... },
 *                "read_only": false, "deferred": false, "timeout_ms": 120000 }
 *
 * "description" and "input_schema" are required. A file that cannot be a tool is skipped with a
 * note that names it and says why. */
#ifndef AWL_TOOL_USER_TOOLS_H
#define AWL_TOOL_USER_TOOLS_H

#include "base/str.h"
#include "base/vec.h"

struct user_tool {
	char *name;
	char *path;        /* of the executable */
	char *description; /* for the model */
	char *schema;      /* JSON, not checked */
	bool read_only, deferred;
	int64_t timeout_ms; /* 0: not given */
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

/* Fills an empty list. A missing folder means no tools. */
void user_tools_load(struct user_tools *tools, const char *dir);

#endif
