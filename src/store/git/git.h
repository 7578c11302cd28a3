/* git.h - runs git in an untrusted repository.
 *
 * A repository's own files can name programs that git runs: file monitors, hooks, filters,
 * pagers, helpers, transports that fetch missing objects, and anything that a submodule or an
 * embedded bare repository names. This module prevents all of that:
 *   - it looks for git only in absolute directories of PATH outside the repository;
 *   - no GIT_* variable of the environment reaches git, and no transport is allowed;
 *   - the command line, which overrides every file, replaces settings that name programs. The
 *     repository chooses the names of filters, so they are listed first (listing runs nothing)
 *     and overridden one by one: git_may_filter() and git_disarm();
 *   - git starts in the directory that contains .git, so it finds no other repository and reads
 *     no other tree; it does not enter submodules.
 * Git itself rejects repositories of other users. */
#ifndef AWL_STORE_GIT_GIT_H
#define AWL_STORE_GIT_GIT_H

#include "sys/child.h"

struct git;

/* Appends the directory, `dir` or a parent, that contains a repository as ".git"; false: none.
 * Starts no process. */
bool git_find(struct str *top, const char *dir);

/* Returns whether the repository that git_find() found belongs to us and not to another user,
 * who may have put it above us. Starts no process. */
bool git_is_ours(const char *top);

/* Appends the main checkout of the repository if `top` is one of its other worktrees; otherwise
 * returns false. Anybody may write a ".git" file, so it is believed only if the repository that
 * it names lists this worktree. Starts no process. */
bool git_find_first(struct str *first, const char *top);

/* Appends the directory with the HEAD of this checkout, also if it is another worktree. Starts no process. */
bool git_own_dir(struct str *out, const char *top);

/* Creates a handle for the repository at `top`. `env` is the environment of the user's programs.
 * Everything is copied. */
struct git *git_new(const char *top, const char *const *env);
void git_free(struct git *git);

/* Returns whether git's settings may define filters, so that git_disarm() has to know them. Reads
 * the files that git would read and starts no process: without filters, which is usual, the first
 * request need not wait for a list of settings. Files that are unusual in any way may define some. */
bool git_may_filter(const struct git *git);

/* The arguments that list the names of all settings, for git_disarm(). */
extern const char *const git_list_settings[];

/* Overrides the filters among these settings; a NUL ends each name. If it returns false, do not
 * run commands that read files (status, diff). */
must_use bool git_disarm(struct git *git, struct sv settings);

/* Runs "git <args>" as child.h describes, with callbacks from the FIFO. `args` is
 * NULL-terminated; `max_output` 0 means no limit. git must finish within GIT_DEADLINE_MS, unless
 * git_set_deadline() has set another time. */
enum { GIT_DEADLINE_MS = 2000 };
void git_set_deadline(struct git *git, int64_t ms);
struct op *git_start(const struct git *git, struct loop *loop, const char *const *args,
		     size_t max_output, child_data_fn *on_data, struct then then);

#endif
