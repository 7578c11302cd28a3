#include "extend/skill_listing.h"

#include "test.h"

static const struct skill_entry three[] = {
	{ .name = SV_INIT("commit"),
	  .description = SV_INIT("Write a commit"),
	  .when_to_use = SV_INIT("the user wants to commit") },
	{ .name = SV_INIT("pdf"),
	  .description = SV_INIT("Read and fill in forms of PDF files, page by page") },
	{ .name = SV_INIT("quiet"), .description = SV_INIT("unseen"), .is_name_only = true },
};

static void check_listing(struct skill_budget budget, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	skill_listing_write(&out, three, countof(three), budget);
	CHECK_STR(str_c(&out), expected);
}

TEST(a_list_of_skills_says_what_each_is_for_and_when_to_use_it)
{
	check_listing((struct skill_budget){ .bytes = 8000, .description = 1536 },
		      "- commit: Write a commit - the user wants to commit\n"
		      "- pdf: Read and fill in forms of PDF files, page by page\n"
		      "- quiet\n");
}

TEST(descriptions_of_skills_are_cut_to_their_limit)
{
	check_listing((struct skill_budget){ .bytes = 8000, .description = 30 },
		      "- commit: Write a commit - the user want...\n"
		      "- pdf: Read and fill in forms of PDF...\n"
		      "- quiet\n");
}

TEST(a_list_of_skills_that_is_too_long_shares_its_budget)
{
	defer(str_clear) struct str out = STR_INIT;

	skill_listing_write(&out, three, countof(three),
			    (struct skill_budget){ .bytes = 90, .description = 1536 });
	CHECK(out.len <= 90);
	CHECK(sv_find(sv_of(&out), SV("- commit: Write a commit")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("- pdf: Read and fill")) != SIZE_MAX);
}

TEST(a_budget_too_small_for_descriptions_leaves_the_names_of_skills)
{
	check_listing((struct skill_budget){ .bytes = 10, .description = 1536 },
		      "- commit\n- pdf\n- quiet\n");
}
