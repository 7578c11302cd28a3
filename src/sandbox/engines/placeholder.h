/* placeholder.h - private to src/sandbox: a stand-in for a missing file that must not be created. A
 * mount needs a file to be mounted on.
 *
 * A placeholder is an empty directory, or a file with no content or harmless content (see
 * placeholder_content_for()). It is created before the command and removed after it. Its directory
 * is opened without following links and stays open, so no other sandboxed command can redirect us
 * meanwhile.
 *
 * Several sandboxes, also of several of our processes, may share a placeholder. Each has a shared
 * lock on it; the last one removes it. A file mode that no program uses marks it, so the next
 * sandbox recognizes, adopts and later removes what a crash has left behind. */
#ifndef AWL_SANDBOX_ENGINES_PLACEHOLDER_H
#define AWL_SANDBOX_ENGINES_PLACEHOLDER_H

#include "base/err.h"
#include "base/vec.h"

struct stat;

struct placeholder {
	int dir; /* that it is in */
	char *name;
	int fd; /* of the placeholder, with the lock */
};
typedef VEC(struct placeholder) placeholder_list;

/* Creates a placeholder, unless something is there already. `path` contains no links. `*exists` is
 * whether anything is there now: not where we may not create files, so the command may not either.
 * Fails (ERR_BUSY) when another process keeps an exclusive lock on it. */
must_use bool placeholder_add(placeholder_list *placeholders, const char *path, bool is_dir,
			      bool *exists, struct err *err);
/* Whether the file with this status is a placeholder. When a policy is read, it counts as missing.
 */
bool placeholder_is(const char *path, const struct stat *info);

/* Whether a placeholder at this path is a named pipe, which git does not add to a repository. It
 * must be hidden inside, so that no program blocks reading it. */
bool placeholder_is_pipe(const char *path);

/* Removes the placeholders that nobody else uses. */
void placeholders_clear(placeholder_list *placeholders);

#endif
