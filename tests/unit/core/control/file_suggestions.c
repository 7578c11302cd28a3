#include "core/control/file_suggestions.h"

#include "test.h"

static int score(const char *path, const char *query)
{
	return file_suggestion_score(sv_cstr(path), sv_cstr(query));
}

TEST(a_name_counts_before_directories_and_a_beginning_before_a_middle)
{
	static const char *const best_first[] = { "main.c", "sub/main.c", "domain.h", "remains/x.c",
						  "m/a/i/n" };

	for (size_t i = 0; i + 1 < countof(best_first); i++)
		CHECK(score(best_first[i], "main") < score(best_first[i + 1], "main"));
}

TEST(case_does_not_matter_and_letters_may_have_gaps)
{
	CHECK(score("README", "rdm") >= 0);
	CHECK_INT(score("a.c", "A.C"), score("a.c", "a.c"));
	CHECK_INT(score("README", "rx"), -1);
	CHECK_INT(score("", "x"), -1);
}

TEST(the_name_of_a_directory_counts_without_its_slash)
{
	CHECK(score("lib/src/", "src") < score("lib/xsrc", "src"));
}

TEST(everything_matches_nothing_typed)
{
	CHECK(score("a", "") >= 0 && score("", "") >= 0);
}
