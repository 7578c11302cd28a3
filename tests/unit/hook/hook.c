/* Whole runs with real commands. */
#include "hook/hook.h"

#include "../store/settings/settings_rig.h"
#include "base/limits.h"
#include "test.h"

struct hook_rig {
	struct rig rig;
	struct loop *loop;
	struct hooks *hooks;
	struct str seen; /* reports: "started H;ended H outcome code;" */
	struct str news, env_file;
	/* The last answer, as text. */
	enum hook_decision decision;
	struct str reason, context, warnings, input;
	bool done, cancelled;
	struct op *op;
};

static void hook_rig_on_report(void *arg, const struct hook_report *report)
{
	static const char *const outcomes[] = { "succeeded", "blocked", "failed", "cancelled" };
	struct hook_rig *r = arg;

	if (report->phase == HOOK_STARTED)
		str_addf(&r->seen, "started %.*s;", SV_ARG(report->name));
	if (report->phase == HOOK_ENDED)
		str_addf(&r->seen, "%s %d;", outcomes[report->outcome], report->code);
}

static void hook_rig_on_news(void *arg, const struct hook_news *news)
{
	struct hook_rig *r = arg;

	str_addf(&r->news, "%s%.*s|%.*s;", news->wakes ? "wakes " : "", SV_ARG(news->context),
		 SV_ARG(news->message));
}

static bool hook_rig_matches(__attribute__((unused)) void *arg, struct sv rule,
			     const struct hook_input *input)
{
	return sv_find(input->tool_input, rule) != SIZE_MAX;
}

static void hook_rig_clear(struct hook_rig *r)
{
	hooks_free(r->hooks);
	loop_free(r->loop);
	str_clear(&r->seen);
	str_clear(&r->news);
	str_clear(&r->env_file);
	str_clear(&r->reason);
	str_clear(&r->context);
	str_clear(&r->warnings);
	str_clear(&r->input);
	rig_clear(&r->rig);
}

static void hook_rig_init(struct hook_rig *r)
{
	*r = (struct hook_rig){ .loop = loop_new() };
	rig_init(&r->rig);
	str_addf(&r->env_file, "%s/new/env", str_c(&r->rig.dir));
	r->hooks = hooks_new(&(struct hooks_opts){
		.env_file = str_c(&r->env_file),
		.loop = r->loop,
		.project_dir = r->rig.project,
		.services = { .arg = r,
			      .report = hook_rig_on_report,
			      .news = hook_rig_on_news,
			      .matches_rule = hook_rig_matches },
	});
}

#define HOOK_RIG(name)                              \
	defer(hook_rig_clear) struct hook_rig name; \
	hook_rig_init(&name)

static void hook_rig_load(struct hook_rig *r, const char *settings)
{
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;

	r->rig.opts.flag = settings;
	settings_free(r->rig.settings);
	r->rig.settings = settings_load(&r->rig.opts, &notes, &err);
	CHECK_OK(r->rig.settings != NULL, err);
	hooks_load(r->hooks, r->rig.settings, NULL, false, &notes);
}

static void hook_rig_on_done(struct op *op, void *owner, const struct err *why)
{
	struct hook_rig *r = owner;
	const struct hook_answer *answer = hook_answer(op);

	r->op = NULL;
	r->done = true;
	r->cancelled = why != NULL;
	if (why)
		return;
	r->decision = answer->decision;
	str_set(&r->reason, answer->reason);
	str_set(&r->input, answer->updated_input);
	str_truncate(&r->context, 0);
	hook_answer_context(answer, &r->context);
	str_truncate(&r->warnings, 0);
	for (size_t i = 0; i < answer->warnings.n; i++)
		str_addf(&r->warnings, "%.*s;", SV_ARG(answer->warnings.at[i].text));
}

static void hook_rig_start(struct hook_rig *r, enum hook_event event)
{
	r->done = false;
	r->op = hook_start(r->hooks,
			   &(struct hook_input){ .event = event,
						 .session_id = SV("s"),
						 .cwd = sv_cstr(r->rig.project),
						 .tool_name = SV("Bash"),
						 .tool_input = SV("{\"command\":\"ls\"}"),
						 .tool_use_id = SV("t1"),
						 .source = SV("startup"),
						 .prompt = SV("hi") },
			   THEN(hook_rig_on_done, r));
}

static void hook_rig_run(struct hook_rig *r, enum hook_event event)
{
	hook_rig_start(r, event);
	loop_run(r->loop);
	CHECK(r->done);
}

#define COMMAND(text)    "{\"type\":\"command\",\"command\":\"" text "\"}"
#define ON(event, hooks) "{\"hooks\":{\"" event "\":[{\"hooks\":[" hooks "]}]}}"

