#include "tool/edit/edit_match.h"

#include "base/limits.h"
#include "test.h"

struct edit_case {
	const char *text, *old_text, *new_text;
	const char *after; /* NULL: not found */
	enum edit_rung rung;
};

/* Replaces every place; checks that between them nothing has changed. */
static void check(const struct edit_case *c)
{
	defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
	defer(str_clear) struct str after = STR_INIT;
	struct sv text = sv_cstr(c->text);

	edit_find(&m, text, sv_cstr(c->old_text), sv_cstr(c->new_text));
	if (m.rung != c->rung || (m.rung != EDIT_NOWHERE) != (m.places.n > 0))
		fail_msg("\"%s\" in \"%s\": rung %d, expected %d", c->old_text, c->text, m.rung,
			 c->rung);
	CHECK(edit_apply(&after, text, &m, sv_cstr(c->old_text), sv_cstr(c->new_text), 1000));
	CHECK_STR(str_c(&after), c->after ? c->after : c->text);
}

static void check_all(const struct edit_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(&cases[i]);
}

TEST(the_very_bytes_are_found_first)
{
	static const struct edit_case cases[] = {
		{ "abc", "b", "x", "axc", EDIT_EXACT },
		{ "aaa", "a", "bb", "bbbbbb", EDIT_EXACT },
		{ "aaa", "aa", "b", "ba", EDIT_EXACT },
		{ "caf\xe9 \xff b", "b", "c", "caf\xe9 \xff c", EDIT_EXACT },
		{ "\xef\xbb\xbf"
		  "a\n",
		  "a", "b",
		  "\xef\xbb\xbf"
		  "b\n",
		  EDIT_EXACT },
		{ "a \nb\na\nb\n", "a\nb", "x", "a \nb\nx\n", EDIT_EXACT },
		{ "abc", "d", "x", NULL, EDIT_NOWHERE },
		{ "", "d", "x", NULL, EDIT_NOWHERE },
		{ "d", "dd", "x", NULL, EDIT_NOWHERE },
	};

	check_all(cases, countof(cases));
}

TEST(line_ends_of_the_new_text_are_those_of_the_place)
{
	static const struct edit_case cases[] = {
		{ "a\r\nb\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\n", EDIT_LINE_ENDS },
		{ "a\r\nb\r\n", "a\nb\n", "x\n", "x\r\n", EDIT_LINE_ENDS },
		{ "a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n", EDIT_LINE_ENDS },
		{ "a\r\nb\nc\r\n", "a\nb\nc", "x\ny", "x\r\ny\r\n", EDIT_LINE_ENDS },
		/* One line of a file with CRLF. */
		{ "a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n", EDIT_EXACT },
		{ "a\r\nb", "b", "x\ny", "a\r\nx\r\ny", EDIT_EXACT },
		{ "a\nb\r\nc\n", "c", "x\ny", "a\nb\r\nx\ny\n", EDIT_EXACT },
		{ "a", "a", "x\ny", "x\ny", EDIT_EXACT },
		/* A newline stands for the whole line end. */
		{ "a\r\nb", "\nb", "\nc", "a\r\nc", EDIT_LINE_ENDS },
		{ "a\r\nb\nb", "\nb", "", "a", EDIT_LINE_ENDS },
		{ "a\r\n\r\nb", "\n\n", "\n", "a\r\nb", EDIT_LINE_ENDS },
		/* Whoever writes carriage returns means them. */
		{ "a\r\nb\r\n", "\r\n", "\n", "a\nb\n", EDIT_EXACT },
		{ "a\nb\n", "\n", "\r\n", "a\r\nb\r\n", EDIT_EXACT },
		{ "a\rb", "\r", "\n", "a\nb", EDIT_EXACT },
		{ "a\r\nb", "a\r", "x", "x\r\nb", EDIT_TRAILING },
	};

	check_all(cases, countof(cases));
}

