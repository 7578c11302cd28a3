#include "hook/terminal.h"

#include "test.h"

static void check_filter(const char *text, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	hook_terminal_filter(&out, sv_cstr(text));
	CHECK_STR(str_c(&out), expected);
}

TEST(titles_notifications_and_bells_reach_the_terminal)
{
	check_filter("\x1b]2;Building\a", "\x1b]2;Building\x1b\\");
	check_filter("\x1b]777;notify;awl;done\x1b\\\a", "\x1b]777;notify;awl;done\x1b\\\a");
	check_filter("\x1b]9;a\a\x1b]99;;b\x1b\\", "\x1b]9;a\x1b\\\x1b]99;;b\x1b\\");
}

TEST(other_sequences_and_text_do_not)
{
	check_filter("hello \x1b[2J\x1b[31mred", "");
	check_filter("\x1b]52;c;aGk=\a", "");
	check_filter("\x1b]8;;http://x\a\x1b]2;ok\a", "\x1b]2;ok\x1b\\");
	check_filter("\x1b]2;a\x1b[2Jb\a", "");
	check_filter("\x1b]2;a\xc2\x9b"
		     "2Jb\a",
		     "");
	check_filter("\x1b]2;\xc2\xa0\xc3\x9b\a", "\x1b]2;\xc2\xa0\xc3\x9b\x1b\\");
	check_filter("\x1b]2\a", "");
	check_filter("\x1b]2;never ends", "");
	check_filter("\x1bP1;2q\x1b\\", "");
}
