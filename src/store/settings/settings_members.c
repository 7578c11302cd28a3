#include "store/settings/settings_members.h"

enum { FEW = 16 }; /* up to this number a linear search is faster */

void settings_members_clear(struct settings_members *m)
{
	vec_clear(&m->all);
	map_clear(&m->index);
}

static void members_add_to_index(struct settings_members *m, size_t place)
{
	map_put(&m->index, m->all.at[place].key, (void *)(uintptr_t)(place + 1));
}

/* Returns the index of a member; SIZE_MAX: there is none. */
static size_t members_find(const struct settings_members *m, struct sv key)
{
	if (m->all.n > FEW)
		return (size_t)(uintptr_t)map_get(&m->index, key) - 1;
	for (size_t i = 0; i < m->all.n; i++)
		if (sv_eq(m->all.at[i].key, key))
			return i;
	return SIZE_MAX;
}

bool settings_members_put(struct settings_members *m, struct sv key, struct json value)
{
	size_t at = members_find(m, key);

	if (at != SIZE_MAX) {
		m->all.at[at].value = value;
		return false;
	}
	vec_push(&m->all, ((struct settings_member){ key, value }));
	for (size_t i = m->all.n == FEW + 1 ? 0 : m->all.n - 1; m->all.n > FEW && i < m->all.n; i++)
		members_add_to_index(m, i);
	return true;
}

struct json settings_members_get(const struct settings_members *m, struct sv key)
{
	size_t at = members_find(m, key);

	if (at == SIZE_MAX)
		return (struct json){ NULL };
	return m->all.at[at].value;
}

void settings_members_read(struct settings_members *m, struct json object)
{
	struct json_iter it = json_each(object);
	struct json item;
	struct sv key;

	while (json_next(&it, &key, &item))
		settings_members_put(m, key, item);
}
