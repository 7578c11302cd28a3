/* compaction_internal.h - a compaction from inside: for compaction.c and compaction_apply.c. */
#ifndef AWL_CORE_COMPACTION_COMPACTION_INTERNAL_H
#define AWL_CORE_COMPACTION_COMPACTION_INTERNAL_H

#include "core/agent/response.h"
#include "core/session/session_internal.h"

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
	size_t omitted;    /* messages at the beginning */
	bool strips_media; /* images and documents are omitted, too */
	/* The messages [keep_from, keep_to) stay as they are; they stand before the summary if they are the first
	 * ones, else after it. `is_partial`: the user has chosen that. */
	size_t keep_from, keep_to;
	bool is_partial;
	int64_t requested_ms;

	struct str summary;
	struct str message; /* the one that contains it */
	struct uuid uuid;   /* of that message */
	int64_t before;     /* tokens */
	int64_t started_ms;
};

/* --- compaction_apply.c --- */

/* The summary is there: replaces the conversation, and continues with compaction_run_hooks(). */
void compaction_apply(struct compaction *c);

/* --- compaction_notes.c --- */

/* Whether the notes of the session are enough. Then they are the summary, and it is known what stays. */
bool compaction_can_use_notes(struct compaction *c);
/* Whether a conversation can go on with this message. */
struct history_message;
bool compaction_may_begin(const struct history_message *m);

/* --- compaction_restore.c --- */

struct read_state;
/* Appends the names of the files that the model has read or written, the least recently used first. */
void compaction_list_files(const struct read_state *files, struct str *out);
/* Append the content of the newest files, and the skills, so that they need not be read again at once. */
void compaction_restore_files(struct session *s);
void compaction_restore_skills(struct session *s);

/* Before the skills of an earlier summary, and before each of them. */
#define COMPACTION_SKILLS "These skills were used in this session."
#define COMPACTION_SKILL  "\n\n### Skill: "

/* --- compaction_recall.c --- */

/* Adds the files and skills that only the conversation tells about, because an earlier process used them. */
void compaction_recall(struct session *s, struct agent *agent);

/* --- compaction_clear.c --- */

/* Moves old results of tools to files. NULL, with `then` not called, when that would not save `wanted`
 * tokens. */
struct op *compaction_clear(struct session *s, struct agent *agent, int64_t wanted,
			    struct then then);

/* --- compaction.c --- */

void compaction_run_hooks(struct compaction *c);

#endif
