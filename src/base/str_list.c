#include "base/str_list.h"

void str_list_clear(str_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_clear(&list->at[i]);
	vec_clear(list);
}

bool str_list_has(const str_list *list, struct sv text)
{
	for (size_t i = 0; i < list->n; i++)
		if (sv_eq(sv_of(&list->at[i]), text))
			return true;
	return false;
}
