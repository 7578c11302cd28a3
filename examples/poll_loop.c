/* poll_loop.c - an agent inside a program that has a poll() loop of its own, and a tool that
 * works in another thread. See README.md beside it.
 *
 * The loop waits for two descriptors: standard input, whose lines are prompts, and the engine.
 * The tool "thermometer" starts a thread for each call. The thread must not touch the engine, so
 * it puts its result into a list and calls awl_wake(); the engine then runs on_wake() here, in the
 * main thread, which finishes the calls. */
#include <awl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the tool ------------------------------------------------------------------------------ */

struct job {
	struct job *next;
	struct awl_call *call;
	struct awl *awl;
	pthread_t thread;
	bool is_roof; /* else it is the door */
	int degrees;  /* the result */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *done; /* guarded by `lock` */

/* Reads a slow thermometer, in a thread of its own. */
static void *measure(void *arg)
{
	struct job *job = arg;

	poll(NULL, 0, 50);
	job->degrees = job->is_roof ? 31 : 19;
	pthread_mutex_lock(&lock);
	job->next = done;
	done = job;
	pthread_mutex_unlock(&lock);
	awl_wake(job->awl);
	return NULL;
}

/* Starts a job. `arg` is the engine; `input` fits the schema, so it names the door or the roof. */
static void call_thermometer(void *arg, struct awl_call *call, const char *input, size_t length)
{
	struct job *job = calloc(1, sizeof(*job));

	(void)length;
	if (!job) {
		awl_call_finish(call, "out of memory", true);
		return;
	}
	job->call = call;
	job->awl = arg;
	job->is_roof = strstr(input, "roof") != NULL;
	if (pthread_create(&job->thread, NULL, measure, job) != 0) {
		awl_call_finish(call, "no thread can be started", true);
		free(job);
	}
}

/* Finishes the jobs that are done, in the main thread. */
static void on_wake(void *arg)
{
	struct job *job, *next;
	char result[64];

	(void)arg;
	pthread_mutex_lock(&lock);
	job = done;
	done = NULL;
	pthread_mutex_unlock(&lock);
	for (; job; job = next) {
		next = job->next;
		pthread_join(job->thread, NULL);
		snprintf(result, sizeof(result), "%s: %d degrees", job->is_roof ? "roof" : "door",
			 job->degrees);
		awl_call_finish(job->call, result, false);
		free(job);
	}
}

/* --- the agent ----------------------------------------------------------------------------- */

/* Prints text as it arrives, tool uses, and what each turn has cost. */
static void on_event(void *arg, struct awl_session *session, const struct awl_event *event)
{
	enum awl_event_kind kind = awl_event_kind(event);
	int *failed = arg;

	(void)session;
	if (kind == AWL_EVENT_STREAM) {
		fputs(awl_event_text(event), stdout);
	} else if (kind == AWL_EVENT_ASSISTANT && *awl_event_tool_name(event)) {
		printf("[%s %s]\n", awl_event_tool_name(event), awl_event_tool_input(event));
	} else if (kind == AWL_EVENT_RESULT && awl_event_result(event) == AWL_OK) {
		printf("\n(%lld tokens)\n", (long long)awl_event_tokens(event, AWL_TOKENS_OUTPUT));
	} else if (kind == AWL_EVENT_RESULT) {
		printf("\n%s: %s\n", awl_result_name(awl_event_result(event)),
		       awl_event_text(event));
		*failed = 1;
	}
	fflush(stdout);
}

static enum awl_result open_session(struct awl_session **session, struct awl *awl, int *failed)
{
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	struct awl_tool tool = AWL_TOOL_INIT;
	enum awl_result result;

	tool.name = "thermometer";
	tool.description = "Reads the temperature at a place.";
	tool.input_schema = "{\"type\":\"object\",\"properties\":{\"place\":{\"enum\":"
			    "[\"door\",\"roof\"]}},\"required\":[\"place\"]}";
	tool.is_read_only = true;
	tool.is_concurrent = true;
	tool.call = call_thermometer;
	tool.arg = awl;
	result = awl_add_tool(awl, &tool);
	if (result != AWL_OK)
		return result;
	awl_on_wake(awl, on_wake, NULL);
	options.tools = "";
	options.skip_transcript = true;
	options.send_partial_messages = true;
	return awl_session_open(session, awl, &options, on_event, failed);
}

/* --- the loop ------------------------------------------------------------------------------ */

/* Sends the lines of standard input as prompts. Returns 0 at its end. A bigger program would not
 * block here while half a line has come. */
static int read_prompt(struct awl_session *session)
{
	char line[4096];

	if (!fgets(line, sizeof(line), stdin))
		return 0;
	line[strcspn(line, "\n")] = '\0';
	awl_prompt(session, line);
	return 1;
}

/* Runs until standard input has ended and the last turn, too. */
static void run(struct awl *awl, struct awl_session *session)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = awl_fd(awl), .events = POLLIN } };

	while (fds[0].fd >= 0 || !awl_session_is_idle(session)) {
		if (poll(fds, 2, -1) < 0)
			continue; /* interrupted */
		if (fds[0].revents && !read_prompt(session))
			fds[0].fd = -1; /* poll() ignores it from now on */
		if (fds[1].revents)
			awl_dispatch(awl);
	}
}

int main(void)
{
	struct awl *awl = NULL;
	struct awl_session *session;
	int failed = 0;

	setvbuf(stdin, NULL, _IONBF, 0); /* so that poll() knows of every line */
	if (awl_open(&awl, NULL) != AWL_OK || open_session(&session, awl, &failed) != AWL_OK) {
		fprintf(stderr, "poll_loop: %s\n", awl_last_error());
		awl_close(awl);
		return 1;
	}
	run(awl, session);
	awl_close(awl);
	return failed;
}
