#include "base/arena.h"

#include <stdalign.h>

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

TEST(objects_are_aligned_apart_and_keep_their_bytes)
{
	static const size_t sizes[] = { 0, 1, 7, 16, 17, 100, 4095, 4096, 70000, 3 };
	struct arena a = ARENA_INIT;
	unsigned char *objects[500];

	for (size_t i = 0; i < countof(objects); i++) {
		size_t size = sizes[i % countof(sizes)];

		objects[i] = arena_alloc(&a, size);
		CHECK((uintptr_t)objects[i] % alignof(max_align_t) == 0);
		memset(objects[i], (int)(i & 0xff), size);
	}
	for (size_t i = 0; i < countof(objects); i++)
		for (size_t j = 0; j < sizes[i % countof(sizes)]; j++)
			CHECK(objects[i][j] == (i & 0xff));
	arena_clear(&a);
}

TEST(calloc_zeroes_memory_that_was_used_before)
{
	struct arena a = ARENA_INIT;
	char *first = arena_alloc(&a, 64), *again;

	memset(first, 0xaa, 64);
	arena_reset(&a);
	again = arena_calloc(&a, 8, 8);
	CHECK(again == first); /* a reset keeps the room */
	for (size_t i = 0; i < 64; i++)
		CHECK(again[i] == 0);
	arena_clear(&a);
}

TEST(copies_are_nul_terminated_and_independent)
{
	struct arena a = ARENA_INIT;
	char text[] = "a\0b";
	struct sv copy = arena_dup(&a, sv_from(text, 3));

	text[0] = 'z';
	CHECK_SV(copy, "a\0b");
	CHECK(copy.ptr[3] == '\0');
	CHECK_SV(arena_dup(&a, (struct sv){ .ptr = NULL }), "");
	CHECK_SV(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	CHECK_INT(arena_printf(&a, "%0*d", 100000, 1).len, 100000);
	arena_clear(&a);
}

TEST(reset_keeps_one_chunk_and_clear_keeps_none)
{
	struct arena a = ARENA_INIT;

	arena_reset(&a);
	arena_clear(&a);
	for (int round = 0; round < 3; round++) {
		char *p = NULL;

		for (int i = 0; i < 100; i++)
			p = arena_alloc(&a, 10 * KIB);
		memset(p, 1, 10 * KIB);
		arena_reset(&a);
		CHECK(a.chunks != NULL);
	}
	arena_clear(&a);
	CHECK(a.chunks == NULL);
	CHECK(arena_new(&a, int) != NULL); /* usable again */
	arena_clear(&a);
}
