/* edit_near.h - finds the lines of a file that are most similar to a text that is not in it, for a
 * helpful error message. Pure; linear in the size of the file. */
#ifndef AWL_TOOL_EDIT_EDIT_NEAR_H
#define AWL_TOOL_EDIT_EDIT_NEAR_H

#include "base/str.h"

/* First and last line, both from 1. Returns false if nothing is similar or the text is longer than
 * LIMIT_EDIT_LINEWISE. */
bool edit_near(struct sv text, struct sv old_text, size_t *first, size_t *last);

/* Appends the lines as Read shows them, each after a newline: only the first few, and only the start
 * of each. */
void edit_near_excerpt(struct str *out, struct sv text, size_t first, size_t last);

#endif
