/* content.h - what a server answers, as the model gets it. Text is sent as it is; images as images, if the model can
 * see them; everything binary is saved to a file beside the session, and the model is told its path. Hosts and hooks get
 * all of it as JSON. */
#ifndef AWL_MCP_CONTENT_H
#define AWL_MCP_CONTENT_H

#include "tool/tool.h"

/* Makes the result of a call out of the result of tools/call. `server` is its name. */
void mcp_content_take(struct tool_call *call, struct sv server, struct json result, size_t max);

/* Appends the contents of resources/read. */
void mcp_content_take_resource(struct tool_call *call, struct sv server, struct json result,
			       size_t max);

/* Appends what the messages of prompts/get say to `text`, and the images that the model of `ctx` can see to `images`:
 * blocks, with a comma before each. */
void mcp_content_take_prompt(struct tool_context *ctx, struct sv server, struct json result,
			     struct str *text, struct str *images);

#endif
