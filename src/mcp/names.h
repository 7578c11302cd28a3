/* names.h - the names under which the model, rules and slash commands know what servers offer. */
#ifndef AWL_MCP_NAMES_H
#define AWL_MCP_NAMES_H

#include "base/str.h"

/* Appends `name` with every character that a tool's name cannot have replaced by '_'. */
void mcp_name_add(struct str *out, struct sv name);
/* Appends "mcp__server__item". */
void mcp_name_join(struct str *out, struct sv server, struct sv item);
/* Whether `name` is what mcp_name_add() makes of `original`. */
bool mcp_name_is(struct sv name, struct sv original);
/* Cuts "mcp__server__item" into its parts as they stand there; false: it is not such a name. */
bool mcp_name_cut(struct sv name, struct sv *server, struct sv *item);

#endif
