#include "text/unseen.h"

#include "test.h"

TEST(what_no_screen_shows_is_dropped_and_what_scripts_need_is_kept)
{
	defer(str_clear) struct str out = STR_INIT;

	unseen_drop(&out, SV("a\xe2\x80\x8b"
			     "b\xe2\x80\xae"
			     "c\xf3\xa0\x81\x81"
			     "d\xef\xbb\xbf"
			     "e\x1b\x07\x00"
			     "f\xc2\x9b"
			     "g\xc2\xad"
			     "h\r\n\ti\xe2\x80\x8dj\xff"));
	CHECK_SV(sv_of(&out), "abcdefgh\r\n\ti\xe2\x80\x8dj\xef\xbf\xbd");
}
