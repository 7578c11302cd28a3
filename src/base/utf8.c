#include "base/utf8.h"

#include <stdlib.h>
#include <utf8proc.h>

/* The bytes that may follow a lead byte: the table of well-formed sequences in chapter 3
 * of the Unicode standard. Only the range of the second byte varies. */
struct lead {
	int length;
	unsigned char low, high; /* range of the second byte */
};

static struct lead lead_of(unsigned char c)
{
	if (c >= 0xc2 && c <= 0xdf)
		return (struct lead){ 2, 0x80, 0xbf };
	if (c >= 0xe0 && c <= 0xef)
		return (struct lead){ 3, c == 0xe0 ? 0xa0 : 0x80, c == 0xed ? 0x9f : 0xbf };
	if (c >= 0xf0 && c <= 0xf4)
		return (struct lead){ 4, c == 0xf0 ? 0x90 : 0x80, c == 0xf4 ? 0x8f : 0xbf };
	return (struct lead){ 0, 0, 0 };
}

int utf8_decode(struct sv s, uint32_t *out)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	struct lead lead;
	uint32_t rune;

	if (p[0] < 0x80) {
		*out = p[0];
		return 1;
	}
	lead = lead_of(p[0]);
	if (!lead.length)
		return -1;
	rune = p[0] & (0x7fu >> lead.length);
	for (int i = 1; i < lead.length; i++) {
		unsigned char low = i == 1 ? lead.low : 0x80, high = i == 1 ? lead.high : 0xbf;

		if ((size_t)i >= s.len || p[i] < low || p[i] > high)
			return -i;
		rune = rune << 6 | (p[i] & 0x3f);
	}
	*out = rune;
	return lead.length;
}

void utf8_encode(struct str *out, uint32_t rune)
{
	unsigned char bytes[4];
	utf8proc_ssize_t n = 0;

	if (utf8proc_codepoint_valid((utf8proc_int32_t)rune))
		n = utf8proc_encode_char((utf8proc_int32_t)rune, bytes);
	str_add(out, n > 0 ? sv_from((char *)bytes, (size_t)n) : UTF8_REPLACEMENT);
}

/* Length of the ASCII prefix of `s`, counted eight bytes at a time. */
static size_t utf8_ascii_run(struct sv s)
{
	size_t i = 0;

	for (uint64_t word; i + 8 <= s.len; i += 8) {
		memcpy(&word, s.ptr + i, 8);
		if (word & 0x8080808080808080u)
			break;
	}
	while (i < s.len && (unsigned char)s.ptr[i] < 0x80)
		i++;
	return i;
}

bool utf8_valid(struct sv s, size_t *bad_at)
{
	size_t i = 0;

	while ((i += utf8_ascii_run(sv_skip(s, i))) < s.len) {
		uint32_t rune;
		int n = utf8_decode(sv_skip(s, i), &rune);

		if (n < 0) {
			if (bad_at)
				*bad_at = i;
			return false;
		}
		i += (size_t)n;
	}
	return true;
}

bool utf8_is_ascii(struct sv s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] >= 0x80)
			return false;
	return true;
}

void utf8_repair(struct str *out, struct sv s)
{
	size_t bad = 0;

	str_reserve(out, s.len);
	while (!utf8_valid(s, &bad)) {
		uint32_t rune;

		str_add(out, sv_slice(s, 0, bad));
		str_add(out, UTF8_REPLACEMENT);
		s = sv_skip(s, bad);
		s = sv_skip(s, (size_t)abs(utf8_decode(s, &rune)));
	}
	str_add(out, s);
}

void utf8_fold(struct str *out, struct sv s)
{
	enum { HOW = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE };
	utf8proc_uint8_t *folded = NULL;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)s.ptr, (utf8proc_ssize_t)s.len,
					  &folded, (utf8proc_option_t)HOW);

	str_add(out, n < 0 ? s : sv_from((const char *)folded, (size_t)n));
	free(folded);
}

struct sv utf8_prefix(struct sv s, size_t max)
{
	if (max >= s.len)
		return s;
	/* The cut can only split a character whose lead byte is at most three bytes
	 * before it. */
	for (size_t back = 1; back <= min_of(max, (size_t)3); back++) {
		uint32_t rune;
		int n;

		if (((unsigned char)s.ptr[max - back] & 0xc0) == 0x80)
			continue;
		n = utf8_decode(sv_skip(s, max - back), &rune);
		return sv_slice(s, 0, (size_t)abs(n) > back ? max - back : max);
	}
	return sv_slice(s, 0, max);
}

/* Decode one character for display: malformed bytes become U+FFFD. */
static size_t utf8_next_rune(struct sv s, utf8proc_int32_t *rune)
{
	uint32_t value;
	int n = utf8_decode(s, &value);

	*rune = n > 0 ? (utf8proc_int32_t)value : 0xfffd;
	return (size_t)abs(n);
}

/* utf8proc knows the width of each character. The widths in a cluster add up, but to at
 * most two cells: a flag is two half-width characters, a Thai sign or half-width kana
 * mark sits beside its letter, and the rest of an emoji is drawn over its first
 * character. VS16 selects the wide emoji form of the character before it. */
static int utf8_widen(int cells, utf8proc_int32_t rune)
{
	if (rune == 0xfe0f && cells > 0)
		return 2;
	return min_of(cells + utf8proc_charwidth(rune), 2);
}

size_t utf8_cluster(struct sv s, int *cells)
{
	utf8proc_int32_t state = 0, before, rune;
	size_t len = utf8_next_rune(s, &before);

	*cells = utf8_widen(0, before);
	while (len < s.len) {
		size_t n = utf8_next_rune(sv_skip(s, len), &rune);

		if (utf8proc_grapheme_break_stateful(before, rune, &state))
			break;
		*cells = utf8_widen(*cells, rune);
		before = rune;
		len += n;
	}
	return len;
}

static bool is_printable_ascii(char c)
{
	return c >= ' ' && c <= '~';
}

size_t utf8_cells(struct sv s)
{
	size_t total = 0;

	while (s.len > 0) {
		int cells = 1;
		size_t n = 1;

		/* Two printable ASCII characters are never one cluster. This is the
		 * common case. */
		if (!is_printable_ascii(s.ptr[0]) || (s.len > 1 && (unsigned char)s.ptr[1] >= 0x80))
			n = utf8_cluster(s, &cells);
		total += (size_t)cells;
		s = sv_skip(s, n);
	}
	return total;
}
