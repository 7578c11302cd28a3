/* glob.h - a pattern as users write it for files: the rules of wild.h plus
 * brace alternatives, as in "src/{lib,bin}/" + "**" + "/" + "*.{c,h}".
 *
 * Braces are expanded first and know no other syntax but '\': "{a,b}" is two
 * patterns, nested ones multiply, and a brace without a comma or a partner is
 * itself. All alternatives together may take LIMIT_PATTERN bytes, so a match
 * costs at most that many steps for each byte of the path. */
#ifndef AWL_TEXT_MATCH_GLOB_H
#define AWL_TEXT_MATCH_GLOB_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct glob {
	VEC(char *) patterns; /* owned; without braces, in the order a shell gives */
	bool nocase;
};

#define GLOB_INIT                    \
	{                            \
		.patterns = VEC_INIT \
	}

/* Fails on a pattern that is too long, expands to too much, has a NUL byte, or
 * can match nothing, such as one with an unclosed '[' (ERR_PARSE, with the
 * offset); `g` is then untouched. On success the caller clears `g`. */
must_use bool glob_init(struct glob *g, struct sv pattern, bool nocase, struct err *err);
void glob_clear(struct glob *g);

/* Whether any alternative matches all of `path`, which is relative to where the
 * pattern is, with no '/' at either end. */
bool glob_match(const struct glob *g, struct sv path);

#endif
