#include "context/summary.h"

#include "unit/test.h"

static void check_read(const char *answer, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK(summary_read(&out, sv_cstr(answer)));
	CHECK_STR(str_c(&out), expected);
}

TEST(the_summary_is_what_stands_between_its_tags)
{
	check_read("<analysis>a</analysis>\n<summary>\nb\n</summary>\nc", "b");
	check_read("<summary>b", "b"); /* cut off at the output limit */
}

TEST(without_tags_everything_but_the_analysis_counts)
{
	check_read(" b ", "b");
	check_read("<analysis>a</analysis> b", "b");
	check_read("b <analysis>a", "b");
}

TEST(an_answer_without_a_summary_is_not_one)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK(!summary_read(&out, SV("")));
	CHECK(!summary_read(&out, SV("<summary> </summary>")));
	CHECK(!summary_read(&out, SV("<analysis>only this</analysis>")));
	CHECK_INT(out.len, 0);
}

TEST(the_request_names_what_to_keep)
{
	defer(str_clear) struct str plain = STR_INIT, focused = STR_INIT;

	summary_request(&plain, SV_EMPTY);
	summary_request(&focused, SV("the tests"));
	CHECK(sv_find(sv_of(&plain), SV("above all")) == SIZE_MAX);
	CHECK(sv_ends(sv_of(&focused), SV("Keep this above all: the tests")));
}

TEST(the_message_has_a_part_for_each_fact_and_none_for_what_is_missing)
{
	defer(str_clear) struct str all = STR_INIT, least = STR_INIT;

	summary_write(&all, &(struct summary_facts){ .summary = SV("S"),
						     .todos = SV("T"),
						     .files = SV("F"),
						     .plan = SV("P"),
						     .transcript = SV("/t.jsonl"),
						     .is_automatic = true });
	summary_write(&least, &(struct summary_facts){ .summary = SV("S") });
	CHECK(sv_find(sv_of(&all), SV("Summary:\nS\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&all), SV("not done yet:\nT\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&all), SV("The plan:\nP\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&all), SV("read or changed:\nF\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&all), SV("/t.jsonl")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&all), SV("Go on with the work")) != SIZE_MAX);
	CHECK(sv_ends(sv_of(&least), SV("Summary:\nS")));
}

TEST(the_files_of_an_earlier_message_are_found_behind_the_last_heading)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv files = SV("untouched");

	CHECK(!summary_find_files(SV("x\n\nFiles that were read or changed:\n/a\n"), &files));
	summary_write(&text, &(struct summary_facts){ .summary = SV("S") });
	CHECK(!summary_find_files(sv_of(&text), &files));
	CHECK_SV(files, "untouched");
	str_truncate(&text, 0);
	summary_write(&text, &(struct summary_facts){
				     .summary = SV("A\n\nFiles that were read or changed:\n/fake"),
				     .files = SV("/a\n/b" SUMMARY_CHANGED),
				     .transcript = SV("/t.jsonl") });
	CHECK(summary_find_files(sv_of(&text), &files));
	CHECK(sv_starts(files, SV("/a\n/b (changed)\n\n")));
}
