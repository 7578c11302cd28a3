/* shell.h - a command line run by a shell of its own. It reaches that shell as
 * arguments of a constant script, never as text pasted into another; the script also
 * notes in a file of ours which directory the command ended in. */
#ifndef AWL_TOOL_SHELL_H
#define AWL_TOOL_SHELL_H

#include "sys/child.h"

struct shell_opts {
	struct sv command;      /* copied */
	const char *const *env; /* to which ours is added: no pager, no editor, no prompt */
	const char *cwd;
	const char *cwd_file; /* the final directory goes here; NULL: nowhere */
	int64_t deadline_ms;  /* 0: none */
	int64_t grace_ms;     /* from TERM to KILL */
	size_t max_output;
	child_data_fn *on_data; /* stdout and stderr together; called with then.owner */
};

/* As child_start(), by bash or, where there is none, by sh. */
struct op *shell_start(struct loop *loop, const struct shell_opts *opts, struct then then);
/* Gives a shell that runs to another owner: whatever it prints and its end come there. */
void shell_hand_over(struct op *op, child_data_fn *to, struct then then);
/* In `done`, and only there. */
struct child_result shell_result(const struct op *op);

#endif
