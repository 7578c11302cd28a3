/* shell_word.h - the word at the end of a command line that is being typed, for completing it. */
#ifndef AWL_TEXT_SHELL_WORD_H
#define AWL_TEXT_SHELL_WORD_H

#include "base/str.h"

struct shell_word {
	size_t from;     /* where it begins in the line, with its quote */
	char quote;      /* that is still open; 0: none is */
	struct str text; /* without quotes and backslashes */
};

/* Reads the last word of `line`; it is empty after a blank. A word also begins after a character that ends one for the
 * shell, and after "=". */
void shell_word_read(struct shell_word *out, struct sv line);
void shell_word_clear(struct shell_word *word);

/* Appends what replaces the word when it means `path`. A quote stays open, unless that is a whole path and no directory: then
 * a blank follows. */
void shell_word_write(const struct shell_word *word, struct sv path, bool is_whole,
		      struct str *out);

#endif
