/* shell_words.h - splits a one-line command from a configuration file into words, as a
 * POSIX shell does but without any expansion: blanks separate words, single quotes,
 * double quotes and backslashes protect blanks, and all other bytes stand for
 * themselves. And the other way round: quotes a word for a shell. */
#ifndef AWL_TEXT_SHELL_WORDS_H
#define AWL_TEXT_SHELL_WORDS_H

#include "base/arena.h"
#include "base/err.h"

/* Returns the words in `arena`, at least one, with NULL at the end. Fails with ERR_PARSE
 * for an unclosed quote (with its offset) and a backslash at the end, with ERR_INVALID
 * for a NUL byte or a command without words. The error text never quotes the command. */
must_use bool shell_words_split(const char *const **argv, struct arena *arena, struct sv text,
				struct err *err);

/* Appends the word in single quotes. */
void shell_words_quote(struct str *out, struct sv word);

#endif
