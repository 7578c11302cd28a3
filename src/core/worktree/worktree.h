/* worktree.h - worktrees of a session and of its sub-agents, made and removed by the user's WorktreeCreate and
 * WorktreeRemove hooks or, without those, by git (store/git/git_worktree.h). */
#ifndef AWL_CORE_WORKTREE_WORKTREE_H
#define AWL_CORE_WORKTREE_WORKTREE_H

#include "core/session/session_internal.h"
#include "store/git/git_worktree.h"

/* Makes a worktree of the repository that `dir` is in, and fills `out`, which is GIT_WORKTREE_INIT. NULL, with `err`,
 * if that cannot be begun. */
struct op *worktree_make_start(struct session *s, struct sv dir, struct sv name,
			       struct git_worktree *out, struct then then, struct err *err);

/* Whether it is ours, and git can tell what would be lost with it. */
bool worktree_can_be_cleaned(const struct git_worktree *tree);

/* Removes one that is ours. git_worktree_remove() fails if something would be lost; hooks are not asked about that, so
 * they may run only if the loss is wanted. Borrows `tree` and `loss`. */
struct op *worktree_drop_start(struct session *s, const struct git_worktree *tree, bool discards,
			       struct git_worktree_loss *loss, struct then then);

#endif
