#include "model/wire/openai/embedded_calls.h"

#include "base/limits.h"
#include "model/wire/openai.h"

static const struct sv offered[] = { SV_INIT("{\"description\":\"x\",\"name\":\"Read\"}"),
				     SV_INIT("{\"name\":\"B\\u0061sh\"}"), SV_INIT("{}") };
static const struct model_request with_tools = { .tools = offered, .ntools = 3 };
static const struct model_request without_tools = { .tools = NULL };

/* Writes the text that was passed on, then what the end holds: calls as
 * "name(input)" in angle brackets. */
static void read_text(struct str *out, const struct model_request *request, struct sv text,
		      size_t first, size_t step)
{
	defer(embedded_calls_clear) struct embedded_calls e;
	struct embedded_part part;
	size_t n = first;

	embedded_calls_init(&e, request);
	for (; text.len > 0; text = sv_skip(text, n), n = step) {
		struct sv piece = sv_slice(text, 0, n);

		if (embedded_calls_pass(&e, piece))
			str_add(out, piece);
		else
			embedded_calls_feed(&e, piece, out);
	}
	while (embedded_calls_next(&e, &part)) {
		if (part.name.len)
			str_addf(out, "\xc2\xab%.*s(%.*s)\xc2\xbb", SV_ARG(part.name),
				 SV_ARG(part.input));
		else
			str_add(out, part.text);
	}
}

static void check_text(const struct model_request *request, struct sv in, struct sv out)
{
	for (size_t cut = 0; cut <= in.len; cut++) {
		defer(str_clear) struct str got = STR_INIT;

		read_text(&got, request, in, cut ? cut : 1, cut ? in.len : 1);
		CHECK_SV_EQ(sv_of(&got), out);
	}
}

#define CALL "{'name': 'Read', 'arguments': {'p': 1.50}}"
#define READ "\xc2\xabRead({'p': 1.50})\xc2\xbb"

TEST(calls_written_as_text_are_found_however_they_are_split)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "<tool_call>\n" CALL "\n</tool_call>", READ },
		{ "I look.\n<tool_call>" CALL "</tool_call>\n", "I look.\n" READ },
		{ "<tool_call>" CALL "</tool_call><tool_call>\n" CALL "\n</tool_call>", READ READ },
		{ "<tool_call>" CALL "</tool_call>\nand\n<tool_call>" CALL "</tool_call>",
		  READ "and\n" READ },
		{ "<tool_call>" CALL, READ }, /* the end closes it */
		{ "<tool_call>" CALL "</tool_call> done.", READ "done." },
		{ "<tool_call>{'name':'Bash','arguments':{'c':'echo </tool_call>}\\''}}"
		  "</tool_call>",
		  "\xc2\xab"
		  "Bash({'c':'echo </tool_call>}\\''})\xc2\xbb" },
		{ "<|python_tag|>" CALL, READ },
		{ "text <|python_tag|>" CALL "; " CALL, "text " READ READ },
		{ "[TOOL_CALLS][" CALL ", " CALL "]", READ READ },
		{ "[TOOL_CALLS] [" CALL "]\nok?", READ "ok?" },
		{ "sure[TOOL_CALLS]" CALL, "sure" READ },
		{ CALL, READ },
		{ " \n" CALL "\n", " \n" READ },
		{ "{'name':'Read','parameters':{}}", "\xc2\xabRead({})\xc2\xbb" },
		{ "{'type':'function','function':{'name':'Read','arguments':'{}'}}",
		  "\xc2\xabRead({})\xc2\xbb" },
		{ "{'type': 'function', 'function': 'Read', 'parameters': {}}",
		  "\xc2\xabRead({})\xc2\xbb" },
		{ "```json\n" CALL "\n```", READ },
		{ "```\n" CALL "\n```\n", READ },
		{ "```sh\nls\n```\n<tool_call>" CALL "</tool_call>", "```sh\nls\n```\n" READ },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;

		check_text(&with_tools, js(&arena, cases[i].in), js(&arena, cases[i].out));
	}
}

