/* last_edit.h - which agent of which session changed a file last, for all awl processes of the user. A tool that
 * changes a file holds the lock from looking at the content to writing the new one, so two agents never
 * overwrite each other unseen.
 *
 * The directory has a fixed number of small files, one for all paths with the same hash. It names neither paths
 * nor content. What was overwritten by another path is forgotten: then nobody is named. Everything here
 * blocks. */
#ifndef AWL_STORE_LAST_EDIT_H
#define AWL_STORE_LAST_EDIT_H

#include "sys/fs.h"

struct last_edit_author {
	struct sv session, root; /* the session's id, and the directory where it works */
	struct sv agent;         /* empty: the one that leads the session */
};

/* Waits until no other agent changes a file. NULL: the lock is not available; continue without it,
 * because the content that the model has read is compared anyway. Creates `dir`. */
struct fs_lock *last_edit_lock(const char *dir);
/* Notes that `author` gave `path` this content. A failure is ignored. */
void last_edit_put(const char *dir, struct sv path, struct sv bytes,
		   const struct last_edit_author *author);
/* Appends who gave `path` this content, as `self` would say it: "the agent finder". False: it is not known,
 * or was `self`. */
bool last_edit_find(struct str *out, const char *dir, struct sv path, struct sv bytes,
		    const struct last_edit_author *self);

#endif
