/* interpreter_text.h - private to src/perm: the command of a rule, named in the text of another
 * program: `perl -e 'system("curl x")'`, `vim -c '!curl x'`, `make SHELL=curl`. Nobody can tell
 * whether it runs, so the verdict is a question at most. */
#ifndef AWL_PERM_COMMAND_INTERPRETER_TEXT_H
#define AWL_PERM_COMMAND_INTERPRETER_TEXT_H

#include "perm/command/command_analysis.h"

/* Whether an argument or the input of the command may run the command of `pattern`. Words that are
 * plainly data don't count: "use curl". Once `*steps` is 0 the answer is true. */
bool interpreter_text_names(const struct shell_command *command, struct sv pattern, size_t *steps);

#endif
