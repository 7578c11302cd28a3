/* command.h - what a rule says about a shell command, judged by its text alone.
 *
 * The text is not parsed, so both answers err, each to its safe side: an allowing
 * rule holds only for what can be nothing but one plain command, and a forbidding
 * one for whatever might be a command in there, quoted or not.
 *
 * Patterns: "git status" is this command. "git log:*" and "git log *" are these
 * words and any further arguments, or none. A '*' elsewhere is any run of
 * characters; "ls*" also matches "lsof". */
#ifndef AWL_PERM_COMMAND_H
#define AWL_PERM_COMMAND_H

#include "base/str.h"

/* Whether all characters can be seen, so that a person who looks at the command
 * knows what will run: no control characters but tabs and newlines, nothing of no
 * width or that changes the direction, no malformed UTF-8. */
bool command_is_visible(struct sv command);

/* Whether `pattern` allows `command`. `*steps` is what the answer may cost; once
 * it is 0 the answer is false. */
bool command_allowed_by(struct sv pattern, struct sv command, size_t *steps);

/* Whether `command` may run what `pattern` names: behind ';', '|', 'cd x &&' and
 * the like, in parentheses, after assignments and wrappers such as sudo, quoted in
 * part, by its path. Once `*steps` is 0 the answer is true. */
bool command_forbidden_by(struct sv pattern, struct sv command, size_t *steps);

#endif
