/* json_plain.h - the bytes of a string that are the same in JSON and outside of it, eight at a time. */
#ifndef AWL_TEXT_JSON_PLAIN_H
#define AWL_TEXT_JSON_PLAIN_H

#include <stdint.h>
#include <string.h>

#include "base/str.h"

/* Find which of the eight bytes need more than copying: sets the high bit of each, and
 * possibly of some byte after the first such byte. */
static inline uint64_t json_plain_specials(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
	uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';

	return (word | (word - ones * ' ') | (quote - ones) | (backslash - ones)) & high;
}

static inline bool json_plain_is_special(unsigned char c)
{
	return c < ' ' || c == '"' || c == '\\' || c >= 0x80;
}

/* The length of the ASCII at the beginning of `s` without quotes, backslashes and control characters. */
static inline size_t json_plain_ascii(struct sv s)
{
	size_t i = 0;

	for (uint64_t word; i + 8 <= s.len; i += 8) {
		memcpy(&word, s.ptr + i, 8);
		if (json_plain_specials(word))
			break;
	}
	while (i < s.len && !json_plain_is_special((unsigned char)s.ptr[i]))
		i++;
	return i;
}

#endif
