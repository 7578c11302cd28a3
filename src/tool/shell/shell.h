/* shell.h - a command line run by a shell of its own. It reaches that shell as
 * arguments of a constant script, never as text pasted into another; the script also
 * notes in a file of ours which directory the command ended in, when it is another.
 *
 * The user's variables have their say (shell_env.h): another shell, a file that is read
 * first, a program that is given the command in place of a shell. */
#ifndef AWL_TOOL_SHELL_SHELL_H
#define AWL_TOOL_SHELL_SHELL_H

#include "sys/child.h"
#include "tool/tool.h"

struct shell_opts {
	struct sv command; /* copied */
	/* Of the command, for the sandbox; only while it starts. NULL: none was made. */
	const struct command_analysis *analysis;
	const struct tool_context *ctx; /* for the environment; outlives the shell */
	const char *cwd;
	const char *cwd_file;   /* the final directory goes here, if it is another; NULL: nowhere */
	bool unsandboxed;       /* run outside the sandbox, if the settings allow that */
	bool must_be_sandboxed; /* it was allowed only because it would be sandboxed */
	int64_t deadline_ms;    /* 0: none */
	int64_t grace_ms;       /* from TERM to KILL */
	size_t max_output;
	child_data_fn *on_data; /* stdout and stderr together; called with then.owner */
};

/* Whether there is a command at all, and one that can be passed on. */
must_use bool shell_check(struct sv command, struct err *err);

/* As child_start(), by bash or, where there is none, by sh. Fails (ERR_STALE) when it
 * must be sandboxed but would not be any more, because the settings have changed. */
struct op *shell_start(struct loop *loop, const struct shell_opts *opts, struct then then);
/* Gives a shell that runs to another owner: whatever it prints and its end come there. */
void shell_hand_over(struct op *op, child_data_fn *to, struct then then);
/* In `done`, and only there. */
struct child_result shell_result(const struct op *op);

#endif
