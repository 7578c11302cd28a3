#include "text/hex.h"

void hex_encode(struct str *out, struct sv bytes)
{
	static const char digits[] = "0123456789abcdef";

	str_reserve(out, 2 * bytes.len);
	for (size_t i = 0; i < bytes.len; i++) {
		str_addc(out, digits[(unsigned char)bytes.ptr[i] >> 4]);
		str_addc(out, digits[(unsigned char)bytes.ptr[i] & 15]);
	}
}

int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}
