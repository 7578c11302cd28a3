/* tool_schema.h - private to src/mcp: the input of a server's tool as models can be sent it. Services refuse a whole
 * request because of one tool that they do not like, so the schema is fitted to what all of them take: an object whose
 * properties are at its top. Pure. */
#ifndef AWL_MCP_TOOL_SCHEMA_H
#define AWL_MCP_TOOL_SCHEMA_H

#include "base/str.h"
#include "text/json/json.h"

/* Fails when no model can be sent it: it does not describe an object, or an argument has a name that services refuse. */
must_use bool tool_schema_check(struct json schema, struct err *err);

/* Appends it as a JSON object that says that it is one. In place of oneOf, anyOf and allOf at its top there are the
 * properties of all alternatives; the server itself refuses wrong combinations. */
void tool_schema_write(struct str *out, struct json schema);

#endif
