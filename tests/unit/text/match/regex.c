#include "text/match/regex.h"

#include "base/limits.h"
#include "test.h"

#define NONE -1

TEST(regex_finds_its_first_match)
{
	static const struct {
		const char *pattern;
		struct regex_opts opts;
		struct sv text;
		size_t from;
		int start, end; /* start NONE: no match */
	} cases[] = {
		{ "b+", { false, false }, SV_INIT("abba"), 0, 1, 3 },
		{ "b+", { false, false }, SV_INIT("abba"), 2, 2, 3 },
		{ "b+", { false, false }, SV_INIT("abba"), 3, NONE, 0 },
		{ "B", { false, false }, SV_INIT("abba"), 0, NONE, 0 },
		{ "B", { true, false }, SV_INIT("abba"), 0, 1, 2 },
		{ "\xc3\x84", { true, false }, SV_INIT("x\xc3\xa4"), 0, 1, 3 },
		{ "^b$", { false, false }, SV_INIT("a\nb\nc"), 0, 2, 3 },
		{ "a$", { false, false }, SV_INIT("a\r\n"), 0, NONE, 0 },
		{ "a.b", { false, false }, SV_INIT("a\nb"), 0, NONE, 0 },
		{ "a.b", { false, true }, SV_INIT("a\nb"), 0, 0, 3 },
		{ "\\w+", { false, false }, SV_INIT("- na\xc3\xafve"), 0, 2, 8 },
		{ "a.c",
		  { false, false },
		  SV_INIT("a\xe2\x82\xac"
			  "c"),
		  0,
		  0,
		  5 },
		{ "x*", { false, false }, SV_INIT(""), 0, 0, 0 },
		{ "a", { false, false }, SV_INIT("\0a"), 0, 1, 2 },
		{ "ab\\Kc", { false, false }, SV_INIT("abc"), 0, 2, 3 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct regex_budget budget = { .steps = 1000 };
		struct regex_match m = { 0, 0 };
		struct err err;
		defer(regex_freep) struct regex *re =
			regex_new(sv_cstr(cases[i].pattern), cases[i].opts, &err);
		enum regex_found found;

		CHECK_OK(re != NULL, err);
		found = regex_find(re, cases[i].text, cases[i].from, &budget, &m);
		CHECK_INT(found, cases[i].start == NONE ? REGEX_NONE : REGEX_FOUND);
		if (found == REGEX_FOUND) {
			CHECK_INT(m.start, cases[i].start);
			CHECK_INT(m.end, cases[i].end);
		}
	}
}

TEST(invalid_regex_is_refused_with_its_place)
{
	static const char *const wrong[] = { "(a", "a)", "[b", "a{2,1}", "\\", "*", "(?<n", "\\C" };
	defer(str_clear) struct str long_one = STR_INIT;
	struct err err;

	for (size_t i = 0; i < countof(wrong); i++) {
		CHECK(!regex_new(sv_cstr(wrong[i]), (struct regex_opts){ false, false }, &err));
		CHECK_ERR(err, ERR_PARSE, "regex parse error: at byte ");
	}
	while (long_one.len <= LIMIT_PATTERN)
		str_addc(&long_one, 'a');
	CHECK(!regex_new(sv_of(&long_one), (struct regex_opts){ false, false }, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "");
}

static bool count_down(void *arg)
{
	int *left = arg;

	return (*left)-- > 0;
}

/* A way through it takes more steps than there are atoms. */
TEST(search_that_takes_too_long_is_stopped)
{
	static const char *const hard[] = { "(a+)+$", "(a|a)*$", "(a*)*b", "(?:a?){40}a{40}$" };
	defer(str_clear) struct str text = STR_INIT;
	struct regex_match m;
	struct err err;

	while (text.len < 64)
		str_addc(&text, 'a');
	str_adds(&text, "cb");
	for (size_t i = 0; i < countof(hard); i++) {
		defer(regex_freep) struct regex *re =
			regex_new(sv_cstr(hard[i]), (struct regex_opts){ false, false }, &err);
		struct regex_budget few = { .steps = 100000 };
		int left = 3;
		struct regex_budget budget = { .steps = SIZE_MAX,
					       .go_on = count_down,
					       .arg = &left };

		CHECK_OK(re != NULL, err);
		CHECK_INT(regex_find(re, sv_of(&text), 0, &few, &m), REGEX_GAVE_UP);
		CHECK_INT(regex_find(re, sv_of(&text), 0, &budget, &m), REGEX_GAVE_UP);
		CHECK_INT(left, -1);
	}
}
