#include "base/uuid.h"

#include <ctype.h>

/* Sets version and variant bits, then writes the text form. */
static struct uuid uuid_finish(uint64_t high, uint64_t low, unsigned version)
{
	static const char digits[] = "0123456789abcdef";
	struct uuid out;
	size_t at = 0;

	high = (high & ~0xf000ull) | (uint64_t)version << 12;
	low = (low & 0x3fffffffffffffffull) | 0x8000000000000000ull;
	for (int nibble = 0; nibble < 32; nibble++) {
		uint64_t word = nibble < 16 ? high : low;

		if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20)
			out.text[at++] = '-';
		out.text[at++] = digits[word >> (60 - 4 * (nibble % 16)) & 0xf];
	}
	out.text[at] = '\0';
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
