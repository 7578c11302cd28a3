#include "text/base64.h"

static const char alphabets[][65] = {
	[BASE64_STD] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	[BASE64_URL] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
};

/* Encode one to three bytes as two to four characters. */
static void base64_encode_group(struct str *out, const uint8_t *in, size_t n, enum base64_kind kind)
{
	const char *alphabet = alphabets[kind];
	uint32_t bits =
		(uint32_t)in[0] << 16 | (n > 1 ? (uint32_t)in[1] << 8 : 0) | (n > 2 ? in[2] : 0);
	char group[4] = { alphabet[bits >> 18], alphabet[bits >> 12 & 63],
			  n > 1 ? alphabet[bits >> 6 & 63] : '=',
			  n > 2 ? alphabet[bits & 63] : '=' };

	str_add(out, sv_from(group, kind == BASE64_URL ? n + 1 : 4));
}

void base64_encode(struct str *out, struct sv bytes, enum base64_kind kind)
{
	const uint8_t *in = (const uint8_t *)bytes.ptr;

	str_reserve(out, bytes.len / 3 * 4 + 4);
	for (size_t i = 0; i < bytes.len; i += 3)
		base64_encode_group(out, in + i, min_of(bytes.len - i, (size_t)3), kind);
}

/* The value of each character; 64 and more: not in the alphabet. */
struct worth {
	uint8_t of[256];
};

static struct worth worth_in(enum base64_kind kind)
{
	struct worth worth;

	memset(worth.of, 64, sizeof(worth.of));
	for (uint8_t i = 0; i < 64; i++)
		worth.of[(unsigned char)alphabets[kind][i]] = i;
	return worth;
}

/* Report the first character outside the alphabet, or `what` when there is none. */
static bool base64_bad_text(struct err *err, struct sv digits, const struct worth *worth, size_t at,
			    const char *what)
{
	for (size_t i = 0; i < digits.len; i++)
		if (worth->of[(unsigned char)digits.ptr[i]] > 63)
			return err_set(err, ERR_PARSE,
				       "base64: character outside the alphabet at byte %zu", i);
	return err_set(err, ERR_PARSE, "base64: %s at byte %zu", what, at);
}

/* Strip the padding from the text; false when the length requires other padding. */
static bool base64_strip_padding(struct sv *text, enum base64_kind kind)
{
	struct sv s = *text;

	if (kind == BASE64_STD) {
		if (s.len % 4 != 0)
			return false;
		for (int i = 0; i < 2 && sv_ends(s, SV("=")); i++)
			s.len--;
	}
	*text = s;
	return s.len % 4 != 1;
}

/* Decode whole groups of four; false at a character outside the alphabet. */
static bool base64_decode_groups(uint8_t *out, const uint8_t *in, size_t n,
				 const struct worth *worth)
{
	uint8_t seen = 0;

	for (; n > 0; n--, in += 4, out += 3) {
		uint8_t a = worth->of[in[0]], b = worth->of[in[1]];
		uint8_t c = worth->of[in[2]], d = worth->of[in[3]];

		seen |= a | b | c | d;
		out[0] = (uint8_t)(a << 2 | b >> 4);
		out[1] = (uint8_t)(b << 4 | c >> 2);
		out[2] = (uint8_t)(c << 6 | d);
	}
	return seen < 64;
}

/* Decode the last two or three characters: one or two bytes, and bits that must be 0. */
static bool base64_decode_rest(uint8_t *out, const uint8_t *in, size_t n, const struct worth *worth)
{
	uint8_t a = worth->of[in[0]], b = worth->of[in[1]];
	uint8_t c = n > 2 ? worth->of[in[2]] : 0;

	if ((a | b | c) > 63)
		return false;
	out[0] = (uint8_t)(a << 2 | b >> 4);
	if (n > 2)
		out[1] = (uint8_t)(b << 4 | c >> 2);
	return n > 2 ? (c & 3) == 0 : (b & 15) == 0;
}

bool base64_decode(struct str *out, struct sv text, enum base64_kind kind, struct err *err)
{
	struct worth worth = worth_in(kind);
	const uint8_t *in = (const uint8_t *)text.ptr;
	size_t groups, rest, before = out->len;
	uint8_t *to;

	if (!base64_strip_padding(&text, kind))
		return base64_bad_text(err, text, &worth, text.len, "wrong padding");
	groups = text.len / 4;
	rest = text.len % 4;
	str_reserve(out, groups * 3 + 2);
	to = (uint8_t *)out->ptr + before;
	if (!base64_decode_groups(to, in, groups, &worth) ||
	    (rest && !base64_decode_rest(to + groups * 3, in + groups * 4, rest, &worth))) {
		*to = '\0';
		return base64_bad_text(err, text, &worth, text.len - 1, "nonzero padding bits");
	}
	out->len = before + groups * 3 + (rest ? rest - 1 : 0);
	out->ptr[out->len] = '\0';
	return true;
}
