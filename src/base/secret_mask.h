/* secret_mask.h - hides what looks like a key or a password in text that is shown or logged.
 *
 * Files of a project are full of them: `curl http://user:hunter2@host` in a rule, a token in the
 * environment of an MCP server. Only runs of characters that a shell takes literally are hidden, so
 * nothing that a command would do disappears. */
#ifndef AWL_BASE_SECRET_MASK_H
#define AWL_BASE_SECRET_MASK_H

#include "base/str.h"

/* Appends `text` with "[secret]" for: a password in a URL; a token with a well-known beginning
 * (sk-..., ghp_..., AKIA...); what follows Bearer or Basic; and the value of a name such as
 * API_TOKEN, password or client-secret, in JSON, in an assignment or after a colon. */
void secret_mask(struct str *out, struct sv text);

#endif
