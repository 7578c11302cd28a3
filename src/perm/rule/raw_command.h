/* raw_command.h - matches rules that forbid with a command line that could not be parsed. Whatever
 * may be a command in the text counts, quoted or not.
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

/* A command line, split once to be matched with many rules. */
struct raw_command {
	struct sv text; /* trimmed; borrowed */
	/* Every place in `bare` where a command may start, up to the end of its part. */
	VEC(struct raw_span) starts;
	struct str bare;
};

void raw_command_init(struct raw_command *command, struct sv text);
void raw_command_clear(struct raw_command *command);

/* Whether a person who looks at the text sees all of it: no control characters but tabs and
 * newlines, no zero-width or bidirectional characters, no malformed UTF-8. */
bool text_is_visible(struct sv text);

/* Whether it may run the command of `pattern`: after ';', '|' or 'cd x &&', in parentheses, after
 * assignments and wrappers such as sudo, partly quoted, by its path. `*steps` is the budget; once
 * it is 0 the answer is true. */
bool raw_command_matches(struct sv pattern, const struct raw_command *command, size_t *steps);

#endif
