#include "base/map.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"

static bool map_is_key(const struct map_entry *e, struct sv key, uint64_t hash)
{
	return e->key && e->hash == hash && sv_eq(sv_from(e->key, e->key_len), key);
}

/* Returns the slot of `key`, or NULL. Removed entries keep their slots until the table
 * is rebuilt, so that a probe never stops early. */
static uint32_t *map_find_slot(const struct map *m, struct sv key, uint64_t hash)
{
	if (!m->nslots)
		return NULL;
	for (size_t i = hash & (m->nslots - 1); m->slots[i]; i = (i + 1) & (m->nslots - 1))
		if (map_is_key(&m->entries[m->slots[i] - 1], key, hash))
			return &m->slots[i];
	return NULL;
}

static void map_put_slot(struct map *m, size_t entry)
{
	size_t i = m->entries[entry].hash & (m->nslots - 1);

	while (m->slots[i])
		i = (i + 1) & (m->nslots - 1);
	m->slots[i] = (uint32_t)entry + 1;
}

/* Drop the holes and make room for one more entry at half load. */
static void map_rebuild(struct map *m)
{
	size_t live = 0;

	for (size_t i = 0; i < m->used; i++)
		if (m->entries[i].key)
			m->entries[live++] = m->entries[i];
	m->used = live;
	m->cap = max_of((live + 1) * 2, (size_t)8);
	m->entries = xrealloc(m->entries, m->cap, sizeof(*m->entries));
	free(m->slots);
	for (m->nslots = 16; m->nslots < m->cap * 2;)
		m->nslots *= 2;
	m->slots = xcalloc(m->nslots, sizeof(*m->slots));
	for (size_t i = 0; i < live; i++)
		map_put_slot(m, i);
}

void *map_get(const struct map *m, struct sv key)
{
	uint32_t *slot = map_find_slot(m, key, hash_bytes(key, m->seed));

	return slot ? m->entries[*slot - 1].value : NULL;
}

void *map_put(struct map *m, struct sv key, void *value)
{
	uint64_t hash;
	uint32_t *slot;

	if (!m->seed)
		rng_os_bytes(&m->seed, sizeof(m->seed));
	hash = hash_bytes(key, m->seed);
	slot = map_find_slot(m, key, hash);
	if (slot) {
		void *old = m->entries[*slot - 1].value;

		m->entries[*slot - 1].value = value;
		return old;
	}
	if (m->used == m->cap)
		map_rebuild(m);
	m->entries[m->used] = (struct map_entry){
		.key = sv_dup(key), .key_len = key.len, .hash = hash, .value = value
	};
	map_put_slot(m, m->used++);
	m->n++;
	return NULL;
}

void *map_remove(struct map *m, struct sv key)
{
	uint32_t *slot = map_find_slot(m, key, hash_bytes(key, m->seed));
	struct map_entry *e;

	if (!slot)
		return NULL;
	e = &m->entries[*slot - 1];
	free(e->key);
	e->key = NULL;
	m->n--;
	return e->value;
}

bool map_next(const struct map *m, size_t *i, struct sv *key, void **value)
{
	for (; *i < m->used; ++*i) {
		const struct map_entry *e = &m->entries[*i];

		if (!e->key)
			continue;
		*key = sv_from(e->key, e->key_len);
		*value = e->value;
		++*i;
		return true;
	}
	return false;
}

void map_clear(struct map *m)
{
	for (size_t i = 0; i < m->used; i++)
		free(m->entries[i].key);
	free(m->entries);
	free(m->slots);
	*m = (struct map)MAP_INIT;
}
