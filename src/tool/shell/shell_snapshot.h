/* shell_snapshot.h - the aliases and functions that the user's own bash has, for the
 * commands of a session. They are taken at most once, when the first command is about to
 * run, by an interactive bash that reads ~/.bashrc; and they reach commands as a variable
 * of theirs, so that there is no file that somebody could change or would have to remove.
 *
 * Only the user's own file is read, and never one that lies in the project: what the
 * model writes must not decide what its next command means. Variables are not taken: the
 * PATH stays the one that permissions were decided by. A shell that cannot be asked, takes
 * too long or has too much to say is as good as one without any. */
#ifndef AWL_TOOL_SHELL_SHELL_SNAPSHOT_H
#define AWL_TOOL_SHELL_SHELL_SNAPSHOT_H

#include "sys/op.h"

struct shell_snapshot;

/* NULL where there is nothing to take. `home` and `project` may be NULL; `env`, which
 * outlives the snapshot, is for the shell that is asked. */
struct shell_snapshot *shell_snapshot_new(struct loop *loop, const char *home, const char *project,
					  const char *const *env);
/* Nobody may wait for it any more; then it asks nobody either. */
void shell_snapshot_free(struct shell_snapshot *s);

/* Whether all is known that ever will be. */
bool shell_snapshot_is_known(const struct shell_snapshot *s);
/* Done when that is so; fails only when cancelled. When nobody waits any more the shell
 * is ended, and asked again when next somebody waits. */
struct op *shell_snapshot_wait(struct shell_snapshot *s, struct then then);
/* "awl_rc=" and a script; NULL while there is none. Lives as long as the snapshot. */
const char *shell_snapshot_variable(const struct shell_snapshot *s);

#endif
