/* bash_meaning.h - what the result of a command means, for display: a guess by the first words of
 * its last command. Whatever it does not understand has no meaning and is not silent. Nothing is
 * decided by it. */
#ifndef AWL_TOOL_SHELL_BASH_MEANING_H
#define AWL_TOOL_SHELL_BASH_MEANING_H

#include "base/str.h"

/* The meaning of a non-zero exit code that is an answer rather than a failure, such as "No matches
 * found" of grep; else NULL. `printed`: there was output. */
const char *bash_meaning(struct sv command, int code, bool printed);

/* Whether it prints nothing when all goes well, as mkdir and cp do. */
bool bash_is_silent(struct sv command);

#endif
