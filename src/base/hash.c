#include "base/hash.h"

static uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define MULTIPLIER 0x9e3779b97f4a7c15u

static uint64_t hash_word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Long texts go through four independent chains at once. */
enum { LANES = 4, STRIDE = LANES * sizeof(uint64_t) };

static uint64_t hash_strides(struct sv *bytes, uint64_t seed)
{
	uint64_t lanes[LANES] = { seed, seed + 1, seed + 2, seed + 3 };
	const char *at = bytes->ptr, *end = at + bytes->len / STRIDE * STRIDE;

	for (; at < end; at += STRIDE)
		for (size_t i = 0; i < LANES; i++)
			lanes[i] = hash_mix(lanes[i] ^ hash_word_at(at + 8 * i), MULTIPLIER);
	for (size_t i = 1; i < LANES; i++)
		lanes[0] = hash_mix(lanes[0] ^ lanes[i], MULTIPLIER);
	*bytes = sv_skip(*bytes, (size_t)(at - bytes->ptr));
	return lanes[0];
}

/* Do one folded multiply per eight bytes. The start value contains the length, so that
 * the zeroes that pad the last word change nothing. */
uint64_t hash_bytes(struct sv bytes, uint64_t seed)
{
	uint64_t h = seed ^ bytes.len;

	if (bytes.len >= STRIDE)
		h = hash_strides(&bytes, h);
	for (; bytes.len > 0; bytes = sv_skip(bytes, 8)) {
		uint64_t word = 0;

		memcpy(&word, bytes.ptr, min_of(bytes.len, sizeof(word)));
		h = hash_mix(h ^ word, MULTIPLIER);
	}
	return hash_mix(h, seed | 1);
}
