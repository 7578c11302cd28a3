/* git.h - asking git about a repository that nobody has vouched for.
 *
 * A repository's own files can name programs that git runs: file monitors, hooks,
 * filters, pagers, helpers, transports to fetch what is missing, and whatever a
 * submodule or a bare repository inside it names. Here none of them is run:
 *   - git itself is looked for only in absolute folders of PATH outside the repository;
 *   - no variable GIT_* of the environment reaches it, and no transport is allowed;
 *   - settings that name programs are overridden on its command line, which wins over
 *     every file; filters have names of the repository's choosing, so these are listed
 *     first (listing runs nothing) and overridden one by one: git_disarm();
 *   - it starts in the folder that holds .git, so that it finds no other repository,
 *     and looks at no other tree; submodules are not entered.
 * What belongs to another user is refused by git itself. */
#ifndef AWL_STORE_GIT_GIT_H
#define AWL_STORE_GIT_GIT_H

#include "sys/child.h"

struct git;

/* Appends the folder, `dir` or one above it, that holds a repository as ".git"; false when
 * there is none. Starts no process. */
bool git_find(struct str *top, const char *dir);

/* Whether what git_find() found is not another user's, who might have put it above us. Starts
 * no process. */
bool git_is_ours(const char *top);

/* Appends the first checkout of the repository, if `top` is another of its work trees; false
 * when it is none. A file ".git" is anybody's word: it is believed only when the repository
 * that it names says the same of this tree. Starts no process. */
bool git_find_first(struct str *first, const char *top);

/* For the repository at `top`; `env` is what the user's programs get. All is copied. */
struct git *git_new(const char *top, const char *const *env);
void git_free(struct git *git);

/* What lists the names of all settings, for git_disarm(). */
extern const char *const git_list_settings[];

/* Overrides the filters among these settings, each name ended by a NUL. False when
 * that cannot be done: then no command may be run that looks at files (status, diff). */
must_use bool git_disarm(struct git *git, struct sv settings);

/* Runs "git <args>", from the FIFO and as child.h says. The words are NULL-terminated;
 * `max_output` 0 means no cap. It has GIT_DEADLINE_MS to end. */
enum { GIT_DEADLINE_MS = 2000 };
struct op *git_start(const struct git *git, struct loop *loop, const char *const *args,
		     size_t max_output, child_data_fn *on_data, struct then then);

#endif
