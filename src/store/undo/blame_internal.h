/* blame_internal.h - private to blame.c and blame_past.c. */
#ifndef AWL_STORE_UNDO_BLAME_INTERNAL_H
#define AWL_STORE_UNDO_BLAME_INTERNAL_H

#include "store/undo/blame.h"
#include "store/undo/undo_internal.h"

/* A content of the file, at the time when a session has found it. */
struct blame_seen {
	int64_t wall_ms;
	int64_t since_ms;        /* when the session had looked before; INT64_MAX: never */
	struct undo_state state; /* owns its text */
	uint32_t prompt;         /* whose work the change is; BLAME_UNKNOWN: not of this session */
	size_t journal;
	size_t order; /* among those of the same time */
};

struct blame_journal {
	char *dir, *session, *path;
};

struct blame_past {
	VEC(struct blame_journal) journals;
	VEC(struct blame_prompt) prompts;
	VEC(struct blame_seen) seen; /* in the order of time */
	uint32_t open;               /* the prompt that may be at work still */
	int64_t last_ms;             /* when somebody has looked at the file last */
};

void blame_past_clear(struct blame_past *past);
/* Collects what all journals below `config_dir` know of the file. */
void blame_past_load(struct blame_past *out, struct sv config_dir, const char *path);

#endif
