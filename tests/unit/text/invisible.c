#include "text/invisible.h"

#include "test.h"

TEST(invisible_characters_are_dropped_and_joiners_kept)
{
	defer(str_clear) struct str out = STR_INIT;

	invisible_drop(&out, SV("a\xe2\x80\x8b"
				"b\xe2\x80\xae"
				"c\xf3\xa0\x81\x81"
				"d\xef\xbb\xbf"
				"e\x1b\x07\x00"
				"f\xc2\x9b"
				"g\xc2\xad"
				"h\r\n\ti\xe2\x80\x8dj\xff"));
	CHECK_SV(sv_of(&out), "abcdefgh\r\n\ti\xe2\x80\x8dj\xef\xbf\xbd");
}

TEST(misleading_characters_are_escaped_and_others_kept)
{
	static const struct {
		struct sv text, shown;
	} cases[] = {
		{ SV_INIT("git log\xe2\x80\x8b -3"), SV_INIT("git log\\u{200b} -3") },
		{ SV_INIT("a\r\nb\tc"), SV_INIT("a\\x0d\nb\tc") },
		{ SV_INIT("\x1b[2J\0"), SV_INIT("\\x1b[2J\\x00") },
		{ SV_INIT("a\xe2\x80\x8d\xef\xb8\x80"), SV_INIT("a\\u{200d}\\u{fe00}") },
		{ SV_INIT("\xf3\xa0\x81\x81"), SV_INIT("\\u{e0041}") },
		{ SV_INIT("\xe3\x85\xa4"), SV_INIT("\\u{3164}") },
		{ SV_INIT("\xff\xe2\x80"), SV_INIT("\\xff\\xe2\\x80") },
		{ SV_INIT("na\xc3\xafve \\x41"), SV_INIT("na\xc3\xafve \\x41") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		invisible_escape(&out, cases[i].text, invisible_misleads);
		CHECK_SV_EQ(sv_of(&out), cases[i].shown);
	}
}
