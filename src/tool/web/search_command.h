/* search_command.h - lets a program of the user search the web, for WebSearch.
 *
 * The setting is a JSON array with the program and its arguments, or just the name of a program. No
 * shell reads it. The program gets the input of the call as JSON ({"query":"...", ...}) on its
 * standard input. An argument "{query}" is replaced by the query, with a blank in front if it would
 * look like an option. The program prints what a SearXNG server would reply:
 * {"results":[{"title":"...","url":"...","content":"..."}]}. */
#ifndef AWL_TOOL_WEB_SEARCH_COMMAND_H
#define AWL_TOOL_WEB_SEARCH_COMMAND_H

#include "tool/tool.h"

/* Appends its output to `out`, at most LIMIT_WEB_SEARCH bytes. Fails if it cannot be started or fails
 * itself, with a message for the user. */
struct op *search_command_start(struct tool_call *call, struct sv setting, struct str *out,
				struct then then);

#endif
