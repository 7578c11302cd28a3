#include "context/visible_text.h"

#include "base/utf8.h"
#include "text/invisible.h"

#define BYTE_ORDER_MARK SV("\xef\xbb\xbf")

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
		else if (rune >= 0x80 &&
			 invisible_is(rune)) /* control characters are visible as white space */
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
