/* redact.h - private to src/model: what must never be written down. A secret is
 * known by the name it goes under, or by its value. */
#ifndef AWL_MODEL_SCRIPT_REDACT_H
#define AWL_MODEL_SCRIPT_REDACT_H

#include "base/arena.h"
#include "base/vec.h"
#include "net/http.h"

#define REDACTED "[redacted]"

/* Values that are secret wherever they stand. */
struct redact {
	struct arena arena;
	VEC(struct sv) secrets;
};

#define REDACT_INIT                 \
	{                           \
		.arena = ARENA_INIT \
	}

/* Copies. One that is shorter than a key can be is left out: it would be found
 * in innocent words. */
void redact_add(struct redact *r, struct sv secret);
void redact_clear(struct redact *r);

/* Appends `text` with every secret in it replaced. */
void redact_text(struct str *out, const struct redact *r, struct sv text);
/* The same, and without a password before the host or in the query. */
void redact_url(struct str *out, const struct redact *r, struct sv url);
/* The value of a header that is sent, or (`received`) that came back: nothing of
 * it when its name says that it is a credential. */
void redact_header(struct str *out, const struct redact *r, const struct http_header *header,
		   bool received);

#endif
