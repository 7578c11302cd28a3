#include "context/plan_mode.h"

#include "test.h"

static const struct plan_mode asked = { .file = SV_INIT("/p/a.md"), .can_present = true };

static bool contains(void (*write)(struct str *, const struct plan_mode *), struct plan_mode mode,
		     const char *part)
{
	defer(str_clear) struct str text = STR_INIT;

	write(&text, &mode);
	return strstr(str_c(&text), part) != NULL;
}

TEST(the_start_of_plan_mode_names_the_plan_file_and_how_to_present_it)
{
	struct plan_mode again = asked, curious = asked;

	again.has_plan = true;
	curious.can_ask = true;
	CHECK(contains(plan_mode_write_start, asked, "/p/a.md"));
	CHECK(contains(plan_mode_write_start, asked, "does not exist yet"));
	CHECK(contains(plan_mode_write_start, asked, "Call ExitPlanMode"));
	CHECK(!contains(plan_mode_write_start, asked, "AskUserQuestion"));
	CHECK(contains(plan_mode_write_start, curious, "AskUserQuestion"));
	CHECK(contains(plan_mode_write_start, again, "earlier plan"));
	CHECK(contains(plan_mode_write_reminder, asked, "/p/a.md"));
	CHECK(contains(plan_mode_write_end, again, "The plan is in /p/a.md"));
}

TEST(without_anybody_to_ask_the_answer_is_the_plan)
{
	struct plan_mode alone = { .file = SV_INIT("") };

	CHECK(contains(plan_mode_write_start, alone, "answer with your plan"));
	CHECK(!contains(plan_mode_write_start, alone, "ExitPlanMode"));
	CHECK(!contains(plan_mode_write_reminder, alone, "ExitPlanMode"));
	CHECK(!contains(plan_mode_write_end, alone, "The plan is in"));
}

TEST(the_hosts_workflow_replaces_ours_but_not_the_rules_of_the_mode)
{
	struct plan_mode own = asked;

	own.workflow = SV("Draw a diagram first.");
	CHECK(contains(plan_mode_write_start, own, "Draw a diagram first."));
	CHECK(contains(plan_mode_write_start, own, "/p/a.md"));
	CHECK(contains(plan_mode_write_start, own, "Change nothing yet"));
	CHECK(!contains(plan_mode_write_start, own, "How to work"));
}
