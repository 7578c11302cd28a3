#include "base/hash.h"

static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A folded multiply for every eight bytes; the length is in the start value, so
 * that the zeroes that fill up the last word change nothing. */
uint64_t hash_bytes(struct sv bytes, uint64_t seed)
{
	uint64_t h = seed ^ bytes.len;

	for (; bytes.len > 0; bytes = sv_skip(bytes, 8)) {
		uint64_t word = 0;

		memcpy(&word, bytes.ptr, min_of(bytes.len, sizeof(word)));
		h = mix(h ^ word, 0x9e3779b97f4a7c15u);
	}
	return mix(h, seed | 1);
}
