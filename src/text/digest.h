/* digest.h - SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), so that computing a
 * signature or a fingerprint does not load a crypto library.
 *
 *   struct sha256 hash;
 *
 *   sha256_init(&hash);
 *   sha256_add(&hash, head);
 *   sha256_add(&hash, body);
 *   digest = sha256_end(&hash);
 *
 * Nothing here allocates or fails; there is nothing to clear. */
#ifndef AWL_TEXT_DIGEST_H
#define AWL_TEXT_DIGEST_H

#include "base/str.h"

enum { SHA256_SIZE = 32, SHA256_BLOCK = 64 };

struct digest {
	uint8_t bytes[SHA256_SIZE];
};

struct sha256 {
	uint32_t state[8];
	uint64_t length;             /* bytes added so far */
	uint8_t block[SHA256_BLOCK]; /* the last length % 64 bytes */
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, struct sv bytes);
/* Returns the digest of all added bytes; only sha256_init() is valid afterwards. */
struct digest sha256_end(struct sha256 *hash);
struct digest sha256(struct sv bytes);

struct hmac {
	struct sha256 inner, outer;
};

/* `key` may have any length. */
void hmac_init(struct hmac *mac, struct sv key);
void hmac_add(struct hmac *mac, struct sv bytes);
struct digest hmac_end(struct hmac *mac);
struct digest hmac_sha256(struct sv key, struct sv bytes);

/* A borrowed view of the digest. */
static inline struct sv digest_sv(const struct digest *digest)
{
	return sv_from((const char *)digest->bytes, SHA256_SIZE);
}

#endif
