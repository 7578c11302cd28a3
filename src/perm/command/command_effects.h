/* command_effects.h - whether a command changes anything, as far as the analysis can tell. */
#ifndef AWL_PERM_COMMAND_COMMAND_EFFECTS_H
#define AWL_PERM_COMMAND_COMMAND_EFFECTS_H

#include "perm/command/command_analysis.h"

/* Whether the program only reads what its operands name: it is in the tables, in a system
 * directory, and nothing in its arguments says otherwise. Its redirections don't count. */
bool shell_command_only_reads(const struct shell_command *command);

/* Whether it only starts other commands and adds nothing to them: `timeout 5 make`. */
bool shell_command_is_only_wrapper(const struct shell_command *command);

/* Whether nothing in the whole line changes a file, the network or the directory of the shell,
 * so that it may run beside others. In doubt it does not. */
bool command_analysis_only_reads(const struct command_analysis *analysis);

#endif
