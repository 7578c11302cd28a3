/* placeholder_add.h - private to src/sys/real: something in the place of a file that must not
 * come to be, since a mount needs a place to be put on.
 *
 * It is an empty directory or a file with nothing in it (or what means as little: see
 * content_for()), made before the child and removed after it, in a directory that is opened
 * without following a link and held: no child of another sandbox can turn us elsewhere
 * meanwhile. Several sandboxes, of several processes of ours,
 * may hold the same one: each has a shared lock on it, and removes it only when nobody else
 * has. A mode that no program sets tells it from anybody's file, so what a crash left behind
 * is taken over, and removed, by the next sandbox. */
#ifndef AWL_SANDBOX_ENGINES_PLACEHOLDER_H
#define AWL_SANDBOX_ENGINES_PLACEHOLDER_H

#include "base/err.h"
#include "base/vec.h"

struct stat;

struct placeholder {
	int dir; /* it is in */
	char *name;
	int fd; /* of what is there, with the lock */
};
typedef VEC(struct placeholder) placeholder_list;

/* Puts something there, unless there is something; `path` has no links in it. `*held` is
 * whether anything is there now: not where we may not make files, so nor may the child.
 * Fails (ERR_BUSY) when another process holds what is there for itself alone. */
must_use bool placeholder_add(placeholder_list *placeholders, const char *path, bool is_dir,
			      bool *held, struct err *err);
/* Whether what is there, of which this is known, is one of these; nothing is, then, for whoever
 * plans another sandbox. */
bool placeholder_is(const char *path, const struct stat *info);

/* Whether a file in this place is a pipe, which git does not add; to be hidden inside, so that
 * nobody waits for what comes out of it. */
bool placeholder_is_pipe(const char *path);

/* Removes what nobody else needs. */
void placeholders_clear(placeholder_list *placeholders);

#endif
