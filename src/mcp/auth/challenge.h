/* challenge.h - private to src/mcp: what a server says in WWW-Authenticate (RFC 9110, section 11), as
 * far as Bearer goes. The header is hostile input. Pure. */
#ifndef AWL_MCP_AUTH_CHALLENGE_H
#define AWL_MCP_AUTH_CHALLENGE_H

#include "base/arena.h"
#include "base/str.h"

/* Of the first Bearer challenge; what is not there is empty. In the arena. */
struct challenge {
	bool is_bearer;
	struct sv error; /* "insufficient_scope" */
	struct sv scope;
	struct sv resource_metadata; /* a URL */
};

/* Never fails: what is malformed is skipped. */
struct challenge challenge_read(struct sv header, struct arena *arena);

#endif
