/* rule_match.h - matches the pattern of a rule with a command.
 *
 * "git status" is exactly this command. "git log:*" and "git log *" are these words with any further
 * arguments, or none. A '*' elsewhere is any sequence of characters, blanks included, so "ls*" also
 * matches "lsof"; "\*" is the character itself. Patterns are compared with the arguments that the
 * program gets, not with the text: quotes in a pattern are removed as the shell would remove them. A
 * pattern may start with assignments. A rule that forbids and contains ";", "&" or "|" is about a
 * whole line or about the commands of a pipe. */
#ifndef AWL_PERM_RULE_RULE_MATCH_H
#define AWL_PERM_RULE_RULE_MATCH_H

#include "perm/command/command_analysis.h"
#include "perm/rule/rule.h"

/* For rules that allow: the program has its bare name or is in a system directory, or the pattern
 * has its path; and nothing is between the words. Words of the pattern that start with "~/" or
 * "$HOME/" are in `home`. Assignments in the pattern have to be those of the command. Once `*steps`
 * is 0 the answer is false. */
bool rule_match_allow(struct sv pattern, const struct shell_command *command, struct sv home,
		      size_t *steps);

/* For rules that ask or deny: the program may have any path, and options may stand between it and
 * its subcommand. RULE_MAYBE if not all of the command is known. Once `*steps` is 0 the answer is
 * RULE_YES. */
enum rule_match rule_match_deny(struct sv pattern, const struct shell_command *command,
				struct sv home, size_t *steps);

/* Whether a rule that forbids is about a line rather than about one command, and its match with the
 * text of a line. */
bool rule_is_about_line(struct sv pattern);
enum rule_match rule_match_deny_line(struct sv pattern, struct sv line, size_t *steps);
/* Takes the next command off the front of a pattern about a pipe, without ":*" at its end; false: there
 * is none, or the pattern is about something else. */
bool rule_pattern_next_stage(struct sv *rest, struct sv *stage);

/* Index of the first '*' that is not escaped; SIZE_MAX: none. */
size_t rule_pattern_star(struct sv pattern);
/* Whether the pattern, which has no '*', is this very text. */
bool rule_pattern_is_text(struct sv pattern, struct sv text);
/* How many words of a command the pattern spells from the program on, before its first '*'. */
size_t rule_pattern_count(struct sv pattern);
/* Whether the pattern starts with an assignment. */
bool rule_pattern_assigns(struct sv pattern);

/* The words that every matching command starts with. `*open`: the last one may be longer, as in
 * "ls*". */
struct sv rule_pattern_words(struct sv pattern, bool *open);

/* Whether a word of the pattern is `argument` or the option in it ("--output=x"). */
bool rule_pattern_spells(struct sv pattern, struct sv argument);

#endif
