#include "text/json/json_halves.h"

#include "base/utf8.h"

void json_halves_clear(struct json_halves *halves)
{
	str_clear(&halves->joined);
	halves->high = 0;
}

/* Returns the surrogate whose three bytes `text` starts with, or 0. */
static uint32_t json_halves_unit(struct sv text)
{
	const unsigned char *bytes = (const unsigned char *)text.ptr;

	if (text.len < 3 || bytes[0] != 0xed || bytes[1] < 0xa0)
		return 0;
	return 0xd000 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu);
}

static bool json_halves_any(struct sv text)
{
	size_t hop;

	while ((hop = sv_find_char(text, '\xed')) != SIZE_MAX) {
		text = sv_skip(text, hop);
		if (json_halves_unit(text))
			return true;
		text = sv_skip(text, 1);
	}
	return false;
}

static void json_halves_add_unit(struct json_halves *halves, uint32_t unit)
{
	bool is_high = unit < 0xdc00;

	if (halves->high && !is_high)
		utf8_encode(&halves->joined,
			    0x10000 + ((halves->high - 0xd800) << 10) + (unit - 0xdc00));
	else if (halves->high || !is_high)
		str_add(&halves->joined, UTF8_REPLACEMENT);
	halves->high = is_high ? unit : 0;
}

struct sv json_halves_feed(struct json_halves *halves, struct sv piece)
{
	if (piece.len == 0 || (!halves->high && !json_halves_any(piece)))
		return piece;
	str_truncate(&halves->joined, 0);
	while (piece.len > 0) {
		uint32_t unit = json_halves_unit(piece);

		if (unit) {
			json_halves_add_unit(halves, unit);
		} else {
			if (halves->high)
				str_add(&halves->joined, UTF8_REPLACEMENT);
			halves->high = 0;
			str_addc(&halves->joined, piece.ptr[0]);
		}
		piece = sv_skip(piece, unit ? 3 : 1);
	}
	return sv_of(&halves->joined);
}

struct sv json_halves_end(struct json_halves *halves)
{
	bool any = halves->high;

	halves->high = 0;
	return any ? UTF8_REPLACEMENT : SV_EMPTY;
}
