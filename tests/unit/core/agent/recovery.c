#include "core/agent/recovery.h"

#include "test.h"

static void check_failures(enum model_failure failure, enum recovery_step first,
			   enum recovery_step second, enum recovery_step third)
{
	struct recovery r = { .nudges = 0 };

	CHECK_INT(recovery_after_failure(&r, failure), first);
	CHECK_INT(recovery_after_failure(&r, failure), second);
	CHECK_INT(recovery_after_failure(&r, failure), third);
	CHECK_INT(recovery_after_failure(&r, failure), RECOVER_NOT);
}

TEST(each_remedy_for_a_failure_is_tried_once)
{
	for (int f = 0; f < MODEL_FAILURES; f++) {
		enum model_failure failure = (enum model_failure)f;

		if (failure == MODEL_FAILED_PROMPT_TOO_LONG || failure == MODEL_FAILED_OUTPUT_LIMIT)
			check_failures(failure, RECOVER_DRAIN, RECOVER_COMPACT, RECOVER_NOT);
		else if (failure == MODEL_FAILED_MEDIA)
			check_failures(failure, RECOVER_COMPACT, RECOVER_NOT, RECOVER_NOT);
		else
			check_failures(failure, RECOVER_NOT, RECOVER_NOT, RECOVER_NOT);
	}
}

TEST(a_remedy_tried_for_one_failure_is_not_tried_for_another)
{
	struct recovery r = { .nudges = 0 };

	CHECK_INT(recovery_after_failure(&r, MODEL_FAILED_MEDIA), RECOVER_COMPACT);
	CHECK_INT(recovery_after_failure(&r, MODEL_FAILED_AUTH), RECOVER_NOT);
	CHECK_INT(recovery_after_failure(&r, MODEL_FAILED_PROMPT_TOO_LONG), RECOVER_DRAIN);
	CHECK_INT(recovery_after_failure(&r, MODEL_FAILED_OUTPUT_LIMIT), RECOVER_NOT);
}

/* What is done each time an answer is cut off, five times in a row: e(scalate),
 * c(ontinue), or the end. */
static void check_cuts(int64_t max, int64_t usual, bool has_calls, int64_t asked,
		       const char *expected)
{
	struct model_info info = { .max_output = max, .default_output = usual };
	struct recovery r = { .nudges = 0 };
	char steps[6] = "";

	for (int i = 0; i < 5; i++) {
		enum recovery_step step = recovery_after_cut(&r, &info, has_calls);

		steps[i] = step == RECOVER_ESCALATE ? 'e' : step == RECOVER_CONTINUE ? 'c' : '.';
	}
	CHECK_STR(steps, expected);
	CHECK_INT(r.max_tokens, asked);
}

TEST(an_answer_that_is_cut_off_gets_more_room_once_then_goes_on_three_times)
{
	check_cuts(128000, 32000, false, 64000, "eccc.");
	check_cuts(64000, 32000, false, 64000, "eccc.");
	check_cuts(40000, 32000, false, 40000, "eccc.");
	check_cuts(64001, 63999, false, 64000, "eccc.");
	/* as much room as there is was given already */
	check_cuts(32000, 32000, false, 0, "ccc..");
	check_cuts(128000, 64000, false, 0, "ccc..");
	check_cuts(128000, 100000, false, 0, "ccc..");
	check_cuts(4096, 8192, false, 0, "ccc..");
	/* asking again would run the calls twice */
	check_cuts(128000, 32000, true, 0, "ccc..");
}

TEST(room_given_for_calls_that_came_later_is_kept)
{
	struct model_info info = { .max_output = 128000, .default_output = 32000 };
	struct recovery r = { .nudges = 0 };

	CHECK_INT(recovery_after_cut(&r, &info, false), RECOVER_ESCALATE);
	CHECK_INT(recovery_after_cut(&r, &info, true), RECOVER_CONTINUE);
	CHECK_INT(recovery_after_cut(&r, &info, false), RECOVER_CONTINUE);
	CHECK_INT(r.max_tokens, 64000);
}

/* Told to go on (+) or not (-) after each of these sums. */
static void check_nudges(int64_t budget, const int64_t *spent, const char *expected)
{
	struct recovery r = { .nudges = 0 };

	for (size_t i = 0; expected[i]; i++)
		CHECK_INT(recovery_nudge(&r, spent[i], budget), expected[i] == '+');
}

#define SPENT(...) ((const int64_t[]){ __VA_ARGS__ })

TEST(a_model_is_told_to_go_on_until_nine_tenths_of_the_budget_are_used)
{
	check_nudges(100000, SPENT(10000, 50000, 89999, 90000, 100000, 200000), "+++---");
	check_nudges(1000, SPENT(0, 899), "++");
	check_nudges(1000, SPENT(900), "-");
}

TEST(without_a_budget_nobody_is_told_to_go_on)
{
	check_nudges(0, SPENT(0, 5), "--");
	check_nudges(-1, SPENT(0, 5), "--");
	check_nudges(INT64_MIN, SPENT(0, 5), "--");
	check_nudges(INT64_MAX, SPENT(0, 5000), "++");
}

TEST(a_model_that_hardly_does_anything_is_let_go_after_three_times)
{
	check_nudges(100000, SPENT(10, 20, 30, 40), "+++-");
	check_nudges(100000, SPENT(499, 998, 1497, 1996), "+++-");
	/* one good step, and it may try again */
	check_nudges(100000, SPENT(10, 20, 3000, 3010, 3020), "++++-");
	check_nudges(100000, SPENT(10, 510, 1010, 1510, 2010, 2510), "++++++");
}
