#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"

struct arena_chunk {
	struct arena_chunk *older;
	size_t size;
	_Alignas(max_align_t) char bytes[];
};

static void arena_add_chunk(struct arena *a, size_t size)
{
	struct arena_chunk *chunk = xmalloc(sizeof(*chunk) + size);

	chunk->size = size;
	chunk->older = a->chunks;
	a->chunks = chunk;
	a->next = chunk->bytes;
	a->end = chunk->bytes + size;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t rounded = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	char *p;

	if (size >= LIMIT_STR)
		BUG("arena object of %zu bytes is too large", size);
	if (!a->chunks || (size_t)(a->end - a->next) < rounded)
		arena_add_chunk(a, max_of(rounded, a->chunks ? 64 * KIB : 4 * KIB));
	p = a->next;
	a->next += rounded;
	return p;
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes))
		BUG("arena array of %zu x %zu bytes is too large", n, size);
	p = arena_alloc(a, bytes);
	return memset(p, 0, bytes);
}

struct sv arena_dup(struct arena *a, struct sv text)
{
	char *copy = arena_alloc(a, text.len + 1);

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	return (struct sv){ .ptr = copy, .len = text.len };
}

struct sv arena_printf(struct arena *a, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	return arena_dup(a, sv_of(&text));
}

static void arena_free_older_than(struct arena_chunk *chunk)
{
	while (chunk->older) {
		struct arena_chunk *gone = chunk->older;

		chunk->older = gone->older;
		free(gone);
	}
}

void arena_reset(struct arena *a)
{
	if (!a->chunks)
		return;
	arena_free_older_than(a->chunks);
	a->next = a->chunks->bytes;
	a->end = a->chunks->bytes + a->chunks->size;
}

void arena_clear(struct arena *a)
{
	if (a->chunks)
		arena_free_older_than(a->chunks);
	free(a->chunks);
	*a = (struct arena)ARENA_INIT;
}
