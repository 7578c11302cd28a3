/* map.h - text keys to pointers, in insertion order.
 *
 * Iteration order never depends on the hash, so output written from a map is the same on
 * every run. Each map has its own hash seed, so that hostile input cannot choose keys
 * that collide. Keys are copied. Values are borrowed, and the caller frees what they
 * point to. */
#ifndef AWL_BASE_MAP_H
#define AWL_BASE_MAP_H

#include "base/str.h"

struct map_entry {
	char *key; /* NULL: removed */
	size_t key_len;
	uint64_t hash;
	void *value;
};

struct map {
	struct map_entry *entries; /* in insertion order, with holes */
	size_t used, cap;          /* entries including holes */
	size_t n;                  /* live entries */
	uint32_t *slots;           /* entry index + 1; 0 is free */
	size_t nslots;             /* a power of two */
	uint64_t seed;
};

#define MAP_INIT                \
	{                       \
		.entries = NULL \
	}

void map_clear(struct map *m);

/* Returns the value, or NULL when the key is absent. */
void *map_get(const struct map *m, struct sv key);
/* Stores a value and returns the previous one (NULL when there was none). */
void *map_put(struct map *m, struct sv key, void *value);
/* Removes a key and returns its value (NULL when there was none). */
void *map_remove(struct map *m, struct sv key);

/* Visits every entry: `for (size_t i = 0; map_next(m, &i, &key, &value);)`. The loop may
 * remove the entry just visited, but must not add any. */
bool map_next(const struct map *m, size_t *i, struct sv *key, void **value);

#endif
