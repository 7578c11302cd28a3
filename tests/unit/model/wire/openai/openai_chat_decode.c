#include "model/wire/openai.h"
#include "model/wire/openai/openai_common.h"

static const struct sv offered[] = { SV_INIT("{\"name\":\"Read\"}"),
				     SV_INIT("{\"name\":\"List\"}") };
static const struct model_request plain_request = { .tools = offered, .ntools = 2 };

/* clang-format off */
#define CHUNK(rest)    "data: {'id':'c1','object':'chat.completion.chunk','model':'m'," rest "}\n\n"
#define CHOICE(rest)   CHUNK("'choices':[{'index':0," rest "}]")
#define DELTA(members) CHOICE("'delta':{" members "},'finish_reason':null")
#define TEXT(text)     DELTA("'content':'" text "'")
#define CALLS(calls)   DELTA("'tool_calls':[" calls "]")
#define FUNCTION(name, arguments) "'function':{'name':'" name "','arguments':" arguments "}"
#define MORE(arguments)           "'function':{'arguments':" arguments "}"
#define FINISH(reason) CHOICE("'delta':{},'finish_reason':'" reason "'")
#define COUNTS         "'usage':{'prompt_tokens':9,'completion_tokens':3,"
#define USAGE          CHUNK("'choices':[]," COUNTS "'prompt_tokens_details':{'cached_tokens':4}}")
#define DONE           "data: [DONE]\n\n"

#define STARTED      "start 0:0 c1\n"
#define USED         "usage 0:0 \n<5 3 4 0 0 0>\n"
#define STOPPED(why) "stop 0:0 " why "\n<5 3 4 0 0 0>\n"
#define NO_IDS       "note 0:0 the server sent tool calls without ids; awl assigned ids\n"

#define TEXT_BLOCK            "{'type':'text','text':''}"
#define THINK_BLOCK           "{'type':'thinking','thinking':'','signature':''}"
#define TOOL(id, name, input) "{'type':'tool_use','id':'" id "','name':'" name "','input':" input "}"

#define TEXT_BEGUN(n)           "block " n ":0  " TEXT_BLOCK "\n"
#define TEXT_ENDED(n, text)     "end " n ":0  {'type':'text','text':'" text "'}\n"
#define TEXT_SENT(n, text)      TEXT_BEGUN(n) "text " n ":0 " text "\n" TEXT_ENDED(n, text)
#define CALL_BEGUN(n, id, name) "block " n ":3  " TOOL(id, name, "{}") " " name "(" id ")\n"
#define CALL_ENDED(n, id, name, input) "end " n ":3  " TOOL(id, name, input) "\n"
#define THOUGHT(text, mark) \
	"block 0:1  " THINK_BLOCK "\nthinking 0:1 " text "\nsignature 0:1 " mark "\n" \
	"end 0:1  {'type':'thinking','thinking':'" text "','signature':'" mark "'}\n"

