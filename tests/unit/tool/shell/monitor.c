/* Monitor and Sleep with real commands; when what is told is tested in virtual time
 * (tests/sim/background_feed.c, tests/flow/cases/agent-monitor*.flow). */
#include "tool/errand.h"

#include "tool/shell/background.h"

struct watch {
	struct errand e;
	struct tool_services services;
	struct str reported;
	int ended;
	bool has_news;
};

static void on_report(void *arg, struct sv text)
{
	struct watch *w = arg;

	str_add(&w->reported, text);
	str_addc(&w->reported, '\n');
	loop_stop(w->e.loop);
}

static bool has_news(void *arg)
{
	return ((struct watch *)arg)->has_news;
}

static void on_end(void *arg, __attribute__((unused)) const struct background_command *command)
{
	struct watch *w = arg;

	w->ended++;
	loop_stop(w->e.loop);
}

static void on_quiet(void *arg)
{
	loop_stop(((struct watch *)arg)->e.loop);
}

static void watch_init(struct watch *w)
{
	struct background_opts opts = { .on_end = on_end, .arg = w };

	*w = (struct watch){ .ended = 0 };
	errand_init(&w->e);
	opts.dir = str_c(&w->e.results);
	w->services = (struct tool_services){ .arg = w, .notify = on_report, .has_news = has_news };
	w->e.session.services = &w->services;
	w->e.session.background = background_new(w->e.loop, &opts);
}

static void watch_clear(struct watch *w)
{
	background_stop_all(w->e.session.background);
	background_when_quiet(w->e.session.background, on_quiet, w);
	RUN_UNTIL(w->e.loop, background_is_quiet(w->e.session.background));
	background_free(w->e.session.background);
	str_clear(&w->reported);
	errand_clear(&w->e);
}

#define WATCH(name)                           \
	defer(watch_clear) struct watch name; \
	watch_init(&name)

/* The command runs on, so not all is quiet when the call is over. */
static void monitor(struct watch *w, const char *input)
{
	errand_begin(&w->e, &tool_monitor, input);
	RUN_UNTIL(w->e.loop, w->e.done);
}

TEST(what_is_printed_is_quoted_line_by_line_and_the_rest_told_at_the_end)
{
	static const struct sv head = SV_INIT("monitor_1 (the build) has printed:");
	defer(str_clear) struct str lines = STR_INIT;
	struct sv rest, line;
	WATCH(w);

	monitor(&w, "{\"command\":\"echo one; echo two >&2; printf '\\\\033[1mlast'\","
		    "\"description\":\"the build\"}");
	CHECK_HAS(&w.e, "in the background as monitor_1; ");
	RUN_UNTIL(w.e.loop, w.ended);
	CHECK(sv_starts(sv_of(&w.reported), head));
	/* A busy machine may print them so slowly that they are told one by one. */
	for (rest = sv_of(&w.reported); sv_cut_line(&rest, &line);)
		if (!sv_eq(line, head))
			str_addf(&lines, "%.*s\n", SV_ARG(line));
	CHECK_STR(str_c(&lines), "> one\n> two\n> last\n");
}

TEST(the_time_is_bounded_unless_the_session_is_its_bound)
{
	static const struct {
		const char *more;
		int64_t ms;
		bool persistent;
	} cases[] = {
		{ "", 300000, false },
		{ ",\"timeout_ms\":1500", 1500, false },
		{ ",\"timeout_ms\":1e12", 3600000, false },
		{ ",\"timeout_ms\":-1", 300000, false },
		{ ",\"timeout_ms\":5,\"persistent\":true", 0, true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		WATCH(w);
		defer(str_clear) struct str input = STR_INIT;
		defer(json_doc_freep) struct json_doc *data = NULL;
		struct err err;

		str_addf(&input, "{\"command\":\"true\",\"description\":\"x\"%s}", cases[i].more);
		monitor(&w, str_c(&input));
		data = json_parse(sv_of(&w.e.call.result.data), 0, &err);
		CHECK_INT(json_int_or(json_get(json_root(data), "timeoutMs"), -1), cases[i].ms);
		CHECK_INT(json_bool_or(json_get(json_root(data), "persistent"), false),
			  cases[i].persistent);
		CHECK_SV(json_str_or(json_get(json_root(data), "taskId"), SV_EMPTY), "monitor_1");
	}
}

/* Its last line waits for a pause when it is stopped. */
TEST(a_monitor_that_was_stopped_is_silent)
{
	WATCH(w);
	const struct background_command *command;
	size_t before;

	monitor(&w, "{\"command\":\"echo one; echo two; echo three; exec sleep 1000\","
		    "\"description\":\"x\"}");
	command = background_at(w.e.session.background, 0);
	while (command->bytes < strlen("one\ntwo\nthree\n"))
		loop_turn(w.e.loop);
	before = w.reported.len;
	background_when_quiet(w.e.session.background, on_quiet, &w);
	background_stop(w.e.session.background, command);
	RUN_UNTIL(w.e.loop, background_is_quiet(w.e.session.background));
	CHECK_INT(command->state, BACKGROUND_STOPPED);
	CHECK_INT(w.reported.len, before);
	CHECK_INT(w.ended, 0);
}

TEST(nothing_is_monitored_where_nobody_can_be_told_or_there_is_no_command)
{
	WATCH(w);
	struct background *background = w.e.session.background;
	struct err err;

	err = errand_check(&w.e, &tool_monitor, "{\"command\":\" \",\"description\":\"x\"}");
	CHECK_ERR(err, ERR_INVALID, "empty");
	w.services.notify = NULL;
	err = errand_check(&w.e, &tool_monitor, "{\"command\":\"true\",\"description\":\"x\"}");
	CHECK_ERR(err, ERR_UNSUPPORTED, "Background commands are not available");
	w.services.notify = on_report;
	w.e.session.background = NULL;
	err = errand_check(&w.e, &tool_monitor, "{\"command\":\"true\",\"description\":\"x\"}");
	CHECK_ERR(err, ERR_UNSUPPORTED, "Background commands are not available");
	w.e.session.background = background;
}

TEST(to_monitor_is_to_run_a_command)
{
	WATCH(w);
	struct perm_request perm_request = { .access = ACCESS_NONE };
	struct arena arena = ARENA_INIT;

	errand_check(&w.e, &tool_monitor, "{\"command\":\"rm x\",\"description\":\"x\"}");
	tool_monitor.perm_request(&w.e.call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_RUN);
	CHECK_SV(perm_request.command, "rm x");
	CHECK(!tool_monitor.is_read_only && !tool_monitor.is_concurrent);
}

TEST(a_sleep_ends_with_its_time_with_news_or_when_it_is_interrupted)
{
	WATCH(w);

	errand_run(&w.e, &tool_sleep, "{\"seconds\":0.001}");
	CHECK_SV(errand_text(&w.e), "1 ms have passed.");
	errand_run(&w.e, &tool_sleep, "{\"seconds\":-5}");
	CHECK_SV(errand_text(&w.e), "0 ms have passed.");
	w.has_news = true;
	errand_run(&w.e, &tool_sleep, "{\"seconds\":1e300}");
	CHECK_HAS(&w.e, "there is news");
	w.has_news = false;
	errand_begin(&w.e, &tool_sleep, "{\"seconds\":1000}");
	background_announce(w.e.session.background);
	errand_end(&w.e);
	CHECK_HAS(&w.e, "there is news");
	errand_begin(&w.e, &tool_sleep, "{\"seconds\":1000}");
	op_cancel(w.e.op);
	errand_end(&w.e);
	CHECK_INT(w.e.why.kind, ERR_CANCELLED);
}
