/* environment.h - what the model should know of where it is: folders, system, date,
 * model, and how the repository stands. Collected once, at the start of a session.
 *
 * It never fails but by being cancelled: what cannot be found out, or not soon, is
 * left out. Outside a repository no process is started; inside one git is asked, and
 * nothing that the repository names is run (git.h). */
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
	int64_t wall_ms;                /* its local date is told */
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
