/* chdir_option.h - private to src/perm: `git -C src log` is `cd src` and then `git log`. */
#ifndef AWL_PERM_COMMAND_CHDIR_OPTION_H
#define AWL_PERM_COMMAND_CHDIR_OPTION_H

#include "perm/command/command_analysis.h"

/* Where git, make or ninja are given one "-C DIR" and DIR is known, the rest is looked at as if
 * it ran there: `run->place` and `run->use` become what they are then, `run->entered` is where
 * these two words are. The directory stays an operand that is entered, and what the
 * command is redirected to stays where it was. Otherwise, and without a `world`, nothing
 * changes. */
void chdir_option_apply(struct shell_command *command, const struct perm_world *world,
			struct arena *arena);

#endif