static const struct {
	const char *in, *log;
} streams[] = {
	/* OpenAI: text, and the usage in a chunk of its own. */
	{ DELTA("'role':'assistant','content':'','refusal':null")
	  TEXT("H\xc3\xa9") TEXT("\\ud83d\\ude00") FINISH("stop") USAGE DONE,
	  STARTED TEXT_BEGUN("0") "text 0:0 H\xc3\xa9\ntext 0:0 \xf0\x9f\x98\x80\n"
	  TEXT_ENDED("0", "H\xc3\xa9\xf0\x9f\x98\x80") USED STOPPED("end_turn") },
	/* OpenAI: two calls, id and name in the first delta of each. */
	{ DELTA("'role':'assistant','content':null")
	  CALLS("{'index':0,'id':'call_a','type':'function'," FUNCTION("Read", "''") "}")
	  CALLS("{'index':0," MORE("'{\\'p\\': '") "}")
	  CALLS("{'index':0," MORE("'1.50}'") "}")
	  CALLS("{'index':1,'id':'call_b','type':'function'," FUNCTION("List", "'{}'") "}")
	  FINISH("tool_calls") USAGE DONE,
	  STARTED CALL_BEGUN("0", "call_a", "Read") "input 0:3 {'p': \ninput 0:3 1.50}\n"
	  CALL_BEGUN("1", "call_b", "List") "input 1:3 {}\n"
	  CALL_ENDED("0", "call_a", "Read", "{'p': 1.50}") CALL_ENDED("1", "call_b", "List", "{}")
	  USED STOPPED("tool_use") },
	/* Interleaved, id and name in each delta, and a call without any input. */
	{ CALLS("{'index':0,'id':'a'," FUNCTION("Read", "'{\\'p\\''") "},"
		"{'index':1,'id':'b'," FUNCTION("Read", "'{'") "},"
		"{'index':2,'id':'c','function':{'name':'List'}}")
	  CALLS("{'index':1,'id':'b'," FUNCTION("Read", "'}'") "},"
		"{'index':0,'id':'a'," FUNCTION("Read", "':1}'") "}")
	  FINISH("tool_calls") DONE,
	  STARTED CALL_BEGUN("0", "a", "Read") "input 0:3 {'p'\n"
	  CALL_BEGUN("1", "b", "Read") "input 1:3 {\n"
	  CALL_BEGUN("2", "c", "List") "input 1:3 }\ninput 0:3 :1}\n"
	  CALL_ENDED("0", "a", "Read", "{'p':1}") CALL_ENDED("1", "b", "Read", "{}")
	  CALL_ENDED("2", "c", "List", "{}") "stop 0:0 tool_use\n" },
	/* The id before the name, and another id in each delta, as an old vLLM did. */
	{ CALLS("{'index':0,'id':'a'}") CALLS("{'index':0," FUNCTION("Read", "''") "}")
	  CALLS("{'index':0,'id':'z','function':{'name':null,'arguments':'{}'}}")
	  FINISH("tool_calls") DONE,
	  STARTED CALL_BEGUN("0", "a", "Read") "input 0:3 {}\n" CALL_ENDED("0", "a", "Read", "{}")
	  "stop 0:0 tool_use\n" },
	/* DeepSeek: reasoning, blanks before the text, cache counts of its own. */
	{ DELTA("'role':'assistant','content':null,'reasoning_content':''")
	  DELTA("'content':null,'reasoning_content':'hm'") TEXT("\\n\\n") TEXT("ok")
	  CHUNK("'choices':[{'index':0,'delta':{'content':''},'finish_reason':'stop'}],"
		COUNTS "'prompt_cache_hit_tokens':4,'prompt_cache_miss_tokens':5}") DONE,
	  STARTED THOUGHT("hm", "openai-chat:reasoning_content")
	  TEXT_BEGUN("1") "text 1:0 \n\n\ntext 1:0 ok\n" TEXT_ENDED("1", "\\n\\nok")
	  USED STOPPED("end_turn") },
	/* Ollama: arguments as an object, index 0 for all, no usage, reason stop. */
	{ DELTA("'reasoning':'x'")
	  CALLS("{'index':0,'id':'call_x1','type':'function'," FUNCTION("Read", "{'p': 1}") "}")
	  CALLS("{'index':0,'id':'call_x2','type':'function'," FUNCTION("Read", "{'p': 2}") "}")
	  FINISH("stop") DONE,
	  STARTED THOUGHT("x", "openai-chat:reasoning")
	  CALL_BEGUN("1", "call_x1", "Read") "input 1:3 {'p':1}\n"
	  CALL_BEGUN("2", "call_x2", "Read") "input 2:3 {'p':2}\n"
	  CALL_ENDED("1", "call_x1", "Read", "{'p':1}") CALL_ENDED("2", "call_x2", "Read", "{'p':2}")
	  "stop 0:0 tool_use\n" },
	/* The same, the first of them malformed. */
	{ CALLS("{'index':0,'id':'a'," FUNCTION("Read", "'['") "}")
	  CALLS("{'index':0,'id':'b'," FUNCTION("Read", "'{}'") "}") FINISH("stop") DONE,
	  STARTED CALL_BEGUN("0", "a", "Read") "input 0:3 [\n" CALL_BEGUN("1", "b", "Read")
	  "input 1:3 {}\nnote 0:0 the input of a Read call is invalid JSON; the call will not run\n"
	  "end 0:3 [ " TOOL("a", "Read", "{}") "\n" CALL_ENDED("1", "b", "Read", "{}")
	  "stop 0:0 tool_use\n" },
	/* More from the cache than there is cannot be. */
	{ CHUNK("'choices':[{'delta':{},'finish_reason':'stop'}]," COUNTS "'prompt_cache_hit_tokens':99}"),
	  STARTED "usage 0:0 \n<0 3 9 0 0 0>\nstop 0:0 end_turn\n<0 3 9 0 0 0>\n" },
	/* Neither id nor index, whole calls; blanks are no text; told once. */
	{ TEXT("I look.") TEXT("\\n")
	  CALLS("{" FUNCTION("Read", "'{\\'p\\':1}'") "},{" FUNCTION("Read", "'{\\'p\\':2}'") "}")
	  CALLS("{" FUNCTION("List", "''") "}") CALLS("{" FUNCTION("Read", "'{}'") "}") TEXT("\\n")
	  FINISH("tool_calls"),
	  STARTED TEXT_BEGUN("0") "text 0:0 I look.\ntext 0:0 \n\n" TEXT_ENDED("0", "I look.\\n") NO_IDS
	  CALL_BEGUN("1", "call_0_0", "Read") "input 1:3 {'p':1}\n"
	  CALL_BEGUN("2", "call_0_1", "Read") "input 2:3 {'p':2}\n"
	  CALL_BEGUN("3", "call_0_2", "List") CALL_BEGUN("4", "call_0_3", "Read") "input 4:3 {}\n"
	  CALL_ENDED("1", "call_0_0", "Read", "{'p':1}") CALL_ENDED("2", "call_0_1", "Read", "{'p':2}")
	  CALL_ENDED("3", "call_0_2", "List", "{}") CALL_ENDED("4", "call_0_3", "Read", "{}")
	  "stop 0:0 tool_use\n" },
	/* vLLM: roles repeated, comments, usage in each chunk, no end mark. */
	{ ": ping\n\n" DELTA("'role':'assistant','content':''")
	  CHUNK("'choices':[{'index':0,'delta':{'role':'assistant','content':'a'},'finish_reason':null,"
		"'logprobs':null}],'usage':{'prompt_tokens':9,'completion_tokens':1}")
	  CHUNK("'choices':[{'index':0,'delta':{'content':'b'},'finish_reason':'length'}],"
		"'usage':{'prompt_tokens':9,'completion_tokens':2,'prompt_tokens_details':null}"),
	  STARTED TEXT_BEGUN("0") "text 0:0 a\ntext 0:0 b\n" TEXT_ENDED("0", "ab")
	  "usage 0:0 \n<9 2 0 0 0 0>\nstop 0:0 max_tokens\n<9 2 0 0 0 0>\n" },
	/* A gateway that ends with zeros, and one that sends both names. */
	{ CHUNK("'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}],"
		"'usage':{'prompt_tokens':9,'completion_tokens':2,'cached_tokens':4}")
	  CHUNK("'choices':[],'usage':{'prompt_tokens':0,'completion_tokens':0,"
		"'prompt_tokens_details':{'cached_tokens':0}}"),
	  STARTED TEXT_SENT("0", "a")
	  "usage 0:0 \n<5 2 4 0 0 0>\nstop 0:0 end_turn\n<5 2 4 0 0 0>\n" },
	{ CHUNK("'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}],"
		"'usage':{'prompt_tokens':9,'completion_tokens':2,'input_tokens':0,'output_tokens':0}"),
	  STARTED TEXT_SENT("0", "a")
	  "usage 0:0 \n<9 2 0 0 0 0>\nstop 0:0 end_turn\n<9 2 0 0 0 0>\n" },
	/* A gateway in JavaScript: characters cut between their UTF-16 halves, in each kind of text. */
	{ DELTA("'reasoning_content':'a\\ud83d'") DELTA("'reasoning_content':'\\ude00'")
	  TEXT("b\\ud83d") TEXT("\\ude00c\\ud83d")
	  CALLS("{'index':0,'id':'1'," FUNCTION("List", "'{\\'p\\':\\'\\ud83d'") "}")
	  CALLS("{'index':0,'function':{'arguments':'\\ude00\\'}'}}") FINISH("tool_calls"),
	  STARTED "block 0:1  " THINK_BLOCK "\nthinking 0:1 a\nthinking 0:1 \xf0\x9f\x98\x80\n"
	  "signature 0:1 openai-chat:reasoning_content\n"
	  "end 0:1  {'type':'thinking','thinking':'a\xf0\x9f\x98\x80','signature':'openai-chat:reasoning_content'}\n"
	  TEXT_BEGUN("1") "text 1:0 b\ntext 1:0 \xf0\x9f\x98\x80""c\n" TEXT_ENDED("1", "b\xf0\x9f\x98\x80""c")
	  CALL_BEGUN("2", "1", "List") "input 2:3 {'p':'\ninput 2:3 \xf0\x9f\x98\x80'}\n"
	  TEXT_SENT("3", "\xef\xbf\xbd") CALL_ENDED("2", "1", "List", "{'p':'\xf0\x9f\x98\x80'}")
	  "stop 0:0 tool_use\n" },
	/* Thinking in the text, and thinking that the template has opened: it is retyped at its end. */
	{ TEXT("<think>\\nhm") TEXT("\\n</think>\\n\\nHi.") FINISH("stop"),
	  STARTED "block 0:1  " THINK_BLOCK "\nthinking 0:1 hm\nsignature 0:1 openai-chat:<think>\n"
	  "end 0:1  {'type':'thinking','thinking':'hm','signature':'openai-chat:<think>'}\n"
	  TEXT_SENT("1", "Hi.") "stop 0:0 end_turn\n" },
	{ TEXT("hm") TEXT("</think>\\n\\nHi.") FINISH("stop"),
	  STARTED TEXT_BEGUN("0") "text 0:0 hm\nsignature 0:1 openai-chat:<think>\n"
	  "end 0:1  {'type':'thinking','thinking':'hm','signature':'openai-chat:<think>'}\n"
	  TEXT_SENT("1", "Hi.") "stop 0:0 end_turn\n" },
	/* LM Studio: carriage returns, the reason with the call, then usage. */
	{ "data: {'id':'c1','choices':[{'delta':{'tool_calls':[{'index':0,'id':'1','type':'function',"
	  FUNCTION("List", "'{}'") "}]},'finish_reason':'tool_calls'}]}\r\n\r\n" USAGE DONE,
	  STARTED CALL_BEGUN("0", "1", "List") "input 0:3 {}\n" CALL_ENDED("0", "1", "List", "{}")
	  USED STOPPED("tool_use") },
	/* Mistral: content in parts. */
	{ DELTA("'content':[{'type':'thinking','thinking':[{'type':'text','text':'t'}]},"
		"{'type':'text','text':'a'}]") FINISH("stop") DONE,
	  STARTED "block 0:1  " THINK_BLOCK "\nthinking 0:1 t\n"
	  "end 0:1  {'type':'thinking','thinking':'t','signature':''}\n"
	  TEXT_SENT("1", "a") "stop 0:0 end_turn\n" },
	/* The form before there were tools: one function_call. */
	{ DELTA("'function_call':{'name':'List','arguments':'{'}")
	  DELTA("'function_call':{'arguments':'}'}") FINISH("function_call") DONE,
	  STARTED NO_IDS CALL_BEGUN("0", "call_0_0", "List") "input 0:3 {\ninput 0:3 }\n"
	  CALL_ENDED("0", "call_0_0", "List", "{}") "stop 0:0 tool_use\n" },
	/* Azure: an empty first chunk; a filter at the end. */
	{ CHUNK("'choices':[],'prompt_filter_results':[]") TEXT("a") FINISH("content_filter") DONE,
	  STARTED TEXT_SENT("0", "a") "stop 0:0 refusal\n" },
	/* A refusal in words. */
	{ DELTA("'content':null,'refusal':'I will not.'") FINISH("stop") DONE,
	  STARTED TEXT_SENT("0", "I will not.") "stop 0:0 refusal\n" },
	/* No reason but an end; a reason we do not know; more answers than asked for. */
	{ TEXT("a") DONE,
	  STARTED TEXT_BEGUN("0") "text 0:0 a\nnote 0:0 the server did not send a finish reason\n"
	  TEXT_ENDED("0", "a") "stop 0:0 end_turn\n" },
	{ TEXT("a") FINISH("insufficient_system_resource") DONE,
	  STARTED TEXT_SENT("0", "a") "stop 0:0 insufficient_system_resource\n" },
	{ CHUNK("'choices':[{'index':1,'delta':{'content':'other'}},{'index':0,'delta':{'content':'a'}}]")
	  FINISH("stop") DONE,
	  STARTED "note 0:0 the server sent more than one choice; awl uses the first\n"
	  TEXT_SENT("0", "a") "stop 0:0 end_turn\n" },
	{ FINISH("tool_calls") DONE,
	  STARTED "note 0:0 the server announced a tool call but sent none\nstop 0:0 end_turn\n" },
	/* Text before and after calls, thinking in between. */
	{ TEXT("a") CALLS("{'index':0,'id':'x'," FUNCTION("List", "'{}'") "}") TEXT("b")
	  DELTA("'thinking':'t'") FINISH("tool_calls") DONE,
	  STARTED TEXT_SENT("0", "a") CALL_BEGUN("1", "x", "List") "input 1:3 {}\n" TEXT_SENT("2", "b")
	  "block 3:1  " THINK_BLOCK "\nthinking 3:1 t\nsignature 3:1 openai-chat:thinking\n"
	  "end 3:1  {'type':'thinking','thinking':'t','signature':'openai-chat:thinking'}\n"
	  CALL_ENDED("1", "x", "List", "{}") "stop 0:0 tool_use\n" },
};

