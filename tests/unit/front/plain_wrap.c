#include "front/plain/plain_wrap.h"

#include "base/base.h"
#include "test.h"

/* Wraps `text`, which arrives `size` bytes at a time, to ten columns. */
static void wrap_in_pieces(struct str *out, const char *text, size_t size)
{
	struct plain_wrap wrap = { .column = 0 };
	struct sv rest = sv_cstr(text);

	str_truncate(out, 0);
	for (; rest.len; rest = sv_skip(rest, min_of(size, rest.len)))
		plain_wrap_add(&wrap, sv_slice(rest, 0, min_of(size, rest.len)), 10, out);
	plain_wrap_end(&wrap, 10, out);
}

TEST(lines_break_between_words_however_they_arrive)
{
	static const struct {
		const char *text, *wrapped;
	} cases[] = {
		{ "one two three four", "one two\nthree four" },
		{ "one two\nthree", "one two\nthree" },
		{ "0123456789 0123456789", "0123456789\n0123456789" },
		{ "a 0123456789abcdef b", "a\n0123456789abcdef\nb" },
		{ "- one\n  two three four", "- one\n  two\nthree four" },
		{ "```c\nint a = b + c + d;\n```\none two three",
		  "```c\nint a = b + c + d;\n```\none two\nthree" },
		{ "\xe4\xbd\xa0\xe5\xa5\xbd \xe4\xbd\xa0\xe5\xa5\xbd \xe4\xbd\xa0",
		  "\xe4\xbd\xa0\xe5\xa5\xbd \xe4\xbd\xa0\xe5\xa5\xbd\n\xe4\xbd\xa0" },
		{ "ends with blanks  ", "ends with\nblanks  " },
	};
	defer(str_clear) struct str out = STR_INIT;

	for (size_t i = 0; i < countof(cases); i++)
		for (size_t size = 1; size < 30; size++) {
			wrap_in_pieces(&out, cases[i].text, size);
			CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].wrapped));
		}
}
