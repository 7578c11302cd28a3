/* redact.h - private to src/model: removes secrets from what is recorded or shown. A secret is
 * recognised by its name or by its value. */
#ifndef AWL_MODEL_SCRIPT_REDACT_H
#define AWL_MODEL_SCRIPT_REDACT_H

#include "base/arena.h"
#include "base/vec.h"
#include "net/http.h"

#define REDACTED "[redacted]"

/* Values that are secret wherever they occur. */
struct redact {
	struct arena arena;
	VEC(struct sv) secrets;
};

#define REDACT_INIT                 \
	{                           \
		.arena = ARENA_INIT \
	}

/* Copies. Ignores values that are too short for a key, because they would match ordinary words. */
void redact_add(struct redact *r, struct sv secret);
void redact_clear(struct redact *r);

/* Appends `text` with every secret in it replaced. */
void redact_text(struct str *out, const struct redact *r, struct sv text);
/* The same, and without a password before the host or credentials in the query. */
void redact_url(struct str *out, const struct redact *r, struct sv url);
/* Appends the value of a header that is sent or (`received`) was received, redacted completely if its
 * name means a credential. */
void redact_header(struct str *out, const struct redact *r, const struct http_header *header,
		   bool received);

#endif