/* Inputs as models write them, and the log from the first input on. */
static const struct {
	const char *arguments, *reason, *log;
} inputs[] = {
	{ "'{\\'a\\':1,}'", "tool_calls",
	  "input 0:3 {'a':1\ninput 0:3 }\n"
	  "note 0:0 the input of a Read call was invalid JSON; awl repaired it\n"
	  CALL_ENDED("0", "x", "Read", "{'a':1}") },
	{ "'{\\'a\\':[1,{\\'b\\':2}'", "tool_calls",
	  "input 0:3 {'a':[1,{'b':2}\ninput 0:3 ]}\n"
	  "note 0:0 the input of a Read call was invalid JSON; awl repaired it\n"
	  CALL_ENDED("0", "x", "Read", "{'a':[1,{'b':2}]}") },
	/* The same, cut: nobody knows what else would have come. */
	{ "'{\\'a\\':[1,{\\'b\\':2}'", "length",
	  "input 0:3 {'a':[1,{'b':2}\n"
	  "end 0:3 {'a':[1,{'b':2} " TOOL("x", "Read", "{}") "\n" },
	{ "'{\\'a\\':\\'b'", "stop",
	  "input 0:3 {'a':'b\n"
	  "note 0:0 the input of a Read call is invalid JSON; the call will not run\n"
	  "end 0:3 {'a':'b " TOOL("x", "Read", "{}") "\n" },
	{ "'rm -rf'", "stop",
	  "input 0:3 rm -rf\nnote 0:0 the input of a Read call is invalid JSON; the call will not run\n"
	  "end 0:3 rm -rf " TOOL("x", "Read", "{}") "\n" },
	{ "'[1]'", "stop", "input 0:3 [1]\nend 0:3 [1] " TOOL("x", "Read", "{}") "\n" },
	{ "' '", "stop", "input 0:3  \n" CALL_ENDED("0", "x", "Read", "{}") },
	{ "null", "stop", CALL_ENDED("0", "x", "Read", "{}") },
};
/* clang-format on */

