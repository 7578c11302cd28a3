#include "core/agent/repeats.h"

#include "test.h"

/* Each letter is a step of one call: lower case with one result, upper case with
 * another. Returns where the repetition was noticed. */
static void check_noticed(const char *steps, const char *expected)
{
	struct repeats r = { .n = 0 };

	for (size_t i = 0; steps[i]; i++) {
		char low = (char)(steps[i] | 0x20);

		repeats_add(&r, SV("Read"), sv_from(&low, 1),
			    steps[i] == low ? SV("one") : SV("two"));
		CHECK_INT(repeats_step(&r), expected[i] == '!');
	}
}

TEST(the_third_like_step_in_a_row_is_noticed_then_the_sixth_and_the_twelfth)
{
	check_noticed("aaa", "..!");
	check_noticed("aaaaaaaaaaaaa", "..!..!.....!.");
	check_noticed("aabaab", "......");
	check_noticed("abab", "....");
	check_noticed("baaabbb", "...!..!");
}

TEST(another_result_of_the_same_call_is_no_repetition)
{
	check_noticed("aaAaA", ".....");
	check_noticed("aAAA", "...!");
}

static bool step(struct repeats *r, struct sv a, struct sv b, struct sv c)
{
	repeats_add(r, a, b, c);
	return repeats_step(r);
}

TEST(what_is_the_name_and_what_the_input_makes_a_difference)
{
	struct repeats r = { .n = 0 };

	CHECK(!step(&r, SV("ab"), SV("c"), SV("d")));
	CHECK(!step(&r, SV("a"), SV("bc"), SV("d")));
	CHECK(!step(&r, SV("ab"), SV(""), SV("cd")));
	CHECK(!step(&r, SV("abcd"), SV(""), SV("")));
	CHECK_INT(r.n, 1);
}

TEST(a_step_of_several_calls_is_like_another_only_in_all_of_them)
{
	struct repeats r = { .n = 0 };

	for (int i = 0; i < 3; i++) {
		repeats_add(&r, SV("Read"), SV("a"), SV("x"));
		repeats_add(&r, SV("Read"), SV("b"), SV("y"));
		CHECK_INT(repeats_step(&r), i == 2);
	}
	repeats_add(&r, SV("Read"), SV("b"), SV("y"));
	repeats_add(&r, SV("Read"), SV("a"), SV("x"));
	CHECK(!repeats_step(&r));
	CHECK_INT(r.n, 1);
}
