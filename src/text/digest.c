#include "text/digest.h"

/* The fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t digest_rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t digest_load_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void digest_store_be32(uint8_t *p, uint32_t x)
{
	p[0] = (uint8_t)(x >> 24);
	p[1] = (uint8_t)(x >> 16);
	p[2] = (uint8_t)(x >> 8);
	p[3] = (uint8_t)x;
}

/* The message schedule: 16 words from the input, 48 mixed from earlier words. */
static void digest_expand(uint32_t w[64], const uint8_t *block)
{
	for (size_t i = 0; i < 16; i++)
		w[i] = digest_load_be32(block + 4 * i);
	for (size_t i = 16; i < 64; i++) {
		uint32_t s0 =
			digest_rotate(w[i - 15], 7) ^ digest_rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
		uint32_t s1 =
			digest_rotate(w[i - 2], 17) ^ digest_rotate(w[i - 2], 19) ^ w[i - 2] >> 10;

		w[i] = w[i - 16] + s0 + w[i - 7] + s1;
	}
}

/* One round changes d and h, and then all eight variables rotate. Rotating the names
 * instead of the values lets the compiler keep all of them in registers. */
static inline void digest_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e,
			      uint32_t f, uint32_t g, uint32_t *h, uint32_t input)
{
	uint32_t s1 = digest_rotate(e, 6) ^ digest_rotate(e, 11) ^ digest_rotate(e, 25);
	uint32_t s0 = digest_rotate(a, 2) ^ digest_rotate(a, 13) ^ digest_rotate(a, 22);

	*h += s1 + ((e & f) ^ (~e & g)) + input;
	*d += *h;
	*h += s0 + ((a & b) ^ (a & c) ^ (b & c));
}

static void digest_compress(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	digest_expand(w, block);
	for (size_t i = 0; i < 64; i += 8) {
		digest_mix(a, b, c, &d, e, f, g, &h, k[i] + w[i]);
		digest_mix(h, a, b, &c, d, e, f, &g, k[i + 1] + w[i + 1]);
		digest_mix(g, h, a, &b, c, d, e, &f, k[i + 2] + w[i + 2]);
		digest_mix(f, g, h, &a, b, c, d, &e, k[i + 3] + w[i + 3]);
		digest_mix(e, f, g, &h, a, b, c, &d, k[i + 4] + w[i + 4]);
		digest_mix(d, e, f, &g, h, a, b, &c, k[i + 5] + w[i + 5]);
		digest_mix(c, d, e, &f, g, h, a, &b, k[i + 6] + w[i + 6]);
		digest_mix(b, c, d, &e, f, g, h, &a, k[i + 7] + w[i + 7]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

void sha256_init(struct sha256 *hash)
{
	*hash = (struct sha256){
		.state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
			   0x1f83d9ab, 0x5be0cd19 },
	};
}

void sha256_add(struct sha256 *hash, struct sv bytes)
{
	size_t used = hash->length % SHA256_BLOCK;
	size_t n;

	hash->length += bytes.len;
	if (used > 0) {
		n = min_of(bytes.len, SHA256_BLOCK - used);
		memcpy(hash->block + used, bytes.ptr, n);
		bytes = sv_skip(bytes, n);
		if (used + n < SHA256_BLOCK)
			return;
		digest_compress(hash->state, hash->block);
	}
	for (; bytes.len >= SHA256_BLOCK; bytes = sv_skip(bytes, SHA256_BLOCK))
		digest_compress(hash->state, (const uint8_t *)bytes.ptr);
	if (bytes.len > 0)
		memcpy(hash->block, bytes.ptr, bytes.len);
}

struct digest sha256_end(struct sha256 *hash)
{
	static const char padding[SHA256_BLOCK] = { (char)0x80 };
	uint64_t bits = hash->length * 8;
	size_t used = hash->length % SHA256_BLOCK;
	struct digest out = { { 0 } };
	uint8_t length[8];

	/* Pad with one 0x80, then zeros up to eight bytes before the end of a block. */
	sha256_add(hash, sv_from(padding, used < 56 ? 56 - used : 120 - used));
	digest_store_be32(length, (uint32_t)(bits >> 32));
	digest_store_be32(length + 4, (uint32_t)bits);
	sha256_add(hash, sv_from((const char *)length, sizeof(length)));
	for (size_t i = 0; i < 8; i++)
		digest_store_be32(out.bytes + 4 * i, hash->state[i]);
	return out;
}

struct digest sha256(struct sv bytes)
{
	struct sha256 hash;

	sha256_init(&hash);
	sha256_add(&hash, bytes);
	return sha256_end(&hash);
}

static void digest_add_padded_key(struct sha256 *hash, struct sv key, uint8_t pad)
{
	uint8_t block[SHA256_BLOCK];

	memset(block, pad, sizeof(block));
	for (size_t i = 0; i < key.len; i++)
		block[i] ^= (uint8_t)key.ptr[i];
	sha256_init(hash);
	sha256_add(hash, sv_from((const char *)block, sizeof(block)));
}

void hmac_init(struct hmac *mac, struct sv key)
{
	struct digest shorter;

	if (key.len > SHA256_BLOCK) {
		shorter = sha256(key);
		key = digest_sv(&shorter);
	}
	digest_add_padded_key(&mac->inner, key, 0x36);
	digest_add_padded_key(&mac->outer, key, 0x5c);
}

void hmac_add(struct hmac *mac, struct sv bytes)
{
	sha256_add(&mac->inner, bytes);
}

struct digest hmac_end(struct hmac *mac)
{
	struct digest inner = sha256_end(&mac->inner);

	sha256_add(&mac->outer, digest_sv(&inner));
	return sha256_end(&mac->outer);
}

struct digest hmac_sha256(struct sv key, struct sv bytes)
{
	struct hmac mac;

	hmac_init(&mac, key);
	hmac_add(&mac, bytes);
	return hmac_end(&mac);
}
