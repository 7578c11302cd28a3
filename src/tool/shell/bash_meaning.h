/* bash_meaning.h - what the words of a command line tell about it. Guesses for
 * display and order, by a reader of the first words only: whatever it does not
 * understand it calls an error, noisy, and able to change things. */
#ifndef AWL_TOOL_SHELL_BASH_MEANING_H
#define AWL_TOOL_SHELL_BASH_MEANING_H

#include "base/str.h"

/* What an exit code other than 0 means when it is an answer and not a failure, such
 * as "No matches found" of grep; else NULL. `printed`: there was output. */
const char *bash_meaning(struct sv command, int code, bool printed);

/* Whether it prints nothing when all goes well, as mkdir and cp do. */
bool bash_is_silent(struct sv command);

#endif
