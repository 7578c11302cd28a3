#include "front/paste.h"

#include "test.h"

TEST(the_placeholder_of_a_paste_counts_its_lines)
{
	static const struct {
		const char *text, *label;
	} cases[] = {
		{ "a", "" },
		{ "a\nb", "" },
		{ "a\nb\n", "" }, /* the end of a line does not begin another one */
		{ "a\nb\nc", "[Pasted text #7 +3 lines, cut]" },
		{ "a\nb\nc\n", "[Pasted text #7 +3 lines, cut]" },
		{ "a\n\n\n", "[Pasted text #7 +3 lines, cut]" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str label = STR_INIT;

		CHECK(paste_fold(&label, sv_cstr(cases[i].text), 7, ", cut") ==
		      (cases[i].label[0] != '\0'));
		CHECK_STR(str_c(&label), cases[i].label);
	}
}
