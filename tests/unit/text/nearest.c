#include "text/nearest.h"

#include "test.h"

TEST(distance_counts_each_typo_once)
{
	static const struct {
		const char *a, *b;
		size_t expected;
	} cases[] = {
		{ "", "", 0 },
		{ "", "abc", 3 },
		{ "abc", "", 3 },
		{ "version", "version", 0 },
		{ "Version", "vERSION", 0 },
		{ "verison", "version", 1 },
		{ "vrsion", "version", 1 },
		{ "versiom", "version", 1 },
		{ "versions", "version", 1 },
		{ "kitten", "sitting", 3 },
		{ "abcdef", "badcfe", 3 },
	};

	for (size_t i = 0; i < countof(cases); i++)
		CHECK_INT(nearest_distance(sv_cstr(cases[i].a), sv_cstr(cases[i].b)),
			  cases[i].expected);
}

static struct sv best_of(const char *typed, const char *const *known)
{
	struct nearest best = NEAREST_INIT;

	for (; *known; known++)
		nearest_offer(&best, sv_cstr(typed), sv_cstr(*known));
	return best.word;
}

TEST(only_close_words_are_suggested)
{
	static const char *const known[] = { "help", "version", "verbose", "man", NULL };

	CHECK_SV(best_of("verison", known), "version");
	CHECK_SV(best_of("verbos", known), "verbose");
	CHECK_SV(best_of("hlep", known), "help");
	CHECK_SV(best_of("frobnicate", known), "");
	CHECK_SV(best_of("x", known), "");
	CHECK_SV(best_of("", known), "");
}

TEST(overlong_word_matches_nothing)
{
	char longer[200];

	memset(longer, 'a', sizeof(longer));
	CHECK(nearest_distance(sv_from(longer, sizeof(longer)), SV("a")) == SIZE_MAX);
	CHECK(nearest_distance(SV("a"), sv_from(longer, sizeof(longer))) == SIZE_MAX);
}
