/* raw_command.h - what a rule that forbids says about a shell command that nobody could parse,
 * judged by its text alone: it holds for whatever might be a command in there, quoted or
 * not.
 *
 * Patterns: "git status" is this command. "git log:*" and "git log *" are these
 * words and any further arguments, or none. A '*' elsewhere is any run of
 * characters; "ls*" also matches "lsof". */
#ifndef AWL_PERM_RULE_RAW_COMMAND_H
#define AWL_PERM_RULE_RAW_COMMAND_H

#include "base/str.h"
#include "base/vec.h"

/* Part of a text. */
struct raw_span {
	size_t from, to;
};

/* A command, taken apart once to be held against many rules. */
struct raw_command {
	struct sv text; /* without blanks at the ends; borrowed */
	/* Whatever might begin a command, up to the end of its part of the text: the
	 * words without their quoting, one blank between them. Into `bare`. */
	VEC(struct raw_span) starts;
	struct str bare;
};

void raw_command_init(struct raw_command *command, struct sv text);
void raw_command_clear(struct raw_command *command);

/* Whether all characters can be seen, so that a person who looks at the command
 * knows what will run: no control characters but tabs and newlines, nothing of no
 * width or that changes the direction, no malformed UTF-8. */
bool text_is_visible(struct sv text);

/* Whether it may run what `pattern` names: behind ';', '|', 'cd x &&' and the like,
 * in parentheses, after assignments and wrappers such as sudo, quoted in part, by
 * its path. `*steps` is what the answer may cost; once it is 0 the answer is true. */
bool raw_command_matches(struct sv pattern, const struct raw_command *command, size_t *steps);

#endif
