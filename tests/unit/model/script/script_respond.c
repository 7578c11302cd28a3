#include "model/script/demo.h"
#include "script_play.h"
#include "text/json/json.h"

/* --- which reply --------------------------------------------------------- */

/* The text that the reply to `body` says; or its complaint. */
static void answer(struct str *out, struct script *s, const char *path, const char *body)
{
	defer(play_clear) struct play play;
	defer(str_clear) struct str text = STR_INIT, complaint = STR_INIT;
	struct err err = ERR_INIT;
	struct json_doc *doc;

	ask_script(s, path, body, &play, &complaint);
	play_body(&text, &play);
	doc = json_parse(sv_of(&text), 0, &err);
	CHECK_OK(doc != NULL, err);
	if (play.status != 200)
		str_addf(out, "%d ", play.status);
	str_add(out, json_str_or(json_path(json_root(doc), "content[0].text"),
				 json_str_or(json_path(json_root(doc), "error.message"),
					     SV("nothing"))));
	json_doc_free(doc);
}

static void check_answer(struct script *s, const char *body, const char *expected, int line)
{
	defer(str_clear) struct str out = STR_INIT;

	answer(&out, s, "/v1/messages", body);
	test_check_sv(sv_of(&out), sv_cstr(expected), __FILE__, line);
}

#define CHECK_ANSWER(script, body, expected) check_answer(script, body, expected, __LINE__)
#define PROMPT(text)                                                                         \
	"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\"," \
	"\"text\":\"" text "\"}]}]}"

TEST(replies_are_given_in_order_and_then_none_is_left)
{
	defer(script_freep) struct script *s =
		script_of("reply\n text one\nreply repeat 2\n text two\n");

	CHECK_ANSWER(s, PROMPT("a"), "one");
	CHECK_ANSWER(s, PROMPT("a"), "two");
	CHECK_ANSWER(s, PROMPT("a"), "two");
	CHECK_ANSWER(s, PROMPT("a"), "400 t: no reply left for request 4");
}

TEST(a_reply_for_all_others_never_ends)
{
	defer(script_freep) struct script *s =
		script_of("reply otherwise\n text more\nreply\n text one\n");

	CHECK_ANSWER(s, PROMPT("a"), "one");
	CHECK_ANSWER(s, PROMPT("a"), "more");
	CHECK_ANSWER(s, PROMPT("a"), "more");
}

TEST(a_reply_waits_for_the_request_it_is_meant_for)
{
	defer(script_freep) struct script *s =
		script_of("reply when prompt contains cat\n text meow\nreply forever\n text hm\n");

	CHECK_ANSWER(s, PROMPT("dog"), "hm");
	CHECK_ANSWER(s, PROMPT("a cat"), "meow");
	CHECK_ANSWER(s, PROMPT("a cat"), "hm");
}

TEST(a_request_that_is_not_as_expected_is_told_with_every_line_it_misses)
{
	defer(script_freep) struct script *s =
		script_of("reply\n expect prompt contains cat\n expect model is m\n"
			  " expect request not contains dog\n text x\n");

	CHECK_ANSWER(s, PROMPT("dog"),
		     "400 t:2: request 1 does not match: prompt contains cat\n"
		     "t:4: request 1 does not match: request not contains dog");
}

/* --- what requests hold -------------------------------------------------- */

/* A conversation with a tool call in each wire: the user asked, the model called
 * Read and Bash, Bash failed, and the user said something more. */
#define ANTHROPIC                                                                                \
	"{\"model\":\"m\",\"system\":[{\"type\":\"text\",\"text\":\"You are.\"}],"               \
	"\"tools\":[{\"name\":\"Read\"},{\"name\":\"Bash\"}],\"messages\":["                     \
	"{\"role\":\"user\",\"content\":\"early\"},"                                             \
	"{\"role\":\"assistant\",\"content\":["                                                  \
	"{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"Read\",\"input\":{}},"                   \
	"{\"type\":\"tool_use\",\"id\":\"2\",\"name\":\"Bash\",\"input\":{}}]},"                 \
	"{\"role\":\"user\",\"content\":["                                                       \
	"{\"type\":\"tool_result\",\"tool_use_id\":\"2\",\"is_error\":true,\"content\":\"no\"}," \
	"{\"type\":\"tool_result\",\"tool_use_id\":\"1\",\"content\":["                          \
	"{\"type\":\"text\",\"text\":\"bytes\"}]},{\"type\":\"text\",\"text\":\"late\"}]}]}"
