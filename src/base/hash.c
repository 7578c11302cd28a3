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

/* Long texts go through four independent chains at once. They are four variables and not an array,
 * which the compiler would keep in memory. */
enum { STRIDE = 4 * sizeof(uint64_t) };

static uint64_t hash_strides(struct sv *bytes, uint64_t seed)
{
	uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;
	const char *at = bytes->ptr, *end = at + bytes->len / STRIDE * STRIDE;

	for (; at < end; at += STRIDE) {
		a = hash_mix(a ^ hash_word_at(at), MULTIPLIER);
		b = hash_mix(b ^ hash_word_at(at + 8), MULTIPLIER);
		c = hash_mix(c ^ hash_word_at(at + 16), MULTIPLIER);
		d = hash_mix(d ^ hash_word_at(at + 24), MULTIPLIER);
	}
	a = hash_mix(a ^ b, MULTIPLIER);
	a = hash_mix(a ^ c, MULTIPLIER);
	a = hash_mix(a ^ d, MULTIPLIER);
	*bytes = sv_skip(*bytes, (size_t)(at - bytes->ptr));
	return a;
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
