/* tool_headers.h - private to src/mcp: arguments of a tool that travel as HTTP headers too. The schema of a
 * tool marks them with "x-mcp-header" (2026-07-28), so that what is between us and the server can route a call
 * without reading it. Pure. */
#ifndef AWL_MCP_TOOL_HEADERS_H
#define AWL_MCP_TOOL_HEADERS_H

#include "base/arena.h"
#include "base/vec.h"
#include "net/http.h"
#include "text/json/json.h"

typedef VEC(struct http_header) tool_header_list;

/* Fails when a mark makes no sense: it is not the name of a header, is there twice, or is on something that is not a
 * string, an integer or a boolean. Such a tool must not be called. */
must_use bool tool_headers_check(struct json schema, struct err *err);

/* Appends "Mcp-Param-NAME" for each marked argument that is there and not null, as plain text in the
 * arena. */
void tool_headers_collect(struct json schema, struct json arguments, struct arena *arena,
			  tool_header_list *out);

#endif
