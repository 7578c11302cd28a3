#include "extend/visible.h"

#include "base/utf8.h"

#define BYTE_ORDER_MARK SV("\xef\xbb\xbf")

static bool is_unseen(uint32_t rune)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x180e, 0x180e },   /* a vowel separator without a glyph */
		{ 0x200b, 0x200b },   /* zero-width space */
		{ 0x202a, 0x202e },   /* direction embeddings and overrides */
		{ 0x2060, 0x206f },   /* invisible operators, isolates, old shaping marks */
		{ 0xfeff, 0xfeff },   /* byte order mark */
		{ 0xfff9, 0xfffb },   /* interlinear annotation */
		{ 0xe0000, 0xe0fff }, /* tags, further variation selectors */
	};

	for (size_t i = 0; i < countof(ranges); i++)
		if (rune >= ranges[i].first && rune <= ranges[i].last)
			return true;
	return false;
}

size_t visible_text(struct str *out, struct sv raw)
{
	size_t unseen = 0;
	uint32_t rune;

	if (sv_starts(raw, BYTE_ORDER_MARK))
		raw = sv_skip(raw, BYTE_ORDER_MARK.len);
	while (raw.len > 0) {
		int n = utf8_decode(raw, &rune);

		if (n < 0)
			str_add(out, UTF8_REPLACEMENT);
		else if (is_unseen(rune))
			unseen++;
		else
			str_add(out, sv_slice(raw, 0, (size_t)n));
		raw = sv_skip(raw, (size_t)(n < 0 ? -n : n));
	}
	return unseen;
}

void visible_line(struct str *out, struct sv raw)
{
	defer(str_clear) struct str text = STR_INIT;

	visible_text(&text, raw);
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c < 0x20 || c == 0x7f)
			str_addf(out, "\\x%02x", c);
		else
			str_addc(out, (char)c);
	}
}
