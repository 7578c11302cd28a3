/* str_list.h - a list of strings that it owns. Use vec.h to add and remove. */
#ifndef AWL_BASE_STR_LIST_H
#define AWL_BASE_STR_LIST_H

#include "base/str.h"
#include "base/vec.h"

typedef VEC(struct str) str_list;

/* Frees the strings and the list. */
void str_list_clear(str_list *list);
bool str_list_has(const str_list *list, struct sv text);

#endif
