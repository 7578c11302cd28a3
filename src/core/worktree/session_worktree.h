/* session_worktree.h - the worktree that a session works in: made at the start (--worktree) or by EnterWorktree, kept
 * over a resume, removed at the end of the session if it is ours and nothing would be lost.
 *
 * In a worktree the working directory, the rules about it, the sandbox and what undo saves are those of the worktree.
 * The project stays the same: its settings, hooks, memory and transcripts. */
#ifndef AWL_CORE_WORKTREE_SESSION_WORKTREE_H
#define AWL_CORE_WORKTREE_SESSION_WORKTREE_H

#include "core/worktree/worktree.h"
#include "proto/worktree.h"

struct session_worktree {
	struct git_worktree tree; /* that the session is in; without a path: none */
	struct fs_lock *lock;     /* nobody else works in it */
	struct str original;      /* the directory to return to */
	struct op *op;            /* making the one of --worktree, or cleaning up at the end */
	struct git_worktree made; /* by `op`, or of a resumed session, not yet entered */
	struct str recorded;      /* by the transcript of a resumed session; may be empty */
	struct str failure;       /* why --worktree could not be carried out: there is no turn */
	struct git_worktree_loss loss;
	bool owes_record; /* the transcript does not say yet where the session is */
	bool has_ended;   /* cleaned up */
};

extern const struct tool_worktrees session_worktree_tools;

/* Before everything else. And with the last of the session. */
void session_worktree_open(struct session *s);
void session_worktree_free(struct session_worktree *w);

/* The session has been made: begins the worktree of --worktree; "" chooses a name. NULL: none is wanted. */
void session_worktree_begin(struct session *s, const char *name);
/* Whether the next turn has to wait for it. */
bool session_worktree_bars(const struct session *s);
/* A resumed session was in a worktree: enters it if it is still there. */
void session_worktree_restore(struct session *s);
/* The session closes: removes the worktree if nothing would be lost. Returns whether that is over. */
bool session_worktree_end(struct session *s);
/* Records where the session is, if the transcript does not say so yet. */
void session_worktree_record(struct session *s);

/* Enters a worktree. Takes `tree`; when it fails, the session stays where it was. */
must_use bool session_worktree_enter(struct session *s, struct git_worktree *tree, struct err *err);
/* Returns to the original directory. The worktree stays. */
must_use bool session_worktree_leave(struct session *s, struct err *err);

/* Appends the main checkout of the repository that the session belongs to; false: it is in none. */
bool session_worktree_repository(const struct session *s, struct str *first);
/* Where the session is; borrows until it moves. */
struct worktree_state session_worktree_state(const struct session *s);

/* Appends a name for a worktree. */
void session_worktree_choose_name(struct session *s, struct str *out);

/* The worktree that is the working directory; NULL: there is none. */
const char *session_worktree_dir(const struct session *s);

#endif
