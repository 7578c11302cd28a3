#include "text/hex.h"

#include "test.h"

TEST(hex_encode_writes_two_lower_case_digits_a_byte)
{
	defer(str_clear) struct str out = STR_INIT;

	hex_encode(&out, SV("\x00\x0f\xa5\xff"));
	CHECK_SV(sv_of(&out), "000fa5ff");
}

TEST(hex_digit_knows_both_cases_and_nothing_else)
{
	int digits = 0;

	CHECK_INT(hex_digit('0'), 0);
	CHECK_INT(hex_digit('9'), 9);
	CHECK_INT(hex_digit('a'), 10);
	CHECK_INT(hex_digit('F'), 15);
	for (int c = -128; c < 128; c++)
		digits += hex_digit((char)c) >= 0;
	CHECK_INT(digits, 22);
}
