/* raw_words.h - private to src/perm: the words of a command that could not be parsed, and which of
 * them may be followed by another command. */
#ifndef AWL_PERM_RULE_RAW_WORDS_H
#define AWL_PERM_RULE_RAW_WORDS_H

#include "base/str.h"

/* Takes the next word off the front; false if there is none. */
bool raw_word_next(struct sv *rest, struct sv *word);

/* Whether a later word may be a command: after sudo and the like, and after what may stand before a
 * command (an option or a number of a wrapper, an assignment, a redirection). */
bool raw_word_is_wrapper(struct sv word);

/* Whether the next word is a command: after if, do, ! and so on. */
bool raw_word_is_keyword(struct sv word);

/* find and the like, and the options with which `finder` runs or writes something. */
bool raw_word_is_finder(struct sv word);
bool raw_word_is_find_action(struct sv finder, struct sv word);

#endif
