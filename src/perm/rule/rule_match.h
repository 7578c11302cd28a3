/* rule_match.h - matches the pattern of a rule with a command.
 *
 * "git status" is exactly this command. "git log:*" and "git log *" are these words with any further
 * arguments, or none. A '*' elsewhere is any sequence of characters, blanks included, so "ls*" also
 * matches "lsof". Patterns are compared with the arguments that the program gets, not with the text. */
#ifndef AWL_PERM_RULE_RULE_MATCH_H
#define AWL_PERM_RULE_RULE_MATCH_H

#include "perm/command/command_analysis.h"
#include "perm/rule/rule.h"

/* For rules that allow: the program has its bare name or is in a system directory, and nothing is
 * between the words. Once `*steps` is 0 the answer is false. */
bool rule_match_allow(struct sv pattern, const struct shell_command *command, size_t *steps);

/* For rules that ask or deny: the program may have any path, and options may stand between it and
 * its subcommand. RULE_MAYBE if not all of the command is known. Once `*steps` is 0 the answer is
 * RULE_YES. */
enum rule_match rule_match_forbid(struct sv pattern, const struct shell_command *command,
				  size_t *steps);

/* The words that every matching command starts with. `*open`: the last one may be longer, as in
 * "ls*". */
struct sv rule_pattern_words(struct sv pattern, bool *open);

/* Whether a word of the pattern is `argument` or the option in it ("--output=x"). */
bool rule_pattern_spells(struct sv pattern, struct sv argument);

#endif
