/* git_remote.h - where a repository comes from, and which worktree of it this is, read from its files. Starts no process and
 * believes nothing: everything is a name to be shown. */
#ifndef AWL_STORE_GIT_GIT_REMOTE_H
#define AWL_STORE_GIT_GIT_REMOTE_H

#include "base/str.h"

struct git_remote {
	struct str host, owner,
		name;        /* of the remote "origin"; all empty: none, or not of that form */
	struct str worktree; /* the name of a linked worktree; empty: the main one */
};

void git_remote_clear(struct git_remote *remote);

/* Reads the repository at `top`, as git_find() found it. What is not known stays empty. */
void git_remote_read(struct git_remote *out, const char *top);

/* The same from the text of its configuration file. Pure. */
void git_remote_parse(struct git_remote *out, struct sv config);

#endif
