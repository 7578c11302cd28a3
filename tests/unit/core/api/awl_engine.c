/* The public interface: wake-up calls from other threads, the environment of an engine, and what
 * a session has used. */
#include <pthread.h>
#include <signal.h>

#include "core/host.h"

/* --- waking -------------------------------------------------------------------------------- */

/* A tool that another thread finishes. */
struct worker {
	struct host *host;
	struct awl_call *call;
	pthread_t thread, waker; /* `waker`: who ran on_wake() */
	bool has_thread;
	int woken;
};

static void *worker_run(void *arg)
{
	struct worker *w = arg;

	poll(NULL, 0, 20);
	awl_wake(w->host->awl);
	return NULL;
}

static void worker_call(void *arg, struct awl_call *call, __attribute__((unused)) const char *input,
			__attribute__((unused)) size_t length)
{
	struct worker *w = arg;

	w->call = call;
	w->has_thread = pthread_create(&w->thread, NULL, worker_run, w) == 0;
	CHECK(w->has_thread);
}

static void worker_on_wake(void *arg)
{
	struct worker *w = arg;

	CHECK(!w->host->is_calling);
	w->woken++;
	w->waker = pthread_self();
	if (w->call)
		awl_call_finish(w->call, "from the thread", false);
	w->call = NULL;
}

static void worker_add(struct worker *w)
{
	struct awl_tool tool = AWL_TOOL_INIT;

	tool.name = "work";
	tool.input_schema = "{\"type\":\"object\"}";
	tool.is_read_only = true;
	tool.call = worker_call;
	tool.arg = w;
	CHECK_RESULT(awl_add_tool(w->host->awl, &tool), AWL_OK);
	awl_on_wake(w->host->awl, worker_on_wake, w);
}

#define WORKS                                                                   \
	"reply when tool_result contains \"from the thread\"\n text \"done\"\n" \
	"reply\n tool work {}\n"

TEST(a_thread_finishes_a_call_through_a_wake_up)
{
	HOST(h, WORKS);
	struct worker w = { .host = &h };

	worker_add(&w);
	host_open(&h, NULL);
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "done");
	CHECK_INT(w.woken, 1);
	CHECK(pthread_equal(w.waker, pthread_self()));
	pthread_join(w.thread, NULL);
}

/* The engine and the model are in one process here, so the run has only the thread to wait for. */
TEST(a_run_waits_for_a_wake_up_only_while_a_session_is_busy)
{
	HOST(h, NULL);
	struct worker w = { .host = &h };

	worker_add(&w);
	host_open(&h, NULL);
	awl_prompt(h.session, "hi");
	awl_run(h.awl);
	CHECK_INT(h.results, 1);
	CHECK_INT(w.woken, 0);
}

static struct awl *signalled;

static void on_signal(__attribute__((unused)) int signo)
{
	awl_wake(signalled);
}

TEST(a_signal_handler_may_wake_the_engine)
{
	HOST(h, NULL);
	struct worker w = { .host = &h };
	struct sigaction action = { .sa_handler = on_signal }, before;

	awl_wake(h.awl); /* does nothing without a function */
	worker_add(&w);
	signalled = h.awl;
	sigaction(SIGUSR1, &action, &before);
	raise(SIGUSR1);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, NULL);
	CHECK_INT(w.woken, 0);
	HOST_UNTIL(&h, w.woken > 0);
	awl_dispatch(h.awl);
	CHECK_INT(w.woken, 1);
	CHECK_INT(poll(&(struct pollfd){ .fd = awl_fd(h.awl), .events = POLLIN }, 1, 0), 0);
	awl_on_wake(h.awl, NULL, NULL);
	awl_wake(h.awl);
	awl_dispatch(h.awl);
	CHECK_INT(w.woken, 1);
}

/* --- the environment ------------------------------------------------------------------------ */

