/* search_command.h - a web search by a program of the user's, for WebSearch.
 *
 * The setting is a JSON array, the program and its arguments, or the name of a program
 * alone; no shell reads it. The program is given the input of the call as JSON
 * ({"query":"...", ...}) on its standard input, and the query in place of an argument
 * that is "{query}", after a blank where it would be an option. It prints what a SearXNG would answer:
 * {"results":[{"title":"...","url":"...","content":"..."}]}. */
#ifndef AWL_TOOL_WEB_SEARCH_COMMAND_H
#define AWL_TOOL_WEB_SEARCH_COMMAND_H

#include "tool/tool.h"

/* Appends what it prints to `out`, at most LIMIT_WEB_SEARCH bytes. Fails when it cannot be
 * run or ends badly, in words for the user. */
struct op *search_command_start(struct tool_call *call, struct sv setting, struct str *out,
				struct then then);

#endif
