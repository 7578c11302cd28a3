#include "base/uuid.h"

#include <ctype.h>

/* Write `n` digits from the upper end of a word. */
static char *uuid_put(char *at, uint64_t word, int n)
{
	static const char digits[] = "0123456789abcdef";

	for (int i = 0; i < n; i++, word <<= 4)
		*at++ = digits[word >> 60];
	return at;
}

/* Sets version and variant bits, then writes the text form. */
static struct uuid uuid_finish(uint64_t high, uint64_t low, unsigned version)
{
	struct uuid out = { .text = "" };
	char *at;

	high = (high & ~0xf000ull) | (uint64_t)version << 12;
	low = (low & 0x3fffffffffffffffull) | 0x8000000000000000ull;
	at = uuid_put(out.text, high, 8);
	*at++ = '-';
	at = uuid_put(at, high << 32, 4);
	*at++ = '-';
	at = uuid_put(at, high << 48, 4);
	*at++ = '-';
	at = uuid_put(at, low, 4);
	*at++ = '-';
	at = uuid_put(at, low << 16, 12);
	*at = '\0';
	return out;
}

struct uuid uuid_v4(struct rng *r)
{
	uint64_t high = rng_next(r);

	return uuid_finish(high, rng_next(r), 4);
}

struct uuid uuid_v7(struct rng *r, int64_t wall_ms)
{
	uint64_t high = (uint64_t)wall_ms << 16 | (rng_next(r) & 0xfff);

	return uuid_finish(high, rng_next(r), 7);
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
