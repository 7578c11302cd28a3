#include "text/duration.h"

#include "test.h"

TEST(a_duration_has_at_most_two_units_and_is_never_too_short)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {
		{ 0, "0.0 s" },          { 1500, "1.5 s" },         { 59900, "59.9 s" },
		{ 60000, "1 min" },      { 60001, "2 min" },        { 3540001, "1 h" },
		{ 3600000, "1 h" },      { 4320000, "1 h 12 min" }, { 86400000, "1 d" },
		{ 86400001, "1 d 1 h" }, { 273600000, "3 d 4 h" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT;

		duration_write(&text, cases[i].ms);
		CHECK_STR(str_c(&text), cases[i].text);
	}
}
