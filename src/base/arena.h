/* arena.h - memory that is freed all at once: one message, one frame, one request. No
 * object in it is freed alone, and no object in it may own anything else. */
#ifndef AWL_BASE_ARENA_H
#define AWL_BASE_ARENA_H

#include "base/str.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	char *next, *end;           /* free space in the newest chunk */
};

#define ARENA_INIT             \
	{                      \
		.chunks = NULL \
	}

/* Returns memory aligned for any type, not zeroed. */
void *arena_alloc(struct arena *a, size_t size) must_use;
void *arena_calloc(struct arena *a, size_t n, size_t size) must_use;
#define arena_new(a, type) ((type *)arena_calloc(a, 1, sizeof(type)))

/* Returns a NUL-terminated copy. */
struct sv arena_dup(struct arena *a, struct sv text) must_use;
struct sv arena_printf(struct arena *a, const char *fmt, ...) printf_like(2, 3);

/* Drops all objects but keeps one chunk for the next round. */
void arena_reset(struct arena *a);
void arena_clear(struct arena *a);

#endif
