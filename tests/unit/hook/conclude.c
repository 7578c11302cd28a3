#include "hook/conclude.h"

#include "base/limits.h"
#include "test.h"

struct ended {
	struct hook_handler handler;
	struct hook_result result;
	struct hook_answer answer;
	struct str problem;
	enum hook_outcome outcome;
};

static void ended_clear(struct ended *e)
{
	hook_answer_clear(&e->answer);
	str_clear(&e->problem);
}

static void ended_init(struct ended *e, enum hook_event event, int code, const char *out,
		       const char *err)
{
	*e = (struct ended){ .handler = { .event = event, .file = "s.json", .line = 3 },
			     .result = { .name = SV("H"),
					 .has_code = true,
					 .code = code,
					 .out = sv_cstr(out),
					 .err = sv_cstr(err) } };
}

static void ended_conclude(struct ended *e)
{
	e->result.handler = &e->handler;
	e->outcome = hook_conclude(&e->answer, &e->result, &e->problem);
}

#define ENDED(name, event, code, out, err)    \
	defer(ended_clear) struct ended name; \
	ended_init(&name, HOOK_##event, code, out, err)

TEST(plain_output_is_context_for_the_events_that_say_so)
{
	ENDED(start, SESSION_START, 0, " hello \n", "");
	ENDED(pre, PRE_TOOL_USE, 0, "hello", "");

	ended_conclude(&start);
	ended_conclude(&pre);
	CHECK_INT(start.outcome, HOOK_SUCCEEDED);
	CHECK_SV(start.answer.context.at[0].text, "hello");
	CHECK_INT(pre.outcome, HOOK_SUCCEEDED);
	CHECK_INT(pre.answer.context.n, 0);
}

TEST(exit_code_2_blocks_with_stderr_as_the_reason)
{
	ENDED(e, PRE_TOOL_USE, 2, "{\"decision\":\"approve\"}", " not here \n");
	ENDED(silent, STOP, 2, "", "");
	ENDED(printed, STOP, 2, "run the tests", "");

	ended_conclude(&e);
	ended_conclude(&silent);
	ended_conclude(&printed);
	CHECK_INT(e.outcome, HOOK_BLOCKED);
	CHECK_INT(e.answer.decision, HOOK_DENY);
	CHECK_SV(e.answer.reason, "not here");
	CHECK_SV(silent.answer.reason, "It gave no reason.");
	CHECK_SV(printed.answer.reason, "run the tests");
}

TEST(exit_code_2_is_shown_where_nothing_can_be_blocked)
{
	ENDED(e, SESSION_START, 2, "", "broken");

	ended_conclude(&e);
	CHECK_INT(e.outcome, HOOK_FAILED);
	CHECK_INT(e.answer.decision, HOOK_NO_DECISION);
	CHECK_SV(e.answer.warnings.at[0].text, "SessionStart hook (s.json:3): broken");
}

TEST(other_exit_codes_are_shown_and_block_nothing)
{
	ENDED(e, PRE_TOOL_USE, 1, "", "Traceback\n");

	ended_conclude(&e);
	CHECK_INT(e.outcome, HOOK_FAILED);
	CHECK_INT(e.answer.decision, HOOK_NO_DECISION);
	CHECK_SV(e.answer.warnings.at[0].text,
		 "PreToolUse hook (s.json:3): it ended with exit code 1: Traceback");
}

TEST(valid_json_counts_with_any_exit_code_but_2)
{
	ENDED(e, PRE_TOOL_USE, 1, "{\"decision\":\"block\",\"reason\":\"r\"}", "");
	ENDED(invalid, PRE_TOOL_USE, 1, "{oops", "");

	ended_conclude(&e);
	ended_conclude(&invalid);
	CHECK_INT(e.outcome, HOOK_BLOCKED);
	CHECK_SV(e.answer.reason, "r");
	CHECK_INT(invalid.outcome, HOOK_FAILED);
}

TEST(a_guard_that_cannot_be_run_blocks_unless_it_is_optional)
{
	ENDED(missing, PRE_TOOL_USE, 127, "", "bash: guard.sh: not found");
	ENDED(optional, PRE_TOOL_USE, 127, "", "");
	ENDED(stop, STOP, 127, "", "");

	optional.handler.on_failure = HOOK_ON_FAILURE_CONTINUE;
	ended_conclude(&missing);
	ended_conclude(&optional);
	ended_conclude(&stop);
	CHECK_INT(missing.outcome, HOOK_BLOCKED);
	CHECK_SV(missing.answer.reason,
		 "The PreToolUse hook (s.json:3) did not check this: it could not be run: bash: "
		 "guard.sh: not found. It is blocked, because the hook may have forbidden it; "
		 "\"onFailure\": \"continue\" makes the hook optional.");
	CHECK_STR(str_c(&missing.problem), "it could not be run: bash: guard.sh: not found");
	CHECK_INT(optional.outcome, HOOK_FAILED);
	CHECK_INT(stop.outcome, HOOK_FAILED);
	CHECK_INT(stop.answer.decision, HOOK_NO_DECISION);
}

TEST(a_guard_blocks_when_its_answer_cannot_be_read_or_is_too_long)
{
	ENDED(e, PRE_TOOL_USE, 0, "{\"decision\":\"block\",\"reason\":\"a \"b\" c\"}", "");
	ENDED(cut, PERMISSION_REQUEST, 0, "{\"a\":1}", "");
	ENDED(post, POST_TOOL_USE, 0, "{\"decision\":", "");

	cut.result.is_cut = true;
	ended_conclude(&e);
	ended_conclude(&cut);
	ended_conclude(&post);
	CHECK_INT(e.answer.decision, HOOK_DENY);
	CHECK(sv_find(e.answer.reason, SV("its output cannot be read: line 1")) != SIZE_MAX);
	CHECK_INT(cut.answer.decision, HOOK_DENY);
	CHECK(sv_find(cut.answer.reason, SV("its output exceeds 8 MiB")) != SIZE_MAX);
	CHECK_INT(post.outcome, HOOK_FAILED);
	CHECK_INT(post.answer.warnings.n, 1);
}

TEST(an_obligatory_hook_blocks_at_any_failure)
{
	ENDED(e, USER_PROMPT_SUBMIT, 1, "", "");
	ENDED(harmless, SESSION_END, 1, "", "");

	e.handler.on_failure = harmless.handler.on_failure = HOOK_ON_FAILURE_BLOCK;
	ended_conclude(&e);
	ended_conclude(&harmless);
	CHECK_INT(e.answer.decision, HOOK_DENY);
	CHECK_INT(harmless.answer.decision, HOOK_NO_DECISION);
}

TEST(a_failed_callback_blocks_only_if_it_is_obligatory_or_too_slow)
{
	struct err thrown = ERR_INIT, late = ERR_INIT;
	ENDED(e, PRE_TOOL_USE, 0, "", "");
	ENDED(obligatory, PRE_TOOL_USE, 0, "", "");
	ENDED(slow, PRE_TOOL_USE, 0, "", "");

	err_set(&thrown, ERR_IO, "it threw");
	err_set(&late, ERR_TIMEOUT, "too late");
	e.handler.type = obligatory.handler.type = slow.handler.type = HOOK_CALLBACK;
	e.result.failure = obligatory.result.failure = &thrown;
	slow.result.failure = &late;
	obligatory.handler.on_failure = HOOK_ON_FAILURE_BLOCK;
	ended_conclude(&e);
	ended_conclude(&obligatory);
	ended_conclude(&slow);
	CHECK_INT(e.answer.decision, HOOK_NO_DECISION);
	CHECK_INT(e.answer.host_failures.n, 1);
	CHECK_INT(e.answer.warnings.n, 0);
	CHECK_INT(obligatory.answer.decision, HOOK_DENY);
	CHECK_INT(slow.answer.decision, HOOK_DENY);
}

TEST(the_strictest_decision_wins_and_equal_ones_share_their_reasons)
{
	defer(hook_answer_clear) struct hook_answer all = { .stops = false };
	static const struct {
		enum hook_decision decision;
		const char *reason;
	} answers[] = {
		{ HOOK_ALLOW, "fine" }, { HOOK_DENY, "no" },        { HOOK_ASK, "ask" },
		{ HOOK_DENY, "never" }, { HOOK_DENY, "no\nnever" }, { HOOK_DEFER, "later" }
	};

	for (size_t i = 0; i < countof(answers); i++) {
		defer(hook_answer_clear) struct hook_answer one = { .stops = false };

		hook_answer_decide(&one, answers[i].decision, sv_cstr(answers[i].reason));
		hook_answer_merge(&all, &one);
	}
	CHECK_INT(all.decision, HOOK_DENY);
	CHECK_SV(all.reason, "no\nnever");
}

TEST(merged_answers_keep_all_texts_and_the_last_of_single_values)
{
	defer(hook_answer_clear) struct hook_answer all = { .stops = false },
						    one = { .updated_input = SV("{\"a\":1}"),
							    .session_title = SV("one") },
						    two = { .updated_input = SV("{\"a\":2}"),
							    .stops = true,
							    .stop_reason = SV("why") };
	defer(str_clear) struct str context = STR_INIT;

	hook_answer_add(&one, &one.context, SV("H1"), SV("c1"));
	hook_answer_add(&two, &two.context, SV("H2"), SV("c2"));
	hook_answer_merge(&all, &one);
	hook_answer_merge(&all, &two);
	hook_answer_context(&all, &context);
	CHECK_SV(all.updated_input, "{\"a\":2}");
	CHECK_SV(all.session_title, "one");
	CHECK(all.stops);
	CHECK_SV(all.stop_reason, "why");
	CHECK_STR(str_c(&context), "H1 hook additional context: c1\n"
				   "H2 hook additional context: c2");
}
