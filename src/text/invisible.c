#include "text/invisible.h"

#include "base/utf8.h"

struct range {
	uint32_t first, last;
};

static bool invisible_is_among(uint32_t rune, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rune >= ranges[i].first && rune <= ranges[i].last)
			return true;
	return false;
}

bool invisible_is(uint32_t rune)
{
	static const struct range ranges[] = {
		{ 0x00, 0x08 },       { 0x0b, 0x0c },
		{ 0x0e, 0x1f },       /* C0 except tab and line breaks */
		{ 0x7f, 0x9f },       /* DEL, C1 */
		{ 0xad, 0xad },       /* soft hyphen */
		{ 0x180e, 0x180e },   /* a vowel separator without a glyph */
		{ 0x200b, 0x200b },   /* zero-width space */
		{ 0x202a, 0x202e },   /* direction embeddings and overrides */
		{ 0x2060, 0x206f },   /* invisible operators, isolates, old shaping marks */
		{ 0xfeff, 0xfeff },   /* byte order mark */
		{ 0xfff9, 0xfffb },   /* interlinear annotation */
		{ 0xe0000, 0xe0fff }, /* tags, further variation selectors */
	};

	return invisible_is_among(rune, ranges, countof(ranges));
}

bool invisible_misleads(uint32_t rune)
{
	static const struct range ranges[] = {
		{ '\r', '\r' },     { 0x034f, 0x034f }, /* grapheme joiner */
		{ 0x061c, 0x061c },                     /* Arabic letter mark */
		{ 0x115f, 0x1160 },                     /* Hangul fillers */
		{ 0x17b4, 0x17b5 },                     /* Khmer inherent vowels */
		{ 0x180b, 0x180f },                     /* Mongolian selectors */
		{ 0x200c, 0x200f },                     /* joiners, direction marks */
		{ 0x2028, 0x2029 },                     /* separators of lines and paragraphs */
		{ 0x3164, 0x3164 },                     /* Hangul filler */
		{ 0xfe00, 0xfe0e },                     /* variation selectors except emoji's */
		{ 0xffa0, 0xffa0 },                     /* half-width Hangul filler */
		{ 0xfff0, 0xfff8 },                     /* unassigned, without a glyph */
	};

	return invisible_is(rune) || invisible_is_among(rune, ranges, countof(ranges));
}

bool invisible_misleads_in_line(uint32_t rune)
{
	return rune < ' ' || invisible_misleads(rune);
}

/* Most text is plain ASCII. Copy it in long pieces. */
static size_t invisible_plain_prefix(struct sv text, const char *also)
{
	size_t n = 0;

	while (n < text.len && ((text.ptr[n] >= ' ' && text.ptr[n] < 0x7f) ||
				(text.ptr[n] && strchr(also, text.ptr[n]))))
		n++;
	return n;
}

void invisible_drop(struct str *out, struct sv text)
{
	uint32_t rune;
	size_t plain;
	int n;

	while (text.len) {
		plain = invisible_plain_prefix(text, "\n\r\t");
		str_add(out, sv_slice(text, 0, plain));
		text = sv_skip(text, plain);
		if (!text.len)
			break;
		n = utf8_decode(text, &rune);
		if (n < 0)
			str_add(out, UTF8_REPLACEMENT);
		else if (!invisible_is(rune))
			str_add(out, sv_slice(text, 0, (size_t)n));
		text = sv_skip(text, (size_t)(n < 0 ? -n : n));
	}
}

void invisible_escape(struct str *out, struct sv text, bool (*is)(uint32_t rune))
{
	uint32_t rune;

	while (text.len) {
		size_t plain = invisible_plain_prefix(text, "");
		int n;

		str_add(out, sv_slice(text, 0, plain));
		text = sv_skip(text, plain);
		if (!text.len)
			break;
		n = utf8_decode(text, &rune);
		for (int i = 0; i < -n; i++)
			str_addf(out, "\\x%02x", (unsigned char)text.ptr[i]);
		if (n > 0 && !is(rune))
			str_add(out, sv_slice(text, 0, (size_t)n));
		else if (n > 0)
			str_addf(out, rune < 0x80 ? "\\x%02x" : "\\u{%x}", rune);
		text = sv_skip(text, (size_t)(n < 0 ? -n : n));
	}
}
