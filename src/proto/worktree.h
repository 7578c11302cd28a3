/* worktree.h - what is recorded of a session's worktree, and what the tools that enter and leave one report. */
#ifndef AWL_PROTO_WORKTREE_H
#define AWL_PROTO_WORKTREE_H

#include "text/json/json.h"

/* All views are borrowed. Without a path the session is in no worktree. */
struct worktree_state {
	struct sv path, name, branch; /* the branch may be empty */
	struct sv base;               /* the commit that it began with; may be empty */
	struct sv repository;         /* its main checkout; empty: a hook has made it */
	struct sv original;           /* the directory to return to */
	bool is_made, has_branch;     /* by the session */
};

/* Appends the record of the transcript. */
void worktree_state_write(struct str *out, const struct worktree_state *state,
			  struct sv session_id);
/* Reads one; borrows from it. */
struct worktree_state worktree_state_read(struct json record);

/* Appends the result of EnterWorktree. */
void worktree_entered_write(struct str *out, const struct worktree_state *state, struct sv message);

/* How a worktree was left. */
struct worktree_left {
	struct worktree_state state;
	bool removes;
	int64_t files, commits; /* that were discarded */
};

/* Appends the result of ExitWorktree. */
void worktree_left_write(struct str *out, const struct worktree_left *left, struct sv message);

#endif
