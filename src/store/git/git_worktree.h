/* git_worktree.h - makes and removes worktrees of git: second checkouts of a repository, with a branch of their
 * own, in which somebody can work without disturbing the first.
 *
 * A worktree is removed only if nothing would be lost: no changed or new file, and no commit that its branch did
 * not begin with. Only the caller can say that the loss is wanted.
 *
 * git runs as git.h describes. So no hook of the repository and no filter runs: files that a filter would expand
 * (Git LFS) stay as they are stored. */
#ifndef AWL_STORE_GIT_GIT_WORKTREE_H
#define AWL_STORE_GIT_GIT_WORKTREE_H

#include "base/str.h"
#include "sys/op.h"

struct git_worktree {
	struct str path;   /* real; empty: none */
	struct str name;   /* as it was chosen */
	struct str branch; /* may be empty: somebody else made it */
	struct str base;   /* the commit that it began with; may be empty */
	struct str first;  /* the main checkout of the repository; empty: git did not make it */
	bool is_made;      /* by us: we may remove it */
	bool has_branch;   /* ... and its branch */
};

#define GIT_WORKTREE_INIT                           \
	((struct git_worktree){ .path = STR_INIT,   \
				.name = STR_INIT,   \
				.branch = STR_INIT, \
				.base = STR_INIT,   \
				.first = STR_INIT })

void git_worktree_clear(struct git_worktree *tree);

/* Fails unless the name is safe as that of a directory and of a branch: words of letters, digits, ".", "_" and
 * "-", separated by "/", none of which begins with "." or "-"; at most LIMIT_WORKTREE_NAME bytes. */
must_use bool git_worktree_check_name(struct sv name, struct err *err);

/* Whether we could have made it: it has a name, a directory, a branch and a commit as git_worktree_add() gives. */
bool git_worktree_may_be_ours(const struct git_worktree *tree);

struct git_worktree_opts {
	const char *dir;        /* inside the repository */
	const char *const *env; /* of the user's programs */
	struct sv name;
	struct sv location;      /* the directory for worktrees; empty: .claude/worktrees */
	bool from_head;          /* begin with HEAD; otherwise with the remote's default branch, if
					 * it is known */
	const struct sv *sparse; /* directories to check out; none: everything */
	size_t nsparse;
	const struct sv *links; /* directories that become links into the main checkout */
	size_t nlinks;
};

/* Makes the worktree and fills `out`, which is GIT_WORKTREE_INIT. If it exists already, it is used and `is_made` is
 * false. NULL, with `err`, if that cannot be begun. A worktree that could not be completed is removed. */
struct op *git_worktree_add(struct loop *loop, const struct git_worktree_opts *opts,
			    struct git_worktree *out, struct then then, struct err *err);

/* What would be lost with a worktree. */
struct git_worktree_loss {
	int64_t files;   /* changed or new */
	int64_t commits; /* that it did not begin with */
};

/* Removes a worktree that we have made, and its branch. Without `discards` it fails (ERR_BUSY) if something would be
 * lost; `*loss` says what. Borrows `tree` and `loss`. */
struct op *git_worktree_remove(struct loop *loop, const struct git_worktree *tree,
			       const char *const *env, bool discards,
			       struct git_worktree_loss *loss, struct then then);

#endif