#define CHAT                                                                                    \
	"{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"Read\"}}," \
	"{\"type\":\"function\",\"function\":{\"name\":\"Bash\"}}],\"messages\":["              \
	"{\"role\":\"system\",\"content\":\"You are.\"},"                                       \
	"{\"role\":\"user\",\"content\":\"early\"},"                                            \
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["                             \
	"{\"id\":\"1\",\"function\":{\"name\":\"Read\"}},"                                      \
	"{\"id\":\"2\",\"function\":{\"name\":\"Bash\"}}]},"                                    \
	"{\"role\":\"tool\",\"tool_call_id\":\"2\",\"content\":\"no\"},"                        \
	"{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"bytes\"},"                     \
	"{\"role\":\"user\",\"content\":\"late\"}]}"
#define RESPONSES                                                                               \
	"{\"model\":\"m\",\"instructions\":\"You are.\",\"tools\":["                            \
	"{\"type\":\"function\",\"name\":\"Read\"},{\"type\":\"function\",\"name\":\"Bash\"}]," \
	"\"input\":[{\"role\":\"user\",\"content\":\"early\"},"                                 \
	"{\"type\":\"function_call\",\"call_id\":\"1\",\"name\":\"Read\"},"                     \
	"{\"type\":\"function_call\",\"call_id\":\"2\",\"name\":\"Bash\"},"                     \
	"{\"type\":\"function_call_output\",\"call_id\":\"2\",\"output\":\"no\"},"              \
	"{\"type\":\"function_call_output\",\"call_id\":\"1\",\"output\":\"bytes\"},"           \
	"{\"type\":\"message\",\"role\":\"user\",\"content\":["                                 \
	"{\"type\":\"input_text\",\"text\":\"late\"}]}]}"

static const struct {
	const char *path, *body;
} conversations[] = {
	{ "/v1/messages", ANTHROPIC },
	{ "/v1/chat/completions?x=y", CHAT },
	{ "/openai/v1/responses", RESPONSES },
};

/* Whether a request meets a condition. */
static bool meets(const char *path, const char *body, const char *condition)
{
	defer(str_clear) struct str text = STR_INIT, complaint = STR_INIT;
	defer(play_clear) struct play play;
	struct script *s;

	str_addf(&text, "reply\n expect %s\n", condition);
	s = script_of(str_c(&text));
	ask_script(s, path, body, &play, &complaint);
	script_free(s);
	return complaint.len == 0;
}

TEST(conditions_see_the_same_in_every_wire)
{
	static const char *const true_of_all[] = {
		"model is m",
		"model contains m",
		"system is \"You are.\"",
		"prompt is late",
		"prompt not contains early",
		"tools is \"Read Bash\"",
		"tools contains Bash",
		"tools not contains Rea",
		"result_of is \"Bash Read\"",
		"result_of contains Read",
		"tool_result is \"no\\nbytes\"",
		"tool_result",
		"request contains \"early\"",
		"no header x-missing",
		"path contains /",
	};

	for (size_t i = 0; i < countof(conversations); i++)
		for (size_t k = 0; k < countof(true_of_all); k++)
			if (!meets(conversations[i].path, conversations[i].body, true_of_all[k]))
				fail_msg("%s: %s", conversations[i].path, true_of_all[k]);
}

TEST(conditions_that_do_not_hold_are_told_in_every_wire)
{
	static const char *const false_of_all[] = {
		"model is n",      "no model",
		"prompt is early", "tools contains Edit",
		"no tool_result",  "result_of is \"Read\"",
		"header x-a is b", "system contains you",
	};

	for (size_t i = 0; i < countof(conversations); i++)
		for (size_t k = 0; k < countof(false_of_all); k++)
			if (meets(conversations[i].path, conversations[i].body, false_of_all[k]))
				fail_msg("%s: %s", conversations[i].path, false_of_all[k]);
}

TEST(only_the_anthropic_wire_tells_a_failed_tool)
{
	CHECK(meets("/v1/messages", ANTHROPIC, "tool_error is no"));
	CHECK(meets("/v1/chat/completions", CHAT, "no tool_error"));
}

/* --- the rest of the service --------------------------------------------- */

static void check_status(const char *method, const char *path, const char *body, int status,
			 const char *part)
{
	defer(script_freep) struct script *s = script_of("model claude-a\nreply\n text x\n");
	struct server_request request = { .method = sv_cstr(method),
					  .path = sv_cstr(path),
					  .body = sv_cstr(body) };
	defer(play_clear) struct play play = PLAY_INIT;
	defer(str_clear) struct str complaint = STR_INIT, text = STR_INIT;

	script_respond(s, &request, &play, &complaint);
	play_body(&text, &play);
	CHECK_INT(play.status, status);
	if (!strstr(str_c(&text), part))
		fail_msg("%s is not in %s", part, str_c(&text));
	CHECK_STR(str_c(&complaint), "");
}

TEST(what_is_no_request_to_the_model_costs_no_reply)
{
	check_status("GET", "/v1/models", "", 200, "\"id\":\"claude-a\"");
	check_status("POST", "/v1/messages/count_tokens?beta=true", "{\"messages\":[]}", 200,
		     "{\"input_tokens\":4}");
	check_status("GET", "/", "", 404, "not_found_error");
	check_status("GET", "/v1/messages", "", 405, "method not allowed");
	check_status("POST", "/v1/models", "", 405, "method not allowed");
	check_status("POST", "/v1/messages", "{", 400, "the body is not valid JSON: line 1");
	check_status("POST", "/v1/messages", "[]", 400, "has no \\\"messages\\\"");
	check_status("POST", "/v1/responses", "{\"messages\":[]}", 400, "has no \\\"input\\\"");
	check_status("POST", "/v1/chat/completions", "null", 400, "has no \\\"messages\\\"");
}

TEST(a_path_of_vertex_streams_by_its_name)
{
	defer(script_freep) struct script *s = script_of("reply\n text x\n");
	defer(play_clear) struct play play;

	ask_script(s, "/v1/projects/p/models/m:streamRawPredict", "{\"messages\":[]}", &play, NULL);
	CHECK(play.length < 0);
}

/* --- the built-in session ------------------------------------------------ */

#define TOOLS "\"tools\":[{\"name\":\"Glob\"},{\"name\":\"Write\"}]"
#define AFTER(tool, result)                                                                       \
	"{\"model\":\"m\"," TOOLS ",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},"        \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":"      \
	"\"" tool "\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"," \
	"\"tool_use_id\":\"1\",\"content\":\"ok\"" result "}]}]}"

static void check_demo(struct script *s, const char *body, const char *part)
{
	defer(play_clear) struct play play;
	defer(str_clear) struct str text = STR_INIT;

	ask_script(s, "/v1/messages", body, &play, NULL);
	play_body(&text, &play);
	CHECK_INT(play.status, 200);
	if (!strstr(str_c(&text), part))
		fail_msg("%s is not in %s", part, str_c(&text));
}

TEST(the_built_in_session_goes_all_the_way_as_often_as_it_is_asked)
{
	struct err err = ERR_INIT;
	defer(script_freep) struct script *s =
		script_parse(sv_from(demo_script, demo_script_size), "demo", &err);

	CHECK_OK(s != NULL, err);
	for (int i = 0; i < 3; i++) {
		check_demo(s, "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
			   "No model answers here");
		check_demo(s, "{" TOOLS ",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
			   "\"name\":\"Glob\"");
		check_demo(s, AFTER("Glob", ""), "\"name\":\"Write\"");
		check_demo(s, AFTER("Write", ",\"is_error\":true"), "it changed nothing");
		check_demo(s, AFTER("Write", ""), "\"name\":\"Read\"");
		check_demo(s, AFTER("Read", ""), "\"name\":\"Edit\"");
		check_demo(s, AFTER("Edit", ""), "\"name\":\"Bash\"");
		check_demo(s, AFTER("Bash", ""), "this text is a script");
	}
}
