/* raw_words.h - private to src/perm: the words of a command, and which of them lead to
 * other commands. */
#ifndef AWL_PERM_RULE_RAW_WORDS_H
#define AWL_PERM_RULE_RAW_WORDS_H

#include "base/str.h"

/* Takes the next word off the front; false once there is none. */
bool raw_word_next(struct sv *rest, struct sv *word);

/* What follows the last slash. */
struct sv raw_word_base(struct sv word);

/* Whether one of the words after it may be a command: sudo and its like, and what
 * may stand before a command by itself (an option or a number of the wrapper before
 * it, an assignment, a redirection). */
bool raw_word_is_wrapper(struct sv word);

/* Whether the very next word is a command: if, do, ! and so on. */
bool raw_word_is_keyword(struct sv word);

/* find and its like, and the options that make `finder` run something or write. */
bool raw_word_is_finder(struct sv word);
bool raw_word_is_find_action(struct sv finder, struct sv word);

#endif
