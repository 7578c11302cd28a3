#include "context/visible_text.h"

#include "test.h"

static void check_text(const char *raw, const char *expected, size_t unseen)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK_INT(visible_text(&out, sv_cstr(raw)), unseen);
	CHECK_SV_EQ(sv_of(&out), sv_cstr(expected));
}

TEST(what_can_be_seen_stays_as_it_is)
{
	check_text("", "", 0);
	check_text("a\tb\r\nc\n", "a\tb\r\nc\n", 0);
	check_text("naïve 文 \U0001f468\u200d\U0001f469 می\u200cخواهم \u200f", /* joiners, marks */
		   "naïve 文 \U0001f468\u200d\U0001f469 می\u200cخواهم \u200f", 0);
}

TEST(what_a_screen_does_not_show_is_taken_out)
{
	check_text("run\U000e0072\U000e006d", "run", 2);         /* tags */
	check_text("a\u200bb\u2060c\ufeffd", "abcd", 3);         /* no width */
	check_text("x \u202etxt.exe\u202c y", "x txt.exe y", 2); /* direction */
	check_text("\u2066a\u2069\U000e0100", "a", 3);
}

TEST(a_byte_order_mark_is_dropped_silently)
{
	check_text("\ufeff# Title", "# Title", 0);
}

TEST(malformed_text_becomes_valid)
{
	check_text("a\xff"
		   "b\xe2\x82",
		   "a\ufffdb\ufffd", 0);
}

TEST(a_line_holds_no_control_characters)
{
	defer(str_clear) struct str out = STR_INIT;

	visible_line(&out, SV("a\nb\x1b[31m\u202e\x7f"));
	CHECK_SV(sv_of(&out), "a\\x0ab\\x1b[31m\\x7f");
}
