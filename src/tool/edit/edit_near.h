/* edit_near.h - which lines of a file come nearest to a text that is not in it,
 * for a refusal that helps. Pure; the work is linear in the file. */
#ifndef AWL_TOOL_EDIT_EDIT_NEAR_H
#define AWL_TOOL_EDIT_EDIT_NEAR_H

#include "base/str.h"

/* First and last line, both from 1. False when nothing resembles it, or the text
 * is over LIMIT_EDIT_LINEWISE. */
bool edit_near(struct sv text, struct sv old_text, size_t *first, size_t *last);

/* Appends the lines as Read shows them, each after a newline: at most the first
 * few, and the start of each. */
void edit_near_excerpt(struct str *out, struct sv text, size_t first, size_t last);

#endif