TEST(without_hooks_there_is_an_answer_that_says_nothing)
{
	HOOK_RIG(r);

	CHECK(!hooks_has(r.hooks, HOOK_PRE_TOOL_USE));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_NO_DECISION);
	CHECK_STR(str_c(&r.seen), "");
}

TEST(a_command_gets_the_input_and_can_block)
{
	HOOK_RIG(r);

	hook_rig_load(&r,
		      ON("PreToolUse", COMMAND("grep -q '\\\"tool_name\\\":\\\"Bash\\\"' && { echo "
					       "no ls here >&2; exit 2; }")));
	CHECK(hooks_has(r.hooks, HOOK_PRE_TOOL_USE));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
	CHECK_STR(str_c(&r.reason), "no ls here");
	CHECK_STR(str_c(&r.seen), "started PreToolUse:Bash;blocked 2;");
}

TEST(a_command_answers_in_json)
{
	HOOK_RIG(r);

	hook_rig_load(
		&r,
		ON("PreToolUse",
		   COMMAND("echo '{\\\"hookSpecificOutput\\\":{\\\"permissionDecision\\\":"
			   "\\\"allow\\\",\\\"updatedInput\\\":{\\\"command\\\":\\\"pwd\\\"}}}'")));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_ALLOW);
	CHECK_STR(str_c(&r.input), "{\"command\":\"pwd\"}");
}

TEST(a_command_knows_the_project_and_only_some_events_the_file_for_variables)
{
	static const char start[] =
		COMMAND("echo x >> $CLAUDE_ENV_FILE; echo $CLAUDE_PROJECT_DIR; pwd");
	static const char prompt[] = COMMAND("echo [$CLAUDE_ENV_FILE]");
	defer(str_clear) struct str expected = STR_INIT, settings = STR_INIT;
	HOOK_RIG(r);

	str_addf(&settings,
		 "{\"hooks\":{\"SessionStart\":[{\"hooks\":[%s]}],"
		 "\"UserPromptSubmit\":[{\"hooks\":[%s]}]}}",
		 start, prompt);
	hook_rig_load(&r, str_c(&settings));
	hook_rig_run(&r, HOOK_SESSION_START);
	str_addf(&expected, "SessionStart:startup hook additional context: %s\n%s", r.rig.project,
		 r.rig.project);
	CHECK_STR(str_c(&r.context), str_c(&expected));
	CHECK(fs_exists(str_c(&r.env_file)));
	hook_rig_run(&r, HOOK_USER_PROMPT_SUBMIT);
	CHECK_STR(str_c(&r.context), "UserPromptSubmit hook additional context: []");
}

TEST(a_command_with_arguments_runs_without_a_shell)
{
	defer(str_clear) struct str expected = STR_INIT;
	HOOK_RIG(r);

	hook_rig_load(&r, ON("SessionStart", "{\"type\":\"command\",\"command\":\"echo\",\"args\":"
					     "[\"$HOME\",\"a b\",\"${CLAUDE_PROJECT_DIR}/x\"]}"));
	hook_rig_run(&r, HOOK_SESSION_START);
	str_addf(&expected, "SessionStart:startup hook additional context: $HOME a b %s/x",
		 r.rig.project);
	CHECK_STR(str_c(&r.context), str_c(&expected));
}

TEST(a_guard_whose_program_is_missing_blocks)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse", COMMAND("/nonexistent/guard.sh")));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
	CHECK(sv_find(sv_of(&r.reason), SV("it could not be run")) != SIZE_MAX);
	CHECK_STR(str_c(&r.seen), "started PreToolUse:Bash;blocked 127;");
}

TEST(a_guard_that_is_killed_blocks)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse", COMMAND("kill -9 $$")));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
	CHECK(sv_find(sv_of(&r.reason), SV("it was killed by signal 9")) != SIZE_MAX);
}

TEST(a_guard_that_exceeds_its_time_is_ended_and_blocks)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse",
			     "{\"type\":\"command\",\"command\":\"sleep 600 & sleep 600\","
			     "\"timeout\":0.05}"));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
	CHECK(sv_find(sv_of(&r.reason), SV("it exceeded its time limit of 0.05 s")) != SIZE_MAX);
}

TEST(an_error_is_shown_and_a_closed_stdin_is_harmless)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse", COMMAND("exec <&-; exit 0") "," COMMAND("exit 7")));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_NO_DECISION);
	CHECK_STR(str_c(&r.warnings), "PreToolUse hook (--settings:1): it ended with exit code 7;");
}

TEST(endless_output_is_dropped_as_it_comes)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PostToolUse",
			     COMMAND("head -c 104857600 /dev/zero; echo fine >&2; exit 2")));
	hook_rig_run(&r, HOOK_POST_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
	CHECK_STR(str_c(&r.reason), "fine");
}

