/* environment.h - what the model should know about where it works: folders, system, date, model,
 * and the state of the repository. Collected once, at the start of a session.
 *
 * It fails only when it is cancelled: whatever cannot be found out, or not in time, is omitted.
 * Outside a repository it starts no process. Inside one it runs git, and nothing that the
 * repository names (git.h). */
#ifndef AWL_CONTEXT_ENVIRONMENT_H
#define AWL_CONTEXT_ENVIRONMENT_H

#include "base/str.h"
#include "sys/op.h"

/* Borrowed until environment_start() returns. */
struct environment_opts {
	const char *cwd;
	const struct sv *dirs; /* all working directories; cwd among them is fine */
	size_t ndirs;
	struct sv model_id, model_name; /* either may be empty */
	int64_t wall_ms;                /* the model gets its local date */
	const char *const *env;         /* for children; NULL: ours */
	bool git;                       /* whether to look for a repository */
};

struct op *environment_start(struct loop *loop, const struct environment_opts *opts,
			     struct then then);

/* In `done`, and only there. */
struct sv environment_text(const struct op *op);
/* Empty when there is none: no repository, no branch, no git. */
struct sv environment_branch(const struct op *op);

#endif
