/* shell_snapshot.h - the aliases and functions of the user's own bash, for the commands of a
 * session. An interactive bash that reads ~/.bashrc lists them once, when the first command is
 * about to run. Commands get them in a variable, so there is no file that somebody could change or
 * that would have to be removed.
 *
 * Only the user's own file is read, and never one inside the project: what the model writes must
 * not decide what its next command means. Variables are not copied: PATH stays the one that
 * permissions were decided by. If the shell fails, takes too long or prints too much, there are no
 * aliases and functions. */
#ifndef AWL_TOOL_SHELL_SHELL_SNAPSHOT_H
#define AWL_TOOL_SHELL_SHELL_SNAPSHOT_H

#include "sys/op.h"

struct shell_snapshot;

/* Returns NULL when there is no file to read. `home` and `project` may be NULL. `env` is for the
 * shell, and outlives the snapshot. */
struct shell_snapshot *shell_snapshot_new(struct loop *loop, const char *home, const char *project,
					  const char *const *env);
/* Nobody may be waiting for it. */
void shell_snapshot_free(struct shell_snapshot *s);

/* Whether the shell has been asked. */
bool shell_snapshot_is_known(const struct shell_snapshot *s);
/* Done when the shell has been asked; fails only when cancelled. When the last waiter leaves, the
 * shell is ended; the next waiter starts it again. */
struct op *shell_snapshot_wait(struct shell_snapshot *s, struct then then);
/* "awl_rc=" and a script; NULL when there is none. Lives as long as the snapshot. */
const char *shell_snapshot_variable(const struct shell_snapshot *s);

#endif
