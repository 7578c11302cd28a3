#include "text/percent.h"

#include "text/hex.h"

static bool is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '.' || c == '_' || c == '~';
}

void percent_encode(struct str *out, struct sv text, const char *also_kept)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (is_unreserved(c) || (c && strchr(also_kept, c)))
			str_addc(out, c);
		else
			str_addf(out, "%%%02X", (unsigned char)c);
	}
}

void percent_decode_form(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '%' && i + 2 < text.len && hex_digit(text.ptr[i + 1]) >= 0 &&
		    hex_digit(text.ptr[i + 2]) >= 0) {
			c = (char)(hex_digit(text.ptr[i + 1]) * 16 + hex_digit(text.ptr[i + 2]));
			i += 2;
		} else if (c == '+') {
			c = ' ';
		}
		str_addc(out, c);
	}
}
