/* interpreter_text.h - private to src/perm: the command of a rule, named in the text of another program:
 * `perl -e 'system("curl x")'`, `vim -c '!curl x'`, `make SHELL=curl`. Whether it is run nobody
 * can tell, so this is only ever asked about. */
#ifndef AWL_PERM_COMMAND_INTERPRETER_TEXT_H
#define AWL_PERM_COMMAND_INTERPRETER_TEXT_H

#include "perm/command/command_analysis.h"

/* Words that are plainly data do not count: "use curl". Once `*steps` is 0 the answer is
 * true. */
bool interpreter_text_names(const struct shell_command *command, struct sv pattern, size_t *steps);

#endif
