/* headers_helper.h - private to src/mcp: runs the headersHelper of a server, a command that prints more
 * headers as a JSON object of strings. */
#ifndef AWL_MCP_AUTH_HEADERS_HELPER_H
#define AWL_MCP_AUTH_HEADERS_HELPER_H

#include "mcp/link/links.h"

/* Done when it has printed a sound object, which is appended to `out`. It runs by /bin/sh in the
 * directory of the project, for at most ten seconds, with the name and the URL of the server in its environment. Its
 * output is a secret and is never quoted. */
struct op *headers_helper_start(const struct mcp_link_env *env, const struct mcp_config *config,
				struct str *out, struct then then);

/* Whether a name and a value can be a header. */
bool headers_helper_is_sound(struct sv name, struct sv value);

#endif
