/* Hooks in virtual time: deadlines, background work, and every way to fail. */
#include "hook/hook.h"

#include "machine/sim.h"
#include "store/settings/settings.h"
#include "sys/timer.h"
#include "test.h"

struct world {
	struct sim *sim;
	struct settings *settings;
	struct hooks *hooks;
	struct op *op;
	int dones, ended, asked;
	bool cancelled;
	enum hook_decision decision;
	struct str reason, news;
	int64_t host_ms; /* the host takes this long */
	const char *host_reply;
};

static void world_on_report(void *arg, const struct hook_report *report)
{
	struct world *w = arg;

	w->ended += report->phase == HOOK_ENDED;
}

static void world_on_news(void *arg, const struct hook_news *news)
{
	struct world *w = arg;

	str_addf(&w->news, "%s%.*s;", news->wakes ? "wakes " : "", SV_ARG(news->context));
}

/* A host that takes its time. */
static struct op *world_ask(void *arg, __attribute__((unused)) const struct hook_question *question,
			    struct str *out, struct then then)
{
	struct world *w = arg;

	w->asked++;
	str_adds(out, w->host_reply);
	return timer_start(sim_loop(w->sim), w->host_ms, then);
}

static struct op *world_ask_model(void *arg, __attribute__((unused)) struct sv model,
				  __attribute__((unused)) struct sv system, struct sv text,
				  struct str *out, struct then then)
{
	CHECK(sv_find(text, SV("\"hook_event_name\"")) != SIZE_MAX);
	return world_ask(arg, NULL, out, then);
}

static void world_clear(struct world *w)
{
	hooks_free(w->hooks);
	settings_free(w->settings);
	str_clear(&w->reason);
	str_clear(&w->news);
	sim_free(w->sim);
}

static void world_init(struct world *w, const char *flag, const char *host)
{
	defer(str_clear) struct str notes = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	*w = (struct world){ .sim = sim_new(), .host_reply = "{}" };
	w->settings = settings_load(&(struct settings_opts){ .flag = flag, .policy_dir = "/p" },
				    &notes, &err);
	CHECK_OK(w->settings != NULL, err);
	doc = host ? json_parse(sv_cstr(host), 0, &err) : NULL;
	w->hooks = hooks_new(&(struct hooks_opts){ .loop = sim_loop(w->sim),
						   .project_dir = "/work",
						   .services = { .arg = w,
								 .report = world_on_report,
								 .news = world_on_news,
								 .ask_host = world_ask,
								 .ask_model = world_ask_model } });
	hooks_load(w->hooks, w->settings, &(struct hook_others){ .host = json_root(doc) }, false,
		   &notes);
}

#define WORLD(name, flag, host)               \
	defer(world_clear) struct world name; \
	world_init(&name, flag, host)

static void world_on_done(struct op *op, void *owner, const struct err *why)
{
	struct world *w = owner;

	w->op = NULL;
	w->dones++;
	w->cancelled = why != NULL;
	if (why)
		return;
	w->decision = hook_answer(op)->decision;
	str_set(&w->reason, hook_answer(op)->reason);
}

static void world_start(struct world *w, enum hook_event event)
{
	w->op = hook_start(w->hooks,
			   &(struct hook_input){ .event = event,
						 .tool_name = SV("Bash"),
						 .tool_input = SV("{}") },
			   THEN(world_on_done, w));
}

#define COMMAND(text, more) "{\"type\":\"command\",\"command\":\"" text "\"" more "}"
#define ON(event, hooks)    "{\"hooks\":{\"" event "\":[{\"hooks\":[" hooks "]}]}}"

static void world_program(struct world *w, const char *words, struct sim_child_step step,
			  struct sim_child_step then)
{
	sim_child(w->sim, words, (struct sim_child_step[]){ step, then }, 2, 0);
}

TEST(a_command_is_ended_at_its_time_limit_and_killed_if_it_resists)
{
	WORLD(w, ON("PreToolUse", COMMAND("guard", ",\"timeout\":5")), NULL);

	world_program(&w, "bash -c guard", (struct sim_child_step){ SIM_CHILD_IGNORE_TERM },
		      (struct sim_child_step){ SIM_CHILD_HANG });
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(sim_elapsed(w.sim), 6000);
	CHECK_INT(w.decision, HOOK_DENY);
	CHECK(sv_find(sv_of(&w.reason), SV("time limit of 5 s")) != SIZE_MAX);
}

TEST(the_default_time_limit_is_ten_minutes)
{
	WORLD(w, ON("PostToolUse", COMMAND("slow", "")), NULL);

	world_program(&w, "bash -c slow", (struct sim_child_step){ SIM_CHILD_HANG },
		      (struct sim_child_step){ SIM_CHILD_EXIT });
	world_start(&w, HOOK_POST_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(sim_elapsed(w.sim), 600000);
	CHECK_INT(w.decision, HOOK_NO_DECISION);
}

TEST(sh_runs_the_command_where_there_is_no_bash)
{
	WORLD(w, ON("PreToolUse", COMMAND("guard", "")), NULL);

	world_program(&w, "sh -c guard", (struct sim_child_step){ SIM_CHILD_ERR, 0, SV("by sh") },
		      (struct sim_child_step){ SIM_CHILD_EXIT, 2 });
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_STR(str_c(&w.reason), "by sh");
}

TEST(a_slow_host_is_not_waited_for_and_a_guard_of_it_blocks)
{
	WORLD(w, "{}", "{\"PreToolUse\":[{\"hookCallbackIds\":[\"h\"],\"timeout\":2}]}");

	w.host_ms = 3000;
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(sim_elapsed(w.sim), 2000);
	CHECK_INT(w.decision, HOOK_DENY);
}

TEST(a_host_answers_with_the_same_json_as_a_command)
{
	WORLD(w, "{}", "{\"PreToolUse\":[{\"hookCallbackIds\":[\"a\",\"a\"]}]}");

	w.host_reply = "{\"decision\":\"block\",\"reason\":\"by host\"}";
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.asked, 2);
	CHECK_STR(str_c(&w.reason), "by host");
}

