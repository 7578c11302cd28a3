/* rule_match.h - rules about commands, held against one that would run.
 *
 * "git status" is this command. "git log:*" and "git log *" are these words and any further
 * arguments, or none. A '*' elsewhere is any run of characters, blanks too; "ls*" also
 * matches "lsof". What is compared are the arguments that the program gets, not the text. */
#ifndef AWL_PERM_RULE_RULE_MATCH_H
#define AWL_PERM_RULE_RULE_MATCH_H

#include "perm/command/command_analysis.h"
#include "perm/rule/rule.h"

/* Whether it speaks of the command for what allows: by its bare name or its place in a system
 * directory, with nothing between the words. Once `*steps` is 0 the answer is false. */
bool rule_match_allow(struct sv pattern, const struct shell_command *command, size_t *steps);

/* The same for what asks or denies: by the last component of its name, as it is written, and
 * with options between it and its subcommand. RULE_MAYBE where the command is not all known.
 * Once `*steps` is 0 the answer is RULE_YES. */
enum rule_match rule_match_forbid(struct sv pattern, const struct shell_command *command,
				  size_t *steps);

/* The words that every command it speaks of begins with. `*open`: the last of them may go on,
 * as in "ls*". */
struct sv rule_pattern_words(struct sv pattern, bool *open);

/* Whether one of its words is `argument` or the option in it ("--output=x"). */
bool rule_pattern_spells(struct sv pattern, struct sv argument);

#endif
