/* command_shell.h - runs the commands in the text of a slash command, one after the other.
 *
 * Nobody is asked: a command runs if the rules allow it without a question, and fails otherwise. It
 * runs as the Bash tool runs it, with its limits and its sandbox, but always in the directory of the
 * session. */
#ifndef AWL_CORE_COMMANDS_COMMAND_SHELL_H
#define AWL_CORE_COMMANDS_COMMAND_SHELL_H

#include "extend/command_expand.h"
#include "perm/perm.h"
#include "tool/tool.h"

/* Replaces each command by its output, a text. `expansion` and `ctx` outlive the op. Fails with
 * the first command that is not allowed or does not succeed, and why. */
struct op *command_shell_start(struct tool_context *ctx, const struct perm_policy *policy,
			       struct command_expansion *expansion, struct then then);

#endif