TEST(a_model_judges_a_prompt_hook)
{
	WORLD(w, ON("Stop", "{\"type\":\"prompt\",\"prompt\":\"Do all tests pass? $ARGUMENTS\"}"),
	      NULL);

	w.host_reply = "{\"ok\":false,\"reason\":\"two fail\"}";
	world_start(&w, HOOK_STOP);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.decision, HOOK_DENY);
	CHECK_STR(str_c(&w.reason), "two fail");
	w.host_reply = "{\"ok\":false,\"reason\":\"no tests\",\"impossible\":true}";
	world_start(&w, HOOK_STOP);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.decision, HOOK_NO_DECISION);
	w.host_reply = "Sure!";
	world_start(&w, HOOK_STOP);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.decision, HOOK_NO_DECISION);
}

TEST(a_prompt_hook_that_cannot_be_judged_blocks_a_call)
{
	WORLD(w, ON("PreToolUse", "{\"type\":\"prompt\",\"prompt\":\"Is it safe?\"}"), NULL);

	w.host_reply = "I would say yes.";
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.decision, HOOK_DENY);
	w.host_reply = "{\"ok\":false,\"reason\":\"no\",\"impossible\":true}";
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.decision, HOOK_DENY);
	CHECK_STR(str_c(&w.reason), "no");
}

#define MIXED                                                                                 \
	"{\"hooks\":{\"PreToolUse\":[{\"hooks\":[" COMMAND("deny", "") "," COMMAND(           \
		"slow", "") "," COMMAND("later", ",\"asyncRewake\":true") "," COMMAND("away", \
										      "") "]}]}}"

static void world_programs(struct world *w)
{
	world_program(w, "bash -c deny", (struct sim_child_step){ SIM_CHILD_ERR, 0, SV("no") },
		      (struct sim_child_step){ SIM_CHILD_EXIT, 2 });
	world_program(w, "bash -c slow", (struct sim_child_step){ SIM_CHILD_WAIT, 300 },
		      (struct sim_child_step){ SIM_CHILD_OUT, 0, SV("{\"continue\":true}") });
	world_program(w, "bash -c later", (struct sim_child_step){ SIM_CHILD_WAIT, 5000 },
		      (struct sim_child_step){ SIM_CHILD_EXIT, 2 });
	world_program(w, "bash -c away",
		      (struct sim_child_step){ SIM_CHILD_OUT, 0, SV("{\"async\":true}\n") },
		      (struct sim_child_step){ SIM_CHILD_WAIT, 1000 });
}

TEST(the_answer_waits_for_the_handlers_in_the_foreground_only)
{
	WORLD(w, MIXED, NULL);

	world_programs(&w);
	world_start(&w, HOOK_PRE_TOOL_USE);
	sim_advance(w.sim, 299);
	CHECK_INT(w.dones, 0);
	sim_advance(w.sim, 1);
	CHECK_INT(w.dones, 1);
	CHECK_INT(w.decision, HOOK_DENY);
	CHECK(!hooks_are_quiet(w.hooks));
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_INT(w.ended, 4);
	CHECK_STR(str_c(&w.news), "wakes It gave no reason.;");
	CHECK(hooks_are_quiet(w.hooks));
}

/* Each sweep has the same two questions: does everything end, exactly once? */
TEST(hooks_can_be_cancelled_after_every_step)
{
	bool natural = false;

	for (size_t k = 0; !natural; k++) {
		WORLD(w, MIXED, NULL);

		world_programs(&w);
		world_start(&w, HOOK_PRE_TOOL_USE);
		natural = sim_run(w.sim, k);
		op_cancel(w.op);
		hooks_stop(w.hooks);
		CHECK(sim_run(w.sim, SIZE_MAX));
		CHECK_INT(w.dones, 1);
		CHECK_INT(w.ended, 4);
		CHECK(hooks_are_quiet(w.hooks));
	}
}

TEST(whatever_fails_a_guard_never_lets_a_call_pass)
{
	size_t n = 1;

	for (size_t k = 1; k <= n; k++) {
		WORLD(w, MIXED, NULL);

		world_programs(&w);
		sim_fail_at(w.sim, sim_ops_counted(w.sim) + k, ERR_NONE);
		world_start(&w, HOOK_PRE_TOOL_USE);
		CHECK(sim_run(w.sim, SIZE_MAX));
		CHECK_INT(w.dones, 1);
		CHECK_INT(w.decision, HOOK_DENY);
		n = max_of(n, sim_ops_counted(w.sim));
	}
}

TEST(the_answer_does_not_depend_on_how_the_output_arrives)
{
	WORLD(w, MIXED, NULL);

	world_programs(&w);
	sim_cut_wire(w.sim, SIM_CUT_ALWAYS, 0);
	world_start(&w, HOOK_PRE_TOOL_USE);
	CHECK(sim_run(w.sim, SIZE_MAX));
	CHECK_STR(str_c(&w.reason), "no");
	CHECK_STR(str_c(&w.news), "wakes It gave no reason.;");
}
