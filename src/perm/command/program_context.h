/* program_context.h - what a program does that its arguments alone do not tell, but the files around it:
 * whether `git checkout x` means a branch or a file, and whether a file of the project says
 * which program answers to a name. */
#ifndef AWL_PERM_COMMAND_PROGRAM_CONTEXT_H
#define AWL_PERM_COMMAND_PROGRAM_CONTEXT_H

#include "perm/command/command_analysis.h"

/* Takes back in `run->use` what is not so there. `world` may be NULL: nothing is known. */
void program_context_apply(struct shell_command *command, const struct perm_world *world,
			   struct arena *arena);

#endif
