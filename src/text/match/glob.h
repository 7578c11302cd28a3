/* glob.h - file patterns as users write them: the rules of wildmatch.h plus brace
 * alternatives, as in "src/{lib,bin}/" + "**" + "/" + "*.{c,h}".
 *
 * Braces are expanded first and know no other syntax except '\': "{a,b}" is two
 * patterns, nested ones multiply, and a brace without a comma or a partner is literal.
 * All alternatives together may take LIMIT_PATTERN bytes, so a match costs at most that
 * many steps for each byte of the path. */
#ifndef AWL_TEXT_MATCH_GLOB_H
#define AWL_TEXT_MATCH_GLOB_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct glob {
	VEC(char *) patterns; /* owned; without braces, in the order of a shell */
	bool nocase;
};

#define GLOB_INIT                    \
	{                            \
		.patterns = VEC_INIT \
	}

/* Fails on a pattern that is too long, expands to too much, contains a NUL byte, or can
 * match nothing, such as one with an unclosed '[' (ERR_PARSE, with the offset); `g` is
 * then untouched. On success the caller clears `g`. */
must_use bool glob_init(struct glob *g, struct sv pattern, bool nocase, struct err *err);
void glob_clear(struct glob *g);

/* Whether any alternative matches all of `path`, which is relative to the directory of
 * the pattern, with no '/' at either end. */
bool glob_match(const struct glob *g, struct sv path);

#endif