TEST(streams_of_many_servers_are_read_however_they_are_split)
{
	for (size_t i = 0; i < countof(streams); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;

		check_stream(&provider_openai_chat, &plain_request, js(&arena, streams[i].in),
			     js(&arena, streams[i].log).ptr);
	}
}

TEST(inputs_are_mended_only_where_it_is_certain_what_they_mean)
{
	for (size_t i = 0; i < countof(inputs); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct sv in = arena_printf(&arena,
					    CALLS("{'index':0,'id':'x'," FUNCTION("Read", "%s") "}")
						    FINISH("%s") DONE,
					    inputs[i].arguments, inputs[i].reason);
		struct sv log = arena_printf(
			&arena, STARTED CALL_BEGUN("0", "x", "Read") "%sstop 0:0 %s\n",
			inputs[i].log,
			sv_is(sv_cstr(inputs[i].reason), "length") ? "max_tokens" : "tool_use");

		check_log(&provider_openai_chat, &plain_request, js(&arena, in.ptr),
			  js(&arena, log.ptr).ptr);
	}
}

TEST(ids_that_the_conversation_has_already_are_replaced)
{
	static const struct sv messages[] = { SV_INIT("{\"id\":\"call_2_0\"}"),
					      SV_INIT("{\"id\":\"x\"}") };
	struct model_request request = plain_request;
	defer(arena_clear) struct arena arena = ARENA_INIT;

	request.messages = messages;
	request.nmessages = 2;
	check_log(
		&provider_openai_chat, &request,
		js(&arena, CALLS("{'index':0,'id':'x'," FUNCTION("List", "''") "}")
				   CALLS("{'index':1,'id':'y'," FUNCTION("List", "''") "}")
					   CALLS("{'index':2,'id':'y'," FUNCTION("List", "''") "}")
						   FINISH("stop")),
		js(&arena, STARTED
		   "note 0:0 the server used the id x for two tool calls; awl assigned a new id to "
		   "the second\n" CALL_BEGUN("0", "call_2_1", "List") CALL_BEGUN("1", "y", "List")
			   CALL_BEGUN("2", "call_2_2", "List") CALL_ENDED(
				   "0", "call_2_1", "List", "{}") CALL_ENDED("1", "y", "List", "{}")
				   CALL_ENDED("2", "call_2_2", "List", "{}") "stop 0:0 tool_use\n")
			.ptr);
}

