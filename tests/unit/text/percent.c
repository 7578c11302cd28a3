#include "text/percent.h"

#include "test.h"

static void check_encoded(struct sv text, const char *kept, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	percent_encode(&out, text, kept);
	CHECK_STR(str_c(&out), expected);
}

TEST(percent_encode_leaves_only_unreserved_bytes)
{
	check_encoded(SV("AZaz09-._~"), "", "AZaz09-._~");
	check_encoded(SV("a:0/b c+d=e&f%20"), "", "a%3A0%2Fb%20c%2Bd%3De%26f%2520");
	check_encoded(SV("\xe1\x88\xb4"), "", "%E1%88%B4");
	check_encoded(SV("a\0b"), "", "a%00b");
}

TEST(percent_encode_keeps_the_given_bytes)
{
	check_encoded(SV("/model/a:0/invoke"), "/", "/model/a%3A0/invoke");
	check_encoded(SV("a\0/"), "/", "a%00/");
}

TEST(percent_decode_form_gives_the_bytes_of_a_value)
{
	static const char *const rows[][2] = {
		{ "a%2Bb+c", "a+b c" },
		{ "%e1%88%B4", "\xe1\x88\xb4" },
		{ "", "" },
		{ "%", "%" },
		{ "%4", "%4" },
		{ "%zz%41", "%zzA" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str out = STR_INIT;

		percent_decode_form(&out, sv_cstr(rows[i][0]));
		CHECK_STR(str_c(&out), rows[i][1]);
	}
}