TEST(what_is_no_call_stays_text_byte_for_byte)
{
	static const char *const texts[] = {
		"",
		"<",
		"a < b and <tool",
		"<tool_call>",
		"<tool_call>not JSON</tool_call>",
		"<tool_call>{'name': 'Delete', 'arguments': {}}</tool_call>", /* not offered */
		"<tool_call>{'name': 'Read'}</tool_call>",
		"<tool_call>{'name': 'Read', 'arguments': [1]}</tool_call>",
		"<tool_call>{'name': 'Read', 'arguments': {'p': 1,}}</tool_call>",
		"<tool_call>{'name': 'Read', 'arguments': {'p': '", /* cut */
		"<tool_call>" CALL " and so on",
		"Write `<tool_call>" CALL "</tool_call>` to call.",
		"It is written <tool_call>" CALL "</tool_call>.",
		"```\n<tool_call>" CALL "</tool_call>\n```\n",
		"```xml\n<tool_call>" CALL "</tool_call>\n```",
		"  ```\n<tool_call>" CALL "</tool_call>",
		"<|python_tag|>print('hi')",
		"`<|python_tag|>" CALL,
		"[TOOL_CALLS]",
		"[TOOL_CALLS][]",
		"[TOOL_CALLS][1]",
		"{}",
		"{'a': 1}",
		"{'name': 'Awl', 'arguments': {}}",
		"{'name': 'Read', 'arguments': {}} is how you call it.",
		CALL CALL,
		"The call is:\n" CALL,
		"```json\n" CALL "\n```\nThis calls Read.",
		"```python\n" CALL "\n```",
		"```json\n{'name': 'Read', 'arguments': {}}",
		"`{'name': 'Read'}`",
		"[1, 2]",
		"{'type': 'object', 'properties': {}}",
		"{'name'",
		"{'name': 1}",
	};

	for (size_t i = 0; i < countof(texts); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct sv text = js(&arena, texts[i]);

		check_text(&with_tools, text, text);
	}
}

TEST(nothing_is_a_call_when_no_tool_is_offered)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv text = js(&arena, "<tool_call>" CALL "</tool_call>");

	check_text(&without_tools, text, text);
	text = js(&arena, CALL);
	check_text(&without_tools, text, text);
}