TEST(an_engine_has_the_environment_that_it_is_given)
{
	HOST(h, "reply when result_of contains Bash\n text \"done\"\n"
		"reply\n tool Bash {\"command\":\"echo $AWL_TEST_OWN-$AWL_TEST_OURS >out\"}\n");
	defer(str_clear) struct str url = STR_INIT, home = STR_INIT;
	const char *environment[] = { NULL,
				      NULL,
				      "ANTHROPIC_API_KEY=no-secret",
				      "no_proxy=127.0.0.1",
				      "PATH=/usr/bin:/bin",
				      "AWL_TEST_OWN=own",
				      NULL };
	struct awl_session_options session = host_options(&h);
	struct awl_options options = AWL_OPTIONS_INIT;
	PATH_IN(out, h.dir, "out");

	awl_close(h.awl);
	str_addf(&url, "ANTHROPIC_BASE_URL=http://127.0.0.1:%d", script_server_port(h.server));
	str_addf(&home, "HOME=%s", str_c(&h.dir));
	environment[0] = str_c(&url);
	environment[1] = str_c(&home);
	host_env("AWL_TEST_OURS", "ours");
	options.environment = environment;
	CHECK_RESULT(awl_open(&h.awl, &options), AWL_OK);
	host_env("AWL_TEST_OURS", NULL);
	CHECK(!awl_is_demo(h.awl));
	environment[5] = "AWL_TEST_OWN=changed"; /* it has been copied */
	session.tools = "Bash";
	session.permission_mode = "bypassPermissions";
	host_open(&h, &session);
	awl_prompt(h.session, "go");
	HOST_UNTIL(&h, h.results == 1);
	CHECK_FILE(out, "own-\n");
}

/* --- the end of sessions --------------------------------------------------------------------- */

TEST(an_engine_without_sessions_can_open_another)
{
	HOST(h, "reply forever\n text \"hello\"\n");
	struct awl_session_options options = host_options(&h);

	host_open(&h, &options);
	awl_prompt(h.session, "hi");
	CHECK_STR(awl_end_sessions(h.awl), "");
	host_open(&h, &options);
	awl_prompt(h.session, "hi");
	HOST_UNTIL(&h, h.results == 1);
}

/* --- usage ---------------------------------------------------------------------------------- */

TEST(what_a_session_has_used_can_be_asked_for)
{
	HOST(h, "reply forever\n usage input=100 output=20\n text \"hello\"\n");
	struct awl_usage usage = AWL_USAGE_INIT, unsized = { .size = 0 };
	struct awl_session_options options = host_options(&h);

	options.model = "claude-sonnet-4-5";
	host_open(&h, &options);
	CHECK_RESULT(awl_session_usage(h.session, NULL, &usage), AWL_OK);
	CHECK_INT(usage.input_tokens + usage.output_tokens, 0);
	CHECK(!awl_session_used_model(h.session, 0));
	awl_prompt(h.session, "hi");
	HOST_UNTIL(&h, h.results == 1);
	CHECK_RESULT(awl_session_usage(h.session, NULL, &usage), AWL_OK);
	CHECK(usage.input_tokens > 0 && usage.output_tokens > 0);
	CHECK(usage.cost_usd > 0 && !usage.is_cost_incomplete);
	CHECK_STR(awl_session_used_model(h.session, 0), "claude-sonnet-4-5");
	CHECK_RESULT(awl_session_usage(h.session, "claude-sonnet-4-5", &usage), AWL_OK);
	CHECK_RESULT(awl_session_usage(h.session, "other", &usage), AWL_ERR_NOT_FOUND);
	CHECK_RESULT(awl_session_usage(h.session, NULL, &unsized), AWL_ERR_INVALID);
}

/* --- the log -------------------------------------------------------------------------------- */

struct log_seen {
	int lines;
};

static void log_see(void *arg, enum awl_log_level level, const char *line)
{
	struct log_seen *seen = arg;

	CHECK(level >= AWL_LOG_ERROR && level <= AWL_LOG_INFO);
	CHECK(!strchr(line, '\n'));
	seen->lines++;
}

TEST(a_host_can_take_the_log)
{
	struct log_seen seen = { .lines = 0 };
	int lines;

	awl_log(AWL_LOG_INFO, log_see, &seen);
	{
		HOST(h, NULL); /* an engine logs which model it uses */
	}
	lines = seen.lines;
	CHECK(lines > 0);
	awl_log(AWL_LOG_OFF, NULL, NULL);
	{
		HOST(h, NULL);
	}
	CHECK_INT(seen.lines, lines);
}
