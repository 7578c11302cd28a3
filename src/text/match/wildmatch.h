/* wildmatch.h - matches one path against one pattern, exactly as git's wildmatch does
 * for paths. It works on bytes, not characters, and takes at most pattern x path steps
 * for any pattern.
 *
 *   ?        one byte but '/'
 *   *        any run of bytes without '/'
 *   **       as a whole component: any number of components, also none
 *            ("a/" + "**" + "/b" matches "a/b"); elsewhere the same as *
 *   [a-z]    one byte of a set, never '/'; [!x] and [^x] negate; [[:alpha:]]
 *            and the other POSIX classes, ASCII only
 *   \x       x itself */
#ifndef AWL_TEXT_MATCH_WILDMATCH_H
#define AWL_TEXT_MATCH_WILDMATCH_H

#include "base/str.h"

/* Whether all of `path` matches. `nocase` ignores the case of ASCII letters (as in git,
 * not for an escaped letter or a single one in a set). The call subtracts its cost from
 * `*steps`; once that is 0, the answer is false. */
bool wildmatch(struct sv pattern, struct sv path, bool nocase, size_t *steps);

/* Whether `pattern` can match anything at all. If not, `*bad_at` is the offset of the
 * unclosed or unknown set, or of the lone '\' at the end. */
bool wildmatch_valid(struct sv pattern, size_t *bad_at);

/* Length of the literal prefix of `pattern`. */
size_t wildmatch_literal_prefix(struct sv pattern);

#endif
