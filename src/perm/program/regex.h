/* regex.h - finding the end of a regular expression in a sed script or an awk program. */
#ifndef AWL_PERM_PROGRAM_REGEX_H
#define AWL_PERM_PROGRAM_REGEX_H

#include "base/str.h"

/* Return the position after the `mark` that ends the expression which begins at `at`, or
 * SIZE_MAX: it does not end on its line, or sed, awk and their variants may disagree about where
 * it ends. */
size_t regex_skip(struct sv text, size_t at, char mark);

#endif