TEST(failures_are_told_as_what_came)
{
	static const struct {
		const char *in;
		enum model_failure failure;
		const char *part;
	} cases[] = {
		{ "", MODEL_FAILED_PROTOCOL, "contains no stream events" },
		{ "<html>Hello</html>\n\n", MODEL_FAILED_PROTOCOL, "contains no stream events" },
		{ "data: <html>Hello</html>\n\n", MODEL_FAILED_PROTOCOL,
		  "not valid JSON: <html>Hello</html>" },
		{ "event: error\ndata: oh no\n\n", MODEL_FAILED_PROTOCOL,
		  "received an error: oh no" },
		{ "data: [1]\n\n", MODEL_FAILED_PROTOCOL, "not a JSON object: [1]" },
		{ DONE, MODEL_FAILED_PROTOCOL, "ended before any content" },
		{ TEXT("half"), MODEL_FAILED_NETWORK, "ended after 1 event" },
		{ TEXT("half") "data: {'error':{'message':'slow down','type':'requests','code':"
			       "'rate_limit_exceeded'}}\n\n",
		  MODEL_FAILED_RATE_LIMIT, "slow down (rate_limit_exceeded)" },
		{ "data: {'error':{'code':503,'message':'Loading model','type':'unavailable_error'}"
		  "}\n\n",
		  MODEL_FAILED_SERVER, "Loading model" },
		{ "data: {'error':'model runner has unexpectedly stopped'}\n\n",
		  MODEL_FAILED_SERVER, "runner" },
		{ "data: {'object':'error','message':'This model\xe2\x80\x99s maximum context "
		  "length is 10 tokens','code':400}\n\n",
		  MODEL_FAILED_PROMPT_TOO_LONG, "maximum context" },
		{ TEXT("a") FINISH("error"), MODEL_FAILED_SERVER, "with an error" },
		{ CHUNK("'choices':[],'usage':{'prompt_tokens':-1}"), MODEL_FAILED_PROTOCOL,
		  "count" },
		{ CALLS("{'index':0,'id':'x'," MORE("'{}'") "}"), MODEL_FAILED_PROTOCOL,
		  "before its tool name" },
		{ CALLS("{'index':0,'id':'x'}") FINISH("stop") DONE, MODEL_FAILED_PROTOCOL,
		  "has no name" },
		{ CALLS("{'index':0,'id':'x'," FUNCTION("Read", "'{'") "}")
			  CALLS("{'index':0,'id':'x'," FUNCTION("List", "'}'") "}"),
		  MODEL_FAILED_PROTOCOL, "changed from Read" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;

		check_failure(&provider_openai_chat, &plain_request, js(&arena, cases[i].in),
			      cases[i].failure, cases[i].part);
	}
}

TEST(a_stream_that_breaks_off_is_a_reset)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(outcome_clear) struct outcome o;

	run_stream(&o, &provider_openai_chat, &plain_request, js(&arena, TEXT("half")), 9, 9);
	CHECK_ERR(o.error.err, ERR_RESET, "before a finish reason");
}

