/* compaction_internal.h - a compaction from inside: for compaction.c and compaction_apply.c. */
#ifndef AWL_CORE_COMPACTION_INTERNAL_H
#define AWL_CORE_COMPACTION_INTERNAL_H

#include "core/response.h"
#include "core/session_internal.h"

struct compaction {
	struct op op;
	struct session *s;
	struct agent *agent;
	bool is_manual, is_announced;
	struct str *answer; /* may be NULL */
	struct str focus;   /* what to keep above all */
	struct str refusal; /* of a hook */
	struct op *step;    /* hooks or the request */
	/* Of the request. */
	struct response response;
	VEC(struct sv) messages;
	struct sv system;
	struct str last; /* the last message */
	struct arena arena;
	size_t omitted; /* messages at the beginning */
	int64_t requested_ms;

	struct str summary;
	struct str message; /* the one that contains it */
	struct uuid uuid;   /* of that message */
	int64_t before;     /* tokens */
	int64_t started_ms;
};

/* --- compaction_apply.c --- */

/* The summary is there: replaces the conversation, and continues with compaction_tell_hooks(). */
void compaction_apply(struct compaction *c);

/* --- compaction_clear.c --- */

/* Moves old results of tools to files. NULL, with `then` not called, when that would not save `wanted`
 * tokens. */
struct op *compaction_clear(struct session *s, struct agent *agent, int64_t wanted,
			    struct then then);

/* --- compaction.c --- */

void compaction_tell_hooks(struct compaction *c);

#endif
