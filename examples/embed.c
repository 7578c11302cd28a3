/* embed.c - a program with an agent in it, and a tool that only this program has: the
 * agent looks words up in a table in our memory. See README.md beside it. */
#include <awl.h>
#include <stdio.h>
#include <string.h>

static const char *const dictionary[][2] = {
	{ "awl", "a pointed tool for making holes in leather and wood" },
	{ "bodkin", "a blunt needle for drawing tape through a hem" },
	{ "fid", "a cone of wood for opening the strands of a rope" },
};

static const char schema[] = "{\"type\":\"object\",\"properties\":{\"word\":{\"enum\":"
			     "[\"awl\",\"bodkin\",\"fid\"]}},\"required\":[\"word\"]}";

/* `input` fits the schema, so one of our words is in it. */
static void look_up(void *arg, struct awl_call *call, const char *input, size_t length)
{
	const char *meaning = "not in the dictionary";

	(void)arg;
	printf("-> lookup %.*s\n", (int)length, input);
	for (size_t i = 0; i < sizeof(dictionary) / sizeof(dictionary[0]); i++)
		if (strstr(input, dictionary[i][0]))
			meaning = dictionary[i][1];
	awl_call_finish(call, meaning, false); /* now; or later, from any callback */
}

/* Prints the answer, or why there is none. */
static void on_event(void *arg, struct awl_session *session, const struct awl_event *event)
{
	(void)session;
	if (awl_event_kind(event) != AWL_EVENT_RESULT)
		return;
	*(enum awl_result *)arg = awl_event_result(event);
	printf("%s\n", awl_event_text(event));
}

static int fail(void)
{
	fprintf(stderr, "%s\n", awl_last_error());
	return 1;
}

/* Asks the agent, and returns the exit status. */
static int ask(struct awl *awl, const char *prompt)
{
	struct awl_tool tool = AWL_TOOL_INIT;
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	struct awl_session *session;
	enum awl_result answer = AWL_ERR_FAILED;

	tool.name = "lookup";
	tool.description = "Looks up what a word of the trade means.";
	tool.input_schema = schema;
	tool.is_read_only = true; /* needs no permission */
	tool.call = look_up;
	options.tools = ""; /* none of the built-in tools */
	options.skip_transcript = true;
	if (awl_add_tool(awl, &tool) != AWL_OK ||
	    awl_session_open(&session, awl, &options, on_event, &answer) != AWL_OK)
		return fail();
	awl_prompt(session, prompt);
	awl_run(awl); /* until the turn has ended */
	return answer == AWL_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct awl *awl;
	int status;

	if (awl_open(&awl, NULL) != AWL_OK)
		return fail();
	status = ask(awl, argc > 1 ? argv[1] : "What is a bodkin?");
	awl_close(awl);
	return status;
}
