/* git_refs.h - the branches of a repository, read from its files.
 *
 * Each process of git takes longer than all of this, and the first request waits for it. Only the
 * plain case is read: our own repository with its .git directory in place and branches in files.
 * Everything else (worktrees, reftable, links, names that could mean two things) is left to git. */
#ifndef AWL_STORE_GIT_GIT_REFS_H
#define AWL_STORE_GIT_GIT_REFS_H

#include "base/str.h"

struct git_refs {
	struct str branch;      /* as from "git symbolic-ref --short HEAD"; empty: detached */
	struct str main_branch; /* the one that the remote names, or a usual name; empty: none */
	bool is_unborn;         /* the branch certainly has no commit yet */
};

void git_refs_clear(struct git_refs *refs);

/* Reads the repository at `top`. On failure `out` is untouched: ask git. Succeeds also for some
 * repositories that git refuses, for instance of a newer format. */
must_use bool git_refs_read(struct git_refs *out, const char *top);

#endif
