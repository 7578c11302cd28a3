/* shell.h - runs a command line in a new shell. The command reaches the shell as arguments of a
 * constant script, never pasted into another text. The script only prepares the shell: nothing of
 * ours runs in it after the command, so a command cannot change what awl does. The directory in
 * which it ends is found out by another process (child.h).
 *
 * Variables of the user (shell_env.h) can choose another shell, a file to read first, and a program
 * that gets the command instead of a shell. */
#ifndef AWL_TOOL_SHELL_SHELL_H
#define AWL_TOOL_SHELL_SHELL_H

#include "sys/child.h"
#include "tool/tool.h"

struct shell_opts {
	struct sv command; /* copied */
	/* Of the command, for the sandbox; used only while it starts. NULL: there is none. */
	const struct command_analysis *analysis;
	const struct tool_context *ctx; /* for the environment; outlives the shell */
	const char *cwd;
	bool follow_cwd;        /* find out in which directory it ends */
	bool unsandboxed;       /* run outside the sandbox, if the settings allow that */
	bool must_be_sandboxed; /* it was allowed only because it would be sandboxed */
	int64_t deadline_ms;    /* 0: none */
	int64_t grace_ms;       /* from TERM to KILL */
	size_t max_output;
	child_data_fn *on_data; /* stdout and stderr together; called with then.owner */
};

/* Fails when the command is empty or cannot be an argument. */
must_use bool shell_check(struct sv command, struct err *err);

/* Runs the command as child_start() does, with bash or, if there is none, with sh. Fails
 * (ERR_STALE) when it must be sandboxed but no longer would be, because the settings have changed. */
struct op *shell_start(struct loop *loop, const struct shell_opts *opts, struct then then);
/* Gives a running shell to another owner, who gets its further output and its end. */
void shell_hand_over(struct op *op, child_data_fn *to, struct then then);
/* In `done`, and only there. */
struct child_result shell_result(const struct op *op);
/* The directory in which the shell ended; empty when it is not known. */
struct sv shell_final_cwd(const struct op *op);

#endif