TEST(blanks_at_the_ends_of_whole_lines_may_differ)
{
	static const struct edit_case cases[] = {
		{ "a  \nb\t\nc\n", "a\nb\nc", "x\ny", "x\ny\n", EDIT_TRAILING },
		{ "a\nb\n", "a \nb ", "x", "x\n", EDIT_TRAILING },
		{ "a \nb \nc", "a\nb\n", "x\n", "x\nc", EDIT_TRAILING },
		{ "a \r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n", EDIT_TRAILING },
		/* What follows the last line stays. */
		{ "a \nb  \nc\n", "a\nb", "x", "x  \nc\n", EDIT_TRAILING },
		{ "\xef\xbb\xbf"
		  "a \nb\n",
		  "a\nb", "x",
		  "\xef\xbb\xbf"
		  "x\n",
		  EDIT_TRAILING },
		/* Whole lines only, and the file must have the line end that is asked for. */
		{ "za \nb\n", "a\nb", "x", NULL, EDIT_NOWHERE },
		{ "a \nb", "a\nb\n", "x\n", NULL, EDIT_NOWHERE },
		/* Blank lines alone could be anywhere. */
		{ "a\n \n  \nb", "\n\n\n", "x", NULL, EDIT_NOWHERE },
		/* Each match after the other. */
		{ "a \nb\na \nb\n", "a\nb\n", "x\n", "x\nx\n", EDIT_TRAILING },
		{ "a \nb\na \nb\na \n", "a\nb\na\n", "x\n", "x\nb\na \n", EDIT_TRAILING },
	};

	check_all(cases, countof(cases));
}

TEST(lines_shifted_as_one_are_found_and_the_new_text_is_shifted_with_them)
{
	static const struct edit_case cases[] = {
		{ "\tif (x)\n\t\ty();\n", "if (x)\n\ty();", "if (z)\n\n\ty();\n\tw();",
		  "\tif (z)\n\n\t\ty();\n\t\tw();\n", EDIT_INDENT },
		{ "    a\n      b\n", "a\n  b\n", "c\n", "    c\n", EDIT_INDENT },
		{ "a\n  b\n", "    a\n      b\n", "    c\n\n      d\n", "c\n\n  d\n", EDIT_INDENT },
		{ "  a\n\n  b\n", "a\n   \nb", "c\nd", "  c\n  d\n", EDIT_INDENT },
		{ "  a\r\n  b\r\n", "a\nb", "c\nd", "  c\r\n  d\r\n", EDIT_INDENT },
		{ "\t  a\n\t  b\n", "  a\n  b", "  c", "\t  c\n", EDIT_INDENT },
		/* Each place by its own. */
		{ " a\n b\n  a\n  b\n", "a\nb\n", "c\n", " c\n  c\n", EDIT_INDENT },
		/* Not all by the same. */
		{ "  a\n    b\n", "a\nb\n", "c\n", NULL, EDIT_NOWHERE },
		{ "\ta\n\tb\n", "    a\n    b\n", "    c\n", NULL, EDIT_NOWHERE },
		{ "  a\nb\n", "a\n  b\n", "c\n", NULL, EDIT_NOWHERE },
		/* A new text that has not enough to lose. */
		{ "a\nb\n", "  a\n  b\n", " c\n", NULL, EDIT_NOWHERE },
	};

	check_all(cases, countof(cases));
}

TEST(an_edit_that_makes_a_text_too_big_is_not_begun)
{
	defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&out, "kept");
	edit_find(&m, SV("a-a-"), SV("a"), SV("bcd"));
	CHECK(edit_apply(&out, SV("a-a-"), &m, SV("a"), SV("bcd"), 8));
	CHECK_STR(str_c(&out), "keptbcd-bcd-");
	for (size_t max = 0; max < 8; max++)
		CHECK(!edit_apply(&out, SV("a-a-"), &m, SV("a"), SV("bcd"), max));
	CHECK_STR(str_c(&out), "keptbcd-bcd-");
}

TEST(lines_are_counted_from_one)
{
	struct sv text = SV("a\nb\n\nc");

	for (size_t i = 0; i <= text.len; i++)
		CHECK_INT(edit_line_of(text, i), 1 + (i > 1) + (i > 3) + (i > 4));
}

/* Texts made to be searched again and again. They end soon or never. */
TEST(searching_takes_time_in_proportion_to_the_text)
{
	enum { MANY = 200000 };
	static const char *const lines[][2] = {
		{ "a\n", "a \n" }, { " a\n", "a\n" }, { "\r\n", "\n" }, { "  x\n", "x\n" }
	};

	for (size_t i = 0; i < countof(lines); i++) {
		defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
		defer(str_clear) struct str text = STR_INIT;
		defer(str_clear) struct str old_text = STR_INIT;

		for (int n = 0; n < MANY; n++)
			str_adds(&text, lines[i][0]);
		for (int n = 0; n < MANY / 2; n++)
			str_adds(&old_text, lines[i][1]);
		str_adds(&old_text, "end");
		edit_find(&m, sv_of(&text), sv_of(&old_text), SV("new"));
		CHECK_INT(m.rung, EDIT_NOWHERE);
	}
}
