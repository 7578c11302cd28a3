#include "model/wire/openai/embedded_markup.h"

#include "model/wire/openai.h"

#define D1 "\xef\xbd\x9c" /* the bar of DeepSeek's tokens */
#define D2 "\xe2\x96\x81" /* and their gap */

#define DEEPSEEK_OPEN  "<" D1 "tool" D2 "calls" D2 "begin" D1 ">"
#define DEEPSEEK_CLOSE "<" D1 "tool" D2 "calls" D2 "end" D1 ">"
#define DEEPSEEK_CALL  "<" D1 "tool" D2 "call" D2 "begin" D1 ">"
#define DEEPSEEK_SEP   "<" D1 "tool" D2 "sep" D1 ">"
#define DEEPSEEK_END   "<" D1 "tool" D2 "call" D2 "end" D1 ">"
#define DSML(word)     "<" D1 "DSML" D1 word
#define END_DSML(word) "</" D1 "DSML" D1 word

static const char *const tools[] = {
	"{'name':'Edit','input_schema':{'type':'object','properties':{'path':{'type':'string'},"
	"'line':{'type':'integer'},'all':{'type':'boolean'},'tags':{'type':'array'},"
	"'any':{'type':['string','null']}}}}",
	"{'name':'List','input_schema':{'type':'object'}}",
	"{'name':'mcp__files__read','input_schema':{'type':'object'}}",
};

/* Writes the text, and calls as "name(input)" and thinking in angle brackets. */
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
		else if (part.thinking.len)
			str_addf(out, "\xc2\xab%.*s\xc2\xbb", SV_ARG(part.thinking));
		else
			str_add(out, part.text);
	}
}

static void check_text(const char *in, const char *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv offered[countof(tools)];
	struct model_request request = { .tools = offered, .ntools = countof(tools) };
	struct sv text = js(&arena, in);

	for (size_t i = 0; i < countof(tools); i++)
		offered[i] = js(&arena, tools[i]);
	for (size_t cut = 0; cut <= text.len; cut++) {
		defer(str_clear) struct str got = STR_INIT;

		read_text(&got, &request, text, cut ? cut : 1, cut ? text.len : 1);
		CHECK_SV_EQ(sv_of(&got), js(&arena, out));
	}
}

#define CALL(text) "\xc2\xab" text "\xc2\xbb"

