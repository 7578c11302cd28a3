/* compaction.h - makes a conversation shorter before it exceeds the model's window, after the service
 * has refused it as too long, or because the user wants that.
 *
 * The model is asked for a summary at the end of the very conversation, so that the request reads what the
 * provider has cached. The summary then replaces the conversation. What must not depend on how well a model
 * summarises is carried over as it is: the latest prompt, open tasks, the plan, instruction files, the
 * environment, the names of the files that were read or changed, and the content of the newest of them. The
 * transcript keeps everything. */
#ifndef AWL_CORE_COMPACTION_COMPACTION_H
#define AWL_CORE_COMPACTION_COMPACTION_H

#include "core/session/session.h"

struct agent;

struct compaction_opts {
	struct agent *agent;
	bool is_manual;  /* the user wants it; else it happens in the middle of the work */
	struct sv focus; /* what to keep above all; may be empty */
	size_t keep_from,
		keep_to; /* messages that stay as they are: the first or the last; none if equal */
	struct str *answer; /* gets a sentence about the outcome; NULL: nobody waits for one */
};

/* Keep what comes after the first `n` messages, or before message `n`, as far as the conversation can be divided there.
 * False: there is no such message, or nothing would be summarised or kept. */
struct history;
must_use bool compaction_up_to(struct compaction_opts *opts, const struct history *h, size_t n);
must_use bool compaction_from(struct compaction_opts *opts, const struct history *h, size_t n);

/* Fails, with the conversation as it was, when there is nothing to summarise, when a PreCompact hook
 * objects, or when the model does not write a summary. */
struct op *compaction_start(struct session *s, const struct compaction_opts *opts,
			    struct then then);

/* A skill was used: its text survives a summary, as long as it is among the newest. */
void compaction_note_skill(struct session *s, struct sv name, struct sv text);
void compaction_forget_skills(struct session *s);

/* Takes part in turns (hook_points.h). */
struct hook_points;
void compaction_install(struct hook_points *points);

#endif
