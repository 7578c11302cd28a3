/* roster.h - the background sessions of a user as files, one per session, in a directory that only the user may enter. So a
 * session stays listed when its process, its supervisor or the machine has ended. */
#ifndef AWL_FRONT_BACKGROUND_ROSTER_H
#define AWL_FRONT_BACKGROUND_ROSTER_H

#include "base/vec.h"
#include "proto/background.h"

/* Appends the path of the directory, of its socket, or of a lock in it. */
void roster_path(struct str *out, const char *config_dir, const char *name);

/* Creates the directory. Fails when it belongs to somebody else. */
must_use bool roster_prepare(const char *config_dir, struct err *err);

/* Calls `take` for each session that was used in the last 30 days, and deletes the others. A session that was live when
 * its supervisor ended counts as failed. Files that cannot be read are skipped. */
typedef void roster_fn(void *arg, const struct job_info *info);
void roster_load(const char *config_dir, int64_t now_ms, roster_fn *take, void *arg);

must_use bool roster_save(const char *config_dir, const struct job_info *info, struct err *err);
must_use bool roster_forget(const char *config_dir, struct sv id, struct err *err);

#endif