/* clang-format off */
TEST(calls_in_the_markup_of_their_model_are_found_however_they_are_split)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		/* Qwen3-Coder, with and without the outer tag, two calls, and the tag that ends a value in it. */
		{ "I edit.\n<tool_call>\n<function=Edit>\n<parameter=path>\na b\n</parameter>\n<parameter=line>\n7\n"
		  "</parameter>\n</function>\n</tool_call>", "I edit.\n" CALL("Edit({'path':'a b','line':7})") },
		{ "<function=List>\n</function>\n</tool_call>", CALL("List({})") },
		{ "<tool_call>\n<function=List>\n</function>\n</tool_call>\n<tool_call>\n<function=List>\n</function>\n"
		  "</tool_call>", CALL("List({})") CALL("List({})") },
		{ "<tool_call>\n<function=Edit>\n<parameter=path>\n<a></parameter></a>\n</parameter>\n</function>\n"
		  "</tool_call>", CALL("Edit({'path':'<a></parameter></a>'})") },
		{ "<tool_call><function=Edit><parameter=all>true</parameter><parameter=tags>[1, 'x']</parameter>",
		  CALL("Edit({'all':true,'tags':[1, 'x']})") }, /* the end closes it */
		/* GLM 4.5. */
		{ "Sure.\n<tool_call>Edit\n<arg_key>path</arg_key>\n<arg_value>12</arg_value>\n<arg_key>line</arg_key>\n"
		  "<arg_value>12</arg_value>\n</tool_call>", "Sure.\n" CALL("Edit({'path':'12','line':12})") },
		{ "<tool_call>List\n</tool_call>", CALL("List({})") },
		{ "<tool_call>List</tool_call>\n<tool_call>List</tool_call>\nok", CALL("List({})") CALL("List({})") "ok" },
		/* MiniMax M2. */
		{ "\n<minimax:tool_call>\n<invoke name='Edit'>\n<parameter name='path'>a\nb</parameter>\n"
		  "<parameter name='any'>null</parameter></invoke>\n<invoke name='List'>\n</invoke>\n</minimax:tool_call>",
		  "\n" CALL("Edit({'path':'a\\nb','any':null})") CALL("List({})") },
		/* Kimi K2. */
		{ "Look:<|tool_calls_section_begin|><|tool_call_begin|>functions.Edit:0<|tool_call_argument_begin|>"
		  "{'path': 'a'}<|tool_call_end|><|tool_call_begin|>functions.List:1<|tool_call_argument_begin|>{}"
		  "<|tool_call_end|><|tool_calls_section_end|>", "Look:" CALL("Edit({'path': 'a'})") CALL("List({})") },
		{ "<|tool_call_begin|>functions.mcp__files__read:12<|tool_call_argument_begin|>{}", CALL("mcp__files__read({})") },
		/* DeepSeek V3 and R1; V3.1; V3.2. */
		{ "Now." DEEPSEEK_OPEN DEEPSEEK_CALL "function" DEEPSEEK_SEP "Edit\n```json\n{'path': 'a'}\n```" DEEPSEEK_END
		  "\n" DEEPSEEK_CALL "function" DEEPSEEK_SEP "List\n```json\n{}\n```" DEEPSEEK_END DEEPSEEK_CLOSE,
		  "Now." CALL("Edit({'path': 'a'})") CALL("List({})") },
		{ DEEPSEEK_OPEN DEEPSEEK_CALL "Edit" DEEPSEEK_SEP "{'path': 'a'}" DEEPSEEK_END DEEPSEEK_CALL "List"
		  DEEPSEEK_SEP "{}" DEEPSEEK_END DEEPSEEK_CLOSE, CALL("Edit({'path': 'a'})") CALL("List({})") },
		{ "<" D1 "tool_calls_begin" D1 ">" DEEPSEEK_CALL "List" DEEPSEEK_SEP "{}" DEEPSEEK_END, CALL("List({})") },
		{ DSML("function_calls>\n") DSML("invoke name='Edit'>\n") DSML("parameter name='path' string='true'>12")
		  END_DSML("parameter>\n") DSML("parameter name='line' string='false'>3") END_DSML("parameter>\n")
		  END_DSML("invoke>\n") DSML("invoke name='List'>\n") END_DSML("invoke>\n") END_DSML("function_calls>"),
		  CALL("Edit({'path':'12','line':3})") CALL("List({})") },
		/* gpt-oss. */
		{ "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.Edit "
		  "<|constrain|>json<|message|>{'path': 'a'}<|call|>", CALL("Hm.") CALL("Edit({'path': 'a'})") },
		{ "<|start|>assistant to=functions.List<|channel|>commentary<|message|>{}", CALL("List({})") },
		{ "<|channel|>final<|message|>Done.<|return|>", "Done." },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_text(cases[i].in, cases[i].out);
}

TEST(markup_that_is_not_a_call_of_an_offered_tool_stays_text)
{
	static const char *const texts[] = {
		"<tool_call>\n<function=Delete>\n</function>\n</tool_call>",
		"<tool_call>\n<function=Edit>\n<parameter=path>\ncut",
		"<tool_call>\n<function=Edit>\nno parameter\n</function>\n</tool_call>",
		"<tool_call>Delete\n</tool_call>",
		"<tool_call>Edit\n<arg_key>path</arg_key>\n</tool_call>",
		"#include <functional>\n<function=",
		"See `<function=Edit>` and <function=Edit> here.",
		"```\n<function=Edit>\n</function>\n```",
		"<minimax:tool_call>\n<invoke name='Delete'>\n</invoke>\n</minimax:tool_call>",
		"<minimax:tool_call>",
		"<|tool_call_begin|>functions.Edit:0<|tool_call_argument_begin|>{'path': ",
		"<|tool_call_begin|>functions.Edit:0<|tool_call_argument_begin|>[]<|tool_call_end|>",
		DEEPSEEK_OPEN DEEPSEEK_CALL "Edit" DEEPSEEK_SEP "path",
		DEEPSEEK_OPEN,
		"<|channel|>",
		"<|channel|>news<|message|>x",
		"<|channel|>commentary to=functions.Delete<|message|>{}<|call|>",
		"<|channel|>commentary to=functions.Edit<|message|>{'path'<|call|>",
		"a <|start|> b",
	};

	for (size_t i = 0; i < countof(texts); i++)
		check_text(texts[i], texts[i]);
}
/* clang-format on */
