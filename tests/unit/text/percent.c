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
