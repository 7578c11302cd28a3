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

/* `input` has passed the schema, so one of our words stands in it. */
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

/* Prints the text that follows `key`; a bigger program has a JSON library. */
static void print_text(const char *json, const char *key)
{
	const char *c = strstr(json, key);

	for (c = c ? c + strlen(key) : ""; *c && *c != '"'; c++) {
		bool escaped = *c == '\\';

		c += escaped;
		putchar(escaped && *c == 'n' ? '\n' : *c);
	}
	putchar('\n');
}

static void on_event(void *arg, struct awl_session *session, const struct awl_event *event)
{
	(void)session;
	if (strcmp(event->type, "result") != 0)
		return;
	*(bool *)arg = strstr(event->json, "\"is_error\":false") != NULL;
	print_text(event->json,
		   strcmp(event->subtype, "success") ? "\"errors\":[\"" : "\"result\":\"");
}

int main(int argc, char **argv)
{
	char error[AWL_ERROR_SIZE] = "";
	struct awl_tool tool = AWL_TOOL_INIT;
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	struct awl *awl = awl_open(NULL, error, sizeof(error));
	struct awl_session *session = NULL;
	bool fine = false;

	tool.name = "lookup";
	tool.description = "Looks up what a word of the trade means.";
	tool.input_schema = schema;
	tool.read_only = true; /* so nobody is asked */
	tool.call = look_up;
	options.tools = ""; /* none of the built-in ones */
	options.no_persistence = true;
	if (awl && awl_add_tool(awl, &tool, error, sizeof(error)))
		session = awl_session_open(awl, &options, on_event, &fine, error, sizeof(error));
	if (session) {
		awl_prompt(session, argc > 1 ? argv[1] : "What is a bodkin?");
		awl_run(awl); /* until it is answered */
	} else {
		fprintf(stderr, "%s\n", error);
	}
	awl_close(awl);
	return fine ? 0 : 1;
}
