/* chdir_option.h - private to src/perm: `git -C src log` is treated as `cd src` and `git log`. */
#ifndef AWL_PERM_COMMAND_CHDIR_OPTION_H
#define AWL_PERM_COMMAND_CHDIR_OPTION_H

#include "perm/command/command_analysis.h"

/* If git, make or ninja has one known "-C DIR", the command is analysed as if it ran there:
 * `command->cwd` and `command->use` change, and `command->chdir_at` is where the two words are.
 * DIR stays an operand that is entered, and redirections stay relative to the old directory.
 * Otherwise, and without a `world`, nothing changes. */
void chdir_option_apply(struct shell_command *command, const struct perm_world *world,
			struct arena *arena);

#endif
