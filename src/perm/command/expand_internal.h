/* expand_internal.h - private to expand*.c. */
#ifndef AWL_PERM_COMMAND_EXPAND_INTERNAL_H
#define AWL_PERM_COMMAND_EXPAND_INTERNAL_H

#include "perm/command/expand.h"

/* How many letters, digits and '_' it starts with. */
size_t expand_word_length(struct sv text);

/* Whether the part is a number, whatever its value (expand_evaluation.c). */
bool expand_is_number_part(const struct expand *x, const struct sh_part *part);

/* Appends the names that a glob stands for, maybe none (expand_glob.c). In `pattern`, which lives
 * in the arena, all characters that are not part of a glob are escaped; `written` is the word. False
 * when nobody can tell. */
bool expand_glob(struct expand *x, struct sv pattern, struct sv written, argument_list *out);

#endif
