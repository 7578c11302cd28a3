#include "text/unseen.h"

#include "base/utf8.h"

bool unseen_is(uint32_t rune)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x08 },     { 0x0b, 0x0c },     { 0x0e, 0x1f },     { 0x7f, 0x9f },
		{ 0xad, 0xad },     { 0x180e, 0x180e }, { 0x200b, 0x200b }, { 0x202a, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < countof(ranges); i++)
		if (rune >= ranges[i].first && rune <= ranges[i].last)
			return true;
	return false;
}

/* Most text is plain ASCII, which is passed on in long pieces. */
static size_t plain_prefix(struct sv text)
{
	size_t n = 0;

	while (n < text.len && ((text.ptr[n] >= ' ' && text.ptr[n] < 0x7f) || text.ptr[n] == '\n' ||
				text.ptr[n] == '\r' || text.ptr[n] == '\t'))
		n++;
	return n;
}

void unseen_drop(struct str *out, struct sv text)
{
	uint32_t rune;
	size_t plain;
	int n;

	while (text.len) {
		plain = plain_prefix(text);
		str_add(out, sv_slice(text, 0, plain));
		text = sv_skip(text, plain);
		if (!text.len)
			break;
		n = utf8_decode(text, &rune);
		if (n < 0)
			str_add(out, UTF8_REPLACEMENT);
		else if (!unseen_is(rune))
			str_add(out, sv_slice(text, 0, (size_t)n));
		text = sv_skip(text, (size_t)(n < 0 ? -n : n));
	}
}
