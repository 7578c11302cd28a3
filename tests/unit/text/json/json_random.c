#include "json_random.h"

#define PICK_FROM(table, r) table[rng_below(r, countof(table))]

static void space(struct str *out, struct rng *r)
{
	static const char *const spaces[] = { "", "", "", " ", "\n", "\t", "\r\n  ", "\n\n    " };

	str_adds(out, PICK_FROM(spaces, r));
}

static void string(struct str *out, struct rng *r)
{
	static const char *const parts[] = {
		"a",
		"bc",
		" ",
		"\\n",
		"\\\"",
		"\\\\",
		"\\/",
		"\\u00e9",
		"\\u0000",
		"{",
		"[\\\\",
		"}],:",
		"\xc3\xa9",
		"\\ud83d\\ude00",
		"\xf0\x9f\x98\x80",
		"\\ud800",
		"\xe2\x80\xa8",
		"\x7f",
	};

	str_addc(out, '"');
	for (uint64_t n = rng_below(r, 6); n > 0; n--)
		str_adds(out, PICK_FROM(parts, r));
	str_addc(out, '"');
}

static void scalar(struct str *out, struct rng *r)
{
	static const char *const scalars[] = {
		"true",
		"false",
		"null",
		"0",
		"-0",
		"1",
		"-17",
		"3.0",
		"1.50",
		"1E3",
		"2e-7",
		"0.1e+2",
		"1e999",
		"18446744073709551615",
		"-9223372036854775808",
		"12345678901234567890123",
	};

	if (rng_below(r, 3))
		str_adds(out, PICK_FROM(scalars, r));
	else
		string(out, r);
}

static void key(struct str *out, struct rng *r)
{
	static const char *const keys[] = { "\"a\"", "\"b\"", "\"\\u0061\"", "\"k.x\"", "\"\"" };

	if (rng_below(r, 2))
		str_adds(out, PICK_FROM(keys, r));
	else
		string(out, r);
	space(out, r);
	str_addc(out, ':');
}

static void container(struct str *out, struct rng *r, unsigned depth)
{
	bool object = rng_below(r, 2);
	uint64_t n = rng_below(r, 5);

	str_addc(out, object ? '{' : '[');
	if (!n)
		space(out, r);
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			str_addc(out, ',');
		space(out, r);
		if (object)
			key(out, r);
		json_random(out, r, depth - 1);
	}
	str_addc(out, object ? '}' : ']');
}

void json_random(struct str *out, struct rng *r, unsigned depth)
{
	space(out, r);
	if (depth && rng_below(r, 3))
		container(out, r, depth);
	else
		scalar(out, r);
	space(out, r);
}