#define WHOLE_TEXT STARTED TEXT_SENT("0", "hi") USED STOPPED("end_turn")

TEST(whole_answers_are_read_whatever_they_are_called)
{
	static const struct {
		const char *body, *log;
	} cases[] = {
		{ "{'id':'c1','object':'chat.completion','model':'m','choices':[{'index':0,"
		  "'message':{'role':'assistant','content':'hi'},'finish_reason':'stop'}]," COUNTS
		  "'cached_tokens':4}}",
		  WHOLE_TEXT },
		{ "{'id':'c1','choices':[{'message':{'content':null,'tool_calls':[{'id':'a',"
		  "'type':'function'," FUNCTION("Read", "'{'") "},{'type':'function'," FUNCTION(
			  "Read", "'{}'") "}]},'finish_reason':'tool_calls'}]}",
		  STARTED CALL_BEGUN("0", "a", "Read") "input 0:3 {\n" NO_IDS CALL_BEGUN(
			  "1", "call_0_1",
			  "Read") "input 1:3 {}\n"
				  "note 0:0 the input of a Read call is invalid JSON; the call "
				  "will not run\nend 0:3 { " TOOL(
					  "a", "Read",
					  "{}") "\n" CALL_ENDED("1", "call_0_1", "Read",
								"{}") "stop 0:0 tool_use\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(outcome_clear) struct outcome o;

		run_whole(&o, &provider_openai_chat, &plain_request, js(&arena, cases[i].body));
		CHECK_OK(o.ok, o.error.err);
		CHECK_STR(o.log.ptr, js(&arena, cases[i].log).ptr);
	}
}

TEST(whole_answers_that_are_none_are_named)
{
	static const struct {
		const char *body;
		enum model_failure failure;
		const char *part;
	} cases[] = {
		{ "", MODEL_FAILED_PROTOCOL, "not valid JSON" },
		{ "<!DOCTYPE html>\n<html>", MODEL_FAILED_PROTOCOL, "<!DOCTYPE html> <html>" },
		{ "{'choices':[]}", MODEL_FAILED_PROTOCOL, "no choices" },
		{ "{'error':{'message':'no such key','code':'invalid_api_key'}}", MODEL_FAILED_AUTH,
		  "no such key" },
		{ "{'detail':'Not Found'}", MODEL_FAILED_SERVER, "Not Found" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(outcome_clear) struct outcome o;

		run_whole(&o, &provider_openai_chat, &plain_request, js(&arena, cases[i].body));
		CHECK(!o.ok);
		CHECK_INT(o.error.failure, cases[i].failure);
		CHECK_ERR(o.error.err, o.error.err.kind, cases[i].part);
	}
}

TEST(more_calls_than_anybody_means_are_refused)
{
	defer(str_clear) struct str in = STR_INIT;
	defer(outcome_clear) struct outcome o;

	for (int i = 0; i <= LIMIT_MODEL_CALLS; i++)
		str_addf(&in,
			 "data: "
			 "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"i%d\","
			 "\"function\":{\"name\":\"Read\",\"arguments\":\"{}\"}}]}}]}\n\n",
			 i, i);
	run_stream(&o, &provider_openai_chat, &plain_request, sv_of(&in), in.len, 1);
	CHECK(!o.ok);
	CHECK_ERR(o.error.err, ERR_TOO_BIG, "more than 256 tool calls");
}

TEST(a_router_says_what_it_charges)
{
	static const struct {
		const char *usage;
		int64_t charged; /* -1: it does not say */
	} cases[] = {
		{ "{'prompt_tokens':9,'completion_tokens':3,'cost':0.00014}", 140000 },
		{ "{'prompt_tokens':9,'cost':0}", 0 },
		{ "{'prompt_tokens':9,'cost':0.001,'is_byok':true,"
		  "'cost_details':{'upstream_inference_cost':0.02}}",
		  21000000 },
		{ "{'prompt_tokens':9,'cost':0.001,'is_byok':false,"
		  "'cost_details':{'upstream_inference_cost':0.0009}}",
		  1000000 },
		{ "{'prompt_tokens':9}", -1 },
		{ "{'prompt_tokens':9,'cost':-1}", -1 },
		{ "{'prompt_tokens':9,'cost':1e99}", -1 },
		{ "{'prompt_tokens':9,'cost':'0.1'}", -1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct usage u = { 0 };
		struct err err = ERR_INIT;

		for (const char *c = cases[i].usage; *c; c++)
			str_addc(&text, *c == '\'' ? '"' : *c);
		doc = json_parse(sv_of(&text), 0, &err);
		CHECK_OK(openai_usage(&u, json_root(doc), &err), err);
		CHECK_INT(u.is_charged ? u.charged : -1, cases[i].charged);
	}
}

TEST(reasoning_tokens_of_both_apis_are_counted_as_thinking_within_the_output)
{
	static const struct {
		const char *usage;
		int64_t thinking;
	} cases[] = {
		{ "{\"completion_tokens\":9,"
		  "\"completion_tokens_details\":{\"reasoning_tokens\":5}}",
		  5 },
		{ "{\"output_tokens\":9,\"output_tokens_details\":{\"reasoning_tokens\":6}}", 6 },
		{ "{\"output_tokens\":9,\"output_tokens_details\":{\"reasoning_tokens\":60}}", 9 },
		{ "{\"output_tokens\":9,\"output_tokens_details\":null}", 0 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(cases[i].usage), 0, &err);
		struct usage u = { .known = false };

		CHECK_OK(openai_usage(&u, json_root(doc), &err), err);
		CHECK_INT(u.thinking, cases[i].thinking);
	}
}
