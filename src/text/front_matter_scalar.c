#include "text/front_matter_scalar.h"

static bool is_any_of(struct sv text, const char *const *words)
{
	for (; *words; words++)
		if (sv_is(text, *words))
			return true;
	return false;
}

static size_t scalar_digits_at(struct sv text, size_t at)
{
	size_t n = 0;

	while (at + n < text.len && text.ptr[at + n] >= '0' && text.ptr[at + n] <= '9')
		n++;
	return n;
}

/* "0o17" or "0x1f", without a sign. */
static bool scalar_read_power_of_two(struct sv text, uint64_t *out)
{
	int bits = sv_starts(text, SV("0x")) ? 4 : sv_starts(text, SV("0o")) ? 3 : 0;
	uint64_t value = 0;

	if (!bits || text.len < 3)
		return false;
	for (size_t i = 2; i < text.len; i++) {
		char c = text.ptr[i];
		int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;

		if (digit < 0 || digit >= 1 << bits || value >> (64 - bits))
			return false;
		value = value << bits | (uint64_t)digit;
	}
	*out = value;
	return true;
}

/* The parts of a decimal number: [-+] whole [. fraction] [e exponent]. */
struct decimal {
	bool negative;
	struct sv whole, fraction, exponent; /* digits; the exponent includes its sign */
};

static bool scalar_read_decimal(struct sv text, struct decimal *out)
{
	bool sign = sv_starts(text, SV("-")) || sv_starts(text, SV("+"));
	struct decimal d = { .negative = sv_starts(text, SV("-")) };
	size_t at = sign;

	d.whole = sv_slice(text, at, at + scalar_digits_at(text, at));
	at += d.whole.len;
	if (at < text.len && text.ptr[at] == '.') {
		at++;
		d.fraction = sv_slice(text, at, at + scalar_digits_at(text, at));
		at += d.fraction.len;
	}
	if (d.whole.len + d.fraction.len == 0)
		return false;
	if (at < text.len && (text.ptr[at] | 0x20) == 'e') {
		size_t from = ++at;

		at += at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+');
		if (scalar_digits_at(text, at) == 0)
			return false;
		at += scalar_digits_at(text, at);
		d.exponent = sv_slice(text, from, at);
	}
	*out = d;
	return at == text.len;
}

/* JSON requires a digit before and after the point, and no leading zeros. */
static void scalar_write_decimal(struct jw *w, struct decimal d)
{
	defer(str_clear) struct str number = STR_INIT;

	while (d.whole.len > 1 && d.whole.ptr[0] == '0')
		d.whole = sv_skip(d.whole, 1);
	str_adds(&number, d.negative ? "-" : "");
	str_add(&number, d.whole.len ? d.whole : SV("0"));
	if (d.fraction.len) {
		str_addc(&number, '.');
		str_add(&number, d.fraction);
	}
	if (d.exponent.len) {
		str_addc(&number, 'e');
		str_add(&number, d.exponent);
	}
	jw_raw(w, sv_of(&number));
}

void front_matter_write_plain(struct jw *w, struct sv text)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
	static const char *const trues[] = { "true", "True", "TRUE", NULL };
	static const char *const falses[] = { "false", "False", "FALSE", NULL };
	struct decimal decimal;
	uint64_t value;

	if (is_any_of(text, nulls))
		jw_null(w);
	else if (is_any_of(text, trues) || is_any_of(text, falses))
		jw_bool(w, is_any_of(text, trues));
	else if (scalar_read_power_of_two(text, &value))
		jw_uint(w, value);
	else if (scalar_read_decimal(text, &decimal))
		scalar_write_decimal(w, decimal);
	else
		jw_str(w, text);
}
