/* command_loss.h - what a command line would destroy that is hard to get back, in words for whoever is asked about it.
 * It is a warning and decides nothing: rules and modes see the same command without it. Pure. */
#ifndef AWL_PERM_COMMAND_COMMAND_LOSS_H
#define AWL_PERM_COMMAND_COMMAND_LOSS_H

#include "perm/command/command_analysis.h"

/* Appends what the first such command loses: "--hard discards changes"; nothing if there is none. Guesses count. */
void command_loss_add(struct str *out, const struct command_analysis *analysis);

#endif
