#include "perm/rule/rule_list.h"

static bool is_separator(char c)
{
	return c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

bool perm_list_next(struct sv *rest, struct sv *item)
{
	size_t from = 0, to, depth = 0;

	while (from < rest->len && is_separator(rest->ptr[from]))
		from++;
	for (to = from; to < rest->len; to++) {
		char c = rest->ptr[to];

		if (depth == 0 && is_separator(c))
			break;
		if (c == '\\' && to + 1 < rest->len)
			to++;
		else if (c == '(')
			depth++;
		else if (c == ')' && depth > 0)
			depth--;
	}
	*item = sv_slice(*rest, from, to);
	*rest = sv_skip(*rest, to);
	return item->len > 0;
}