TEST(text_is_shown_at_once_but_for_what_may_be_a_tag)
{
	static const struct {
		const char *in, *shown;
	} cases[] = {
		{ "Hello", "Hello" },
		{ "a <tool", "a <tool" }, /* not at the start of a line */
		{ "a\n<tool", "a\n" },
		{ "a\n  <tool_cal", "a\n  " },
		{ "a\n<tool_call>", "a\n" },
		{ "a\n<tool_call>no", "a\n<tool_call>no" },
		{ "a [TOOL_", "a " },
		{ "{'colour': 'red', ", "{'colour': 'red', " },
		{ "{'name': 'Red'", "{'name': 'Red'" },
		{ "{'name': 'Re", "" },
		{ "``", "" },
		{ "```p", "" },
		{ "```p\n", "```p\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(embedded_calls_clear) struct embedded_calls e;
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(str_clear) struct str out = STR_INIT;

		embedded_calls_init(&e, &with_tools);
		embedded_calls_feed(&e, js(&arena, cases[i].in), &out);
		CHECK_SV_EQ(sv_of(&out), js(&arena, cases[i].shown));
	}
}

TEST(a_start_that_never_names_a_tool_is_let_go)
{
	defer(embedded_calls_clear) struct embedded_calls e;
	defer(str_clear) struct str out = STR_INIT;

	embedded_calls_init(&e, &with_tools);
	embedded_calls_feed(&e, SV("<tool_call>"), &out);
	CHECK_INT(out.len, 0);
	for (int i = 0; i < 300; i++)
		embedded_calls_feed(&e, SV(" "), &out);
	CHECK_INT(out.len, 311);
}

TEST(a_proper_call_lets_go_of_what_was_held)
{
	defer(embedded_calls_clear) struct embedded_calls e;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct sv text = js(&arena, "<tool_call>" CALL "</tool_call>");
	struct embedded_part part;

	embedded_calls_init(&e, &with_tools);
	embedded_calls_feed(&e, text, &out);
	CHECK_INT(out.len, 0);
	embedded_calls_release(&e, &out);
	CHECK_SV_EQ(sv_of(&out), text);
	embedded_calls_feed(&e, text, &out);
	CHECK_INT(out.len, 2 * text.len);
	CHECK(!embedded_calls_next(&e, &part));
}

TEST(a_call_that_is_too_long_to_hold_is_text)
{
	defer(embedded_calls_clear) struct embedded_calls e;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str out = STR_INIT, long_text = STR_INIT;
	struct embedded_part part;

	while (long_text.len <= LIMIT_MODEL_EMBEDDED)
		str_adds(&long_text, "0123456789abcdef");
	embedded_calls_init(&e, &with_tools);
	embedded_calls_feed(&e, js(&arena, "{'name':'Read','arguments':{'p':'"), &out);
	CHECK_INT(out.len, 0);
	embedded_calls_feed(&e, sv_of(&long_text), &out);
	embedded_calls_feed(&e, js(&arena, "'}}"), &out);
	CHECK(e.overflowed);
	CHECK(!embedded_calls_next(&e, &part));
	CHECK_INT(out.len, 33 + long_text.len + 3);
}

/* In an answer. */

#define TEXT(text) "data: {'id':'c1','choices':[{'delta':{'content':'" text "'}}]}\n\n"
#define ESCAPED    "{\\'name\\': \\'Read\\', \\'arguments\\': {\\'p\\': 1.50}}"
#define FINISH     "data: {'choices':[{'delta':{},'finish_reason':'stop'}]}\n\ndata: [DONE]\n\n"
#define NATIVE                                                                                \
	"data: "                                                                              \
	"{'choices':[{'delta':{'tool_calls':[{'id':'n','function':{'name':'Read','arguments'" \
	":'{}'}}]}}]}\n\n"

TEST(an_answer_with_a_call_as_text_ends_in_a_call)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	check_stream(&provider_openai_chat, &with_tools,
		     js(&arena,
			TEXT("I look.\\n<tool") TEXT("_call>" ESCAPED) TEXT("</tool_call>") FINISH),
		     js(&arena,
			"start 0:0 c1\nblock 0:0  {'type':'text','text':''}\ntext 0:0 I look.\n\n"
			"note 0:0 the model wrote a Read call as text; awl treats it as a call\n"
			"end 0:0  {'type':'text','text':'I look.\\n'}\n"
			"block 1:3  {'type':'tool_use','id':'call_0_0','name':'Read','input':{}} "
			"Read(call_0_0)\ninput 1:3 {'p': 1.50}\n"
			"end 1:3  {'type':'tool_use','id':'call_0_0','name':'Read','input':{'p': "
			"1.50}}\nstop 0:0 tool_use\n")
			     .ptr);
}

TEST(a_call_that_comes_both_ways_is_run_once)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	check_log(&provider_openai_chat, &with_tools,
		  js(&arena, TEXT("<tool_call>" ESCAPED "</tool_call>") NATIVE FINISH),
		  js(&arena,
		     "start 0:0 c1\nblock 0:0  {'type':'text','text':''}\n"
		     "text 0:0 <tool_call>{'name': 'Read', 'arguments': {'p': 1.50}}</tool_call>\n"
		     "end 0:0  {'type':'text','text':'<tool_call>" ESCAPED "</tool_call>'}\n"
		     "block 1:3  {'type':'tool_use','id':'n','name':'Read','input':{}} Read(n)\n"
		     "input 1:3 {}\n"
		     "end 1:3  {'type':'tool_use','id':'n','name':'Read','input':{}}\n"
		     "stop 0:0 tool_use\n")
			  .ptr);
}

TEST(a_call_that_is_malformed_is_left_as_text_and_told)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	check_log(&provider_openai_chat, &with_tools,
		  js(&arena, TEXT("{\\'name\\':\\'Read\\',") FINISH),
		  js(&arena,
		     "start 0:0 c1\nblock 0:0  {'type':'text','text':''}\n"
		     "text 0:0 {'name':'Read',\n"
		     "note 0:0 a text looks like a tool call but is malformed; keeping it as text\n"
		     "end 0:0  {'type':'text','text':'{\\'name\\':\\'Read\\','}\n"
		     "stop 0:0 end_turn\n")
			  .ptr);
}