TEST(hooks_run_side_by_side_and_answer_in_their_order)
{
	HOOK_RIG(r);

	/* Each waits for the other. */
	hook_rig_load(&r,
		      ON("SessionStart", COMMAND("mkfifo f; echo x > f; echo first") "," COMMAND(
						 "until [ -p f ]; do sleep 0.01; done; cat f "
						 ">/dev/null; echo second")));
	hook_rig_run(&r, HOOK_SESSION_START);
	CHECK_STR(str_c(&r.context), "SessionStart:startup hook additional context: first\n"
				     "SessionStart:startup hook additional context: second");
}

TEST(ten_hooks_of_one_event_all_answer)
{
	defer(str_clear) struct str settings = STR_INIT;
	HOOK_RIG(r);

	str_adds(&settings, "{\"hooks\":{\"SessionStart\":[{\"hooks\":[");
	for (int i = 0; i < 10; i++)
		str_addf(&settings, "%s{\"type\":\"command\",\"command\":\"echo number %d\"}",
			 i ? "," : "", i);
	str_adds(&settings, "]}]}}");
	hook_rig_load(&r, str_c(&settings));
	hook_rig_run(&r, HOOK_SESSION_START);
	for (int i = 0; i < 10; i++) {
		defer(str_clear) struct str line = STR_INIT;

		str_addf(&line, "number %d", i);
		CHECK(sv_find(sv_of(&r.context), sv_of(&line)) != SIZE_MAX);
	}
}

TEST(a_condition_chooses_the_calls)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse",
			     "{\"type\":\"command\",\"command\":\"exit 2\",\"if\":\"git\"}"));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_NO_DECISION);
	CHECK_STR(str_c(&r.seen), "");
	hook_rig_load(&r, ON("PreToolUse",
			     "{\"type\":\"command\",\"command\":\"exit 2\",\"if\":\"ls\"}"));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
}

TEST(a_hook_that_runs_once_does_so_in_a_session)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse",
			     "{\"type\":\"command\",\"command\":\"exit 2\",\"once\":true}"));
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_DENY);
	hook_rig_run(&r, HOOK_PRE_TOOL_USE);
	CHECK_INT(r.decision, HOOK_NO_DECISION);
}

TEST(nobody_waits_for_an_asynchronous_hook)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PostToolUse",
			     "{\"type\":\"command\",\"command\":\"echo broken >&2; exit 2\","
			     "\"asyncRewake\":true}"));
	hook_rig_run(&r, HOOK_POST_TOOL_USE);
	CHECK_INT(r.decision, HOOK_NO_DECISION);
	CHECK_STR(str_c(&r.news), "wakes broken|;");
	CHECK(hooks_are_quiet(r.hooks));
}

TEST(a_hook_can_ask_to_go_on_in_the_background)
{
	HOOK_RIG(r);

	hook_rig_load(&r,
		      ON("PostToolUse",
			 COMMAND("echo '{\\\"async\\\":true,\\\"asyncTimeout\\\":60000}'; read x < "
				 "<(sleep 0.2); echo '{\\\"systemMessage\\\":\\\"done\\\"}'")));
	hook_rig_start(&r, HOOK_POST_TOOL_USE);
	loop_run(r.loop);
	CHECK(r.done);
	CHECK_STR(str_c(&r.news), "|done;");
}

TEST(what_runs_in_the_background_can_be_stopped)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PostToolUse",
			     "{\"type\":\"command\",\"command\":\"sleep 600\",\"async\":true}"));
	hook_rig_start(&r, HOOK_POST_TOOL_USE);
	CHECK(!hooks_are_quiet(r.hooks));
	hooks_stop(r.hooks);
	loop_run(r.loop);
	CHECK(r.done);
	CHECK(hooks_are_quiet(r.hooks));
	CHECK_STR(str_c(&r.news), "");
}

TEST(a_cancelled_run_ends_its_commands)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("PreToolUse", COMMAND("sleep 600") "," COMMAND("sleep 601")));
	hook_rig_start(&r, HOOK_PRE_TOOL_USE);
	op_cancel(r.op);
	loop_run(r.loop);
	CHECK(r.done && r.cancelled);
	CHECK_STR(str_c(&r.seen), "started PreToolUse:Bash;started PreToolUse:Bash;cancelled 0;"
				  "cancelled 0;");
}

TEST(a_run_keeps_its_handlers_when_the_settings_change)
{
	HOOK_RIG(r);

	hook_rig_load(&r, ON("SessionStart", COMMAND("echo old")));
	hook_rig_start(&r, HOOK_SESSION_START);
	hook_rig_load(&r, "{}");
	loop_run(r.loop);
	CHECK_STR(str_c(&r.context), "SessionStart:startup hook additional context: old");
	hook_rig_run(&r, HOOK_SESSION_START);
	CHECK_STR(str_c(&r.context), "");
}
