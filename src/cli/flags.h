/* flags.h - the flags of `awl` itself. */
#ifndef AWL_CLI_FLAGS_H
#define AWL_CLI_FLAGS_H

#include "cli/command.h"

enum { MAIN_FLAGS = 93 };
extern const struct flag main_flags[MAIN_FLAGS];

/* Why awl does not support this flag of other agents; NULL if it is not a known one. */
const char *flag_absent(struct sv name);
/* The same for the short form of a flag. */
const char *flag_letter_absent(char letter);

/* What to do instead of this command of other agents, "" if nothing; NULL if it is not a known
 * one. */
const char *command_absent(struct sv name);

#endif
