/* How often the command of a call is analysed, from its schedule to its sandbox. */
#include "core/host.h"

#include "perm/command/command_analysis.h"

#define RUNS(command)                                          \
	"reply when result_of contains Bash\n text \"done\"\n" \
	"reply\n tool Bash {\"command\":\"" command "\"}\n"

static void open_asking(struct host *h)
{
	struct awl_session_options options = host_options(h);

	options.tools = "default";
	options.send_questions = true;
	host_open(h, &options);
}

TEST(a_command_that_needs_no_question_is_analysed_once)
{
	HOST(h, RUNS("echo a | head -n 1; ls"));
	size_t before;

	open_asking(&h);
	before = command_analysis_count();
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "done");
	CHECK_INT(command_analysis_count() - before, 1);
}

/* The decision, the rules that are offered and their trials share one analysis. While the user
 * thinks files may change, so the answer is checked against a new one. */
TEST(a_command_that_is_asked_about_is_analysed_before_and_after_the_answer)
{
	HOST(h, RUNS("touch a && touch b > /dev/null"));
	size_t before;

	open_asking(&h);
	before = command_analysis_count();
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, h.question.len);
	CHECK_INT(command_analysis_count() - before, 1);
	HOST_CALL(&h, awl_answer(h.session, str_c(&h.question), true, NULL));
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "done");
	CHECK_INT(command_analysis_count() - before, 2);
}

/* The order of the second call takes an analysis. It has to wait for the first, so it is decided
 * by a new one. */
TEST(a_command_that_has_to_wait_is_analysed_again)
{
	HOST(h, "reply when result_of contains Bash\n text \"done\"\n"
		"reply\n tool Bash {\"command\":\"sleep 0.1\"}\n"
		" tool Bash {\"command\":\"cd .\"}\n");
	size_t before;

	open_asking(&h);
	before = command_analysis_count();
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "done");
	CHECK_INT(command_analysis_count() - before, 3);
}
