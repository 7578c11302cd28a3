#include "text/sha1.h"

enum { SHA1_BLOCK = 64, SHA1_WORDS = 80, SHA1_LENGTH_AT = 56 };

static uint32_t sha1_rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

/* The function of a round, and its constant. */
static uint32_t sha1_mix(size_t round, uint32_t b, uint32_t c, uint32_t d)
{
	if (round < 20)
		return ((b & c) | (~b & d)) + 0x5a827999;
	if (round < 40)
		return (b ^ c ^ d) + 0x6ed9eba1;
	if (round < 60)
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
	return (b ^ c ^ d) + 0xca62c1d6;
}

static void sha1_add_block(uint32_t state[5], const uint8_t *block)
{
	uint32_t w[SHA1_WORDS], s[5];

	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[i * 4] << 24 | (uint32_t)block[i * 4 + 1] << 16 |
		       (uint32_t)block[i * 4 + 2] << 8 | block[i * 4 + 3];
	for (size_t i = 16; i < SHA1_WORDS; i++)
		w[i] = sha1_rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < SHA1_WORDS; i++) {
		uint32_t next = sha1_rotate(s[0], 5) + sha1_mix(i, s[1], s[2], s[3]) + s[4] + w[i];

		s[4] = s[3];
		s[3] = s[2];
		s[2] = sha1_rotate(s[1], 30);
		s[1] = s[0];
		s[0] = next;
	}
	for (size_t i = 0; i < 5; i++)
		state[i] += s[i];
}

void sha1(uint8_t out[SHA1_SIZE], struct sv bytes)
{
	uint32_t state[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
	uint8_t last[2 * SHA1_BLOCK] = { 0 };
	size_t whole = bytes.len / SHA1_BLOCK * SHA1_BLOCK, rest = bytes.len - whole;
	size_t padded = rest < SHA1_LENGTH_AT ? SHA1_BLOCK : sizeof(last);
	uint64_t bits = (uint64_t)bytes.len * 8;

	for (size_t at = 0; at < whole; at += SHA1_BLOCK)
		sha1_add_block(state, (const uint8_t *)bytes.ptr + at);
	if (rest)
		memcpy(last, bytes.ptr + whole, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[padded - 1 - i] = (uint8_t)(bits >> (8 * i));
	for (size_t at = 0; at < padded; at += SHA1_BLOCK)
		sha1_add_block(state, last + at);
	for (size_t i = 0; i < SHA1_SIZE; i++)
		out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
