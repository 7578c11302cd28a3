#include "tool/edit/edit_near.h"

#include "base/limits.h"
#include "test.h"

struct near_case {
	const char *text, *old_text;
	size_t first, last; /* 0: nothing is near */
};

TEST(the_nearest_lines_are_those_that_share_most)
{
	static const struct near_case cases[] = {
		{ "one\ntwo\nthree\n", "one\ntwoo\nthree", 1, 3 },
		{ "int x;\nint y;\nfoo(x);\nint x;\nbar(y);\n", "int x;\nbar(z);", 1, 2 },
		{ "int x;\nint y;\nfoo(x);\nint x;\nbar(y);\nbaz();\n", "int x;\nbar(y); \nqux();",
		  4, 6 },
		{ "a\nb\n\treturn value + 1;\nc\n", "return value + 2;", 3, 3 },
		{ "say(\xe2\x80\x9chello\xe2\x80\x9d)\n", "say(\"hello\")", 1, 1 },
		{ "one\ntwo\n", "entirely different", 0, 0 },
		{ "", "x", 0, 0 },
		{ "one\n", "\n \n", 0, 0 },
		/* The old text would begin before the file. */
		{ "second line\n", "first line\nsecond line\n", 0, 0 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		size_t first = 0, last = 0;

		CHECK_INT(edit_near(sv_cstr(cases[i].text), sv_cstr(cases[i].old_text), &first,
				    &last),
			  cases[i].first > 0);
		if (cases[i].first == 0)
			continue;
		CHECK_INT(first, cases[i].first);
		CHECK_INT(last, cases[i].last);
	}
}

TEST(an_excerpt_is_short_and_ends_with_the_text)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	edit_near_excerpt(&out, SV("a\nb\r\nc\xff"), 2, 9);
	CHECK_STR(str_c(&out), "\n     2\tb\n     3\tc\xef\xbf\xbd");
	str_truncate(&out, 0);
	for (int i = 0; i < 100; i++)
		str_addf(&text, "%01000d\n", i);
	edit_near_excerpt(&out, sv_of(&text), 1, 100);
	CHECK(out.len < 2000);
}
