/* regex.h - finding the end of a regular expression in a sed script or an awk program. */
#ifndef AWL_PERM_PROGRAM_REGEX_H
#define AWL_PERM_PROGRAM_REGEX_H

#include "base/str.h"

/* Return the position after the `mark` that ends the expression which begins at `at`, or
 * SIZE_MAX: it does not end on its line, or sed, awk and their variants may disagree about where
 * it ends. `*bracketed` is the first `mark` in brackets, where some would end it (they then refuse the
 * open bracket); SIZE_MAX: none. */
size_t regex_skip(struct sv text, size_t at, char mark, size_t *bracketed);

#endif
