/* shell_words.h - a command as files have it in one line, cut into its words as a POSIX shell cuts
 * it, but without anything that a shell would expand: blanks separate, quotes of both kinds
 * and the backslash keep them, all other bytes are themselves. */
#ifndef AWL_TEXT_SHELL_WORDS_H
#define AWL_TEXT_SHELL_WORDS_H

#include "base/arena.h"
#include "base/err.h"

/* The words, NULL at the end, in `arena`; at least one. Fails with ERR_PARSE for a quote
 * that is not closed (with its offset) and a backslash at the end, with ERR_INVALID for a
 * NUL byte or no word at all; the text says nothing of the words. */
must_use bool shell_words_split(const char *const **argv, struct arena *arena, struct sv text,
				struct err *err);

#endif
