/* program_context.h - what a program does according to the files around it, which its arguments
 * alone don't tell: whether `git checkout x` means a branch or a file, and whether a file of the
 * project says which program a name runs (rust-toolchain). */
#ifndef AWL_PERM_COMMAND_PROGRAM_CONTEXT_H
#define AWL_PERM_COMMAND_PROGRAM_CONTEXT_H

#include "perm/command/command_analysis.h"

/* Corrects `command->use` accordingly. `made` is what earlier commands of the line may have created;
 * `world` may be NULL: nothing is known. */
void program_context_apply(struct shell_command *command, const made_path_list *made,
			   const struct perm_world *world, struct arena *arena);

#endif
