#include "base/uuid.h"

#include <ctype.h>
#include <endian.h>
#include <string.h>

/* Write eight digits, all at once: each byte of `spread` becomes one. */
static void uuid_put(char *at, uint32_t word)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t spread = word, letters;

	spread = (spread | spread << 16) & 0x0000ffff0000ffffu;
	spread = (spread | spread << 8) & 0x00ff00ff00ff00ffu;
	spread = (spread | spread << 4) & 0x0f0f0f0f0f0f0f0fu;
	letters = (spread + ones * 6) >> 4 & ones; /* 1 where the digit is a letter */
	spread = htobe64(spread + ones * '0' + letters * ('a' - '0' - 10));
	memcpy(at, &spread, sizeof(spread));
}

/* Set version and variant bits, then write the text form. */
static struct uuid uuid_finish(uint64_t high, uint64_t low)
{
	struct uuid out;
	char digits[32];

	high = (high & ~0xf000ull) | 0x4000ull;
	low = (low & 0x3fffffffffffffffull) | 0x8000000000000000ull;
	uuid_put(digits, (uint32_t)(high >> 32));
	uuid_put(digits + 8, (uint32_t)high);
	uuid_put(digits + 16, (uint32_t)(low >> 32));
	uuid_put(digits + 24, (uint32_t)low);
	memcpy(out.text, digits, 8);
	memcpy(out.text + 9, digits + 8, 4);
	memcpy(out.text + 14, digits + 12, 4);
	memcpy(out.text + 19, digits + 16, 4);
	memcpy(out.text + 24, digits + 20, 12);
	out.text[8] = out.text[13] = out.text[18] = out.text[23] = '-';
	out.text[36] = '\0';
	return out;
}

struct uuid uuid_v4(struct rng *r)
{
	uint64_t high = rng_next(r);

	return uuid_finish(high, rng_next(r));
}

bool uuid_valid(struct sv s)
{
	if (s.len != 36)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? s.ptr[i] != '-' : !isxdigit((unsigned char)s.ptr[i]))
			return false;
	}
	return true;
}
