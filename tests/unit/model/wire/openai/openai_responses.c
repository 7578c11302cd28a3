#include "model/wire/openai.h"

static const struct sv offered[] = { SV_INIT("{\"name\":\"Read\"}"),
				     SV_INIT("{\"name\":\"List\"}") };
static const struct model_request plain_request = { .tools = offered, .ntools = 2 };

/* clang-format off */
#define REASONING "{'id':'rs_1','type':'reasoning' ,'summary':[],'encrypted_content':'gAAA'}"
#define ESCAPED_REASONING \
	"{\\'id\\':\\'rs_1\\',\\'type\\':\\'reasoning\\' ,\\'summary\\':[],\\'encrypted_content\\':\\'gAAA\\'}"
#define SIGNATURE "openai-responses:" ESCAPED_REASONING

/* Encoding. */

static const struct {
	const char *in, *out, *notes;
} messages[] = {
	{ "{'role':'user','content':'hello'}",
	  "{'type':'message','role':'user','content':[{'type':'input_text','text':'hello'}]}", "" },
	{ "{'role':'user','content':[{'type':'text','text':'see'},{'type':'image','source':{'type':"
	  "'base64','media_type':'image/png','data':'iV'}},{'type':'document','title':'a.pdf','source':"
	  "{'type':'base64','media_type':'application/pdf','data':'JV'}}]}",
	  "{'type':'message','role':'user','content':[{'type':'input_text','text':'see'},{'type':"
	  "'input_image','image_url':'data:image/png;base64,iV'},{'type':'input_file','filename':"
	  "'a.pdf','file_data':'data:application/pdf;base64,JV'}]}", "" },
	{ "{'role':'user','content':[{'type':'text','text':'so?'},{'type':'tool_result','tool_use_id':"
	  "'t1','content':'one'},{'type':'tool_result','tool_use_id':'t2','is_error':true,'content':[{"
	  "'type':'text','text':'no'}]},{'type':'tool_result','tool_use_id':'t3','content':[{'type':"
	  "'image','source':{'type':'url','url':'http://i'}}]}]}",
	  "{'type':'function_call_output','call_id':'t1','output':'one'},{'type':'function_call_output',"
	  "'call_id':'t2','output':'Error:\\n\\nno'},{'type':'function_call_output','call_id':'t3',"
	  "'output':[{'type':'input_image','image_url':'http://i'}]},{'type':'message','role':'user',"
	  "'content':[{'type':'input_text','text':'so?'}]}", "" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'','signature':'" SIGNATURE "'},"
	  "{'type':'text','text':'I look.'},{'type':'tool_use','id':'t1','name':'Read','input':{'p' : "
	  "1.50}},{'type':'text','text':'And.'}]}",
	  REASONING ",{'type':'message','role':'assistant','content':[{'type':'output_text','text':"
	  "'I look.'}]},{'type':'function_call','call_id':'t1','name':'Read','arguments':'{\\'p\\' : "
	  "1.50}'},{'type':'message','role':'assistant','content':[{'type':'output_text','text':'And.'}]}",
	  "" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'hm','signature':"
	  "'openai-responses-text:rs_1'},{'type':'thinking','thinking':'so','signature':"
	  "'openai-responses-text:'}]}",
	  "{'type':'reasoning','id':'rs_1','summary':[],'content':[{'type':'reasoning_text','text':'hm'}],"
	  "'encrypted_content':''},{'type':'reasoning','summary':[],'content':[{'type':'reasoning_text',"
	  "'text':'so'}],'encrypted_content':''}", "" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'hm','signature':'c2ln'},{'type':"
	  "'thinking','thinking':'x','signature':'openai-responses:1 2'},{'type':'text','text':'a'}]}",
	  "{'type':'message','role':'assistant','content':[{'type':'output_text','text':'a'}]}",
	  "omitted thinking from another provider\n" },
};
/* clang-format on */

TEST(every_block_becomes_an_item)
{
	for (size_t i = 0; i < countof(messages); i++) {
		defer(str_clear) struct str expected = STR_INIT;
		struct sv message;

		SCENE(s, provider_openai_responses);
		message = js(&s.arena, messages[i].in);
		s.request.messages = &message;
		str_addf(&expected,
			 "{\"model\":\"local-model\",\"input\":[%s],\"max_output_tokens\":100,"
			 "\"store\":false,\"stream\":true,\"prompt_cache_key\":1}",
			 js(&s.arena, messages[i].out).ptr);
		s.config.extra_body = "{\"prompt_cache_key\":1}"; /* see openai_chat_encode.c */
		CHECK_STR(encoded(&s), expected.ptr);
		CHECK_STR(str_c(&s.notes), messages[i].notes);
		CHECK_STR(s.wire.url, "http://localhost:8080/v1/responses");
	}
}

TEST(a_reasoning_model_is_asked_to_give_its_reasoning_along)
{
	static const struct sv system[] = { SV_INIT("Be kind."), SV_INIT("Be brief.") };
	struct sv tools[1];

	SCENE(s, provider_openai_responses);
	tools[0] = js(&s.arena,
		      "{'name':'Read','description':'reads','input_schema':{'type':'object'}}");
	s.request.tools = tools;
	s.request.ntools = 1;
	s.request.system = system;
	s.request.nsystem = 2;
	s.request.model = SV("gpt-5");
	s.request.effort = MODEL_EFFORT_MEDIUM;
	s.request.thinking = MODEL_THINK_ADAPTIVE;
	s.request.whole = true;
	CHECK_SV_EQ(sv_cstr(encoded(&s)),
		    js(&s.arena,
		       "{'model':'gpt-5','instructions':'Be kind.\\n\\nBe brief.','tools':[{'type':"
		       "'function','name':'Read','description':'reads','parameters':{'type':"
		       "'object'},'strict':false}],'input':[{'type':'message','role':'user',"
		       "'content':[{'type':'input_text','text':'hello'}]}],'max_output_tokens':100,"
		       "'reasoning':{'effort':'medium','summary':'auto'},'include':["
		       "'reasoning.encrypted_content'],'prompt_cache_key':"
		       "'awl-2d07ed513a03c65a','store':false}"));
	CHECK_STR(str_c(&s.notes), "");
	s.request.model = SV("gpt-4o"); /* would refuse all of it */
	s.request.effort = MODEL_EFFORT_DEFAULT;
	CHECK(!strstr(encoded(&s), "reasoning"));
}

/* Decoding. */

/* clang-format off */
#define EVENT(type, rest) "event: " type "\ndata: {'type':'" type "'" rest "}\n\n"
#define CREATED  EVENT("response.created", ",'response':{'id':'r1','model':'m','output':[]}")
#define ADDED(n, item) EVENT("response.output_item.added", ",'output_index':" n ",'item':" item)
#define ENDED(n, item) EVENT("response.output_item.done", ",'output_index':" n ",'item':" item)
#define TEXT(n, text)  EVENT("response.output_text.delta", ",'output_index':" n ",'delta':'" text "'")
#define ARGS(n, text)  \
	EVENT("response.function_call_arguments.delta", ",'output_index':" n ",'delta':'" text "'")
#define SUMMARY(text)  EVENT("response.reasoning_summary_text.delta", ",'delta':'" text "'")
#define USAGE "'usage':{'input_tokens':9,'input_tokens_details':{'cached_tokens':4},'output_tokens':3}"
#define COMPLETED \
	EVENT("response.completed", ",'response':{'id':'r1','status':'completed','output':[{}]," USAGE "}")
#define MESSAGE "{'id':'m1','type':'message','role':'assistant','content':[{'text':'again'}]}"
#define CALL(id, name, args) \
	"{'id':'fc','type':'function_call','call_id':'" id "','name':'" name "','arguments':'" args "'}"

#define STARTED    "start 0:0 r1\n"
#define END(why)   "usage 0:0 \n<5 3 4 0 0 0>\nstop 0:0 " why "\n<5 3 4 0 0 0>\n"
#define TEXT_BEGUN(n)       "block " n ":0  {'type':'text','text':''}\n"
#define TEXT_ENDED(n, text) "end " n ":0  {'type':'text','text':'" text "'}\n"
#define THINK_BEGUN(n) "block " n ":1  {'type':'thinking','thinking':'','signature':''}\n"
#define THINK_ENDED(n, text) \
	"signature " n ":1 openai-responses:" REASONING "\n" \
	"end " n ":1  {'type':'thinking','thinking':'" text "','signature':'" SIGNATURE "'}\n"
#define TOOL(id, name, input) "{'type':'tool_use','id':'" id "','name':'" name "','input':" input "}"
#define CALL_SENT(n, id, name, pieces, input) \
	"block " n ":3  " TOOL(id, name, "{}") " " name "(" id ")\n" pieces \
	"end " n ":3  " TOOL(id, name, input) "\n"

#define TEXT_SIGNED(n, text, id) \
	"signature " n ":1 openai-responses-text:" id "\n" \
	"end " n ":1  {'type':'thinking','thinking':'" text "','signature':'openai-responses-text:" id "'}\n"

/* llama.cpp: no indices, no ids of calls but `call_id`, and every item is done at the end. */
#define L_ADDED(item)      EVENT("response.output_item.added", ",'item':" item)
#define L_DONE(item)       EVENT("response.output_item.done", ",'item':" item)
#define L_TEXT(id, text)   EVENT("response.output_text.delta", ",'item_id':'" id "','delta':'" text "'")
#define L_THINK(id, text)  EVENT("response.reasoning_text.delta", ",'delta':'" text "','item_id':'" id "'")
#define L_ARGS(id, text) \
	EVENT("response.function_call_arguments.delta", ",'delta':'" text "','item_id':'" id "'")
#define L_MESSAGE(id, text) "{'type':'message','id':'" id "','content':[{'type':'output_text','text':'" text "'}]}"
#define L_REASONING(id, text) \
	"{'id':'" id "','summary':[],'type':'reasoning','content':[{'text':'" text "','type':'reasoning_text'}]," \
	"'encrypted_content':''}"
#define L_CALL(id, name, args) \
	"{'type':'function_call','status':'completed','arguments':'" args "','call_id':'" id "','name':'" name "'}"

static const struct {
	const char *in, *log;
} streams[] = {
	{ CREATED L_ADDED("{'id':'rs_1','type':'reasoning','summary':[],'content':[],'encrypted_content':''}")
	  L_THINK("rs_1", "h") L_THINK("rs_1", "m") L_ADDED(L_MESSAGE("msg_1", ""))
	  L_TEXT("msg_1", "two ") L_TEXT("msg_1", "files") L_ADDED(L_CALL("fc_a", "Read", ""))
	  L_ARGS("fc_a", "{\\'p\\':") L_ARGS("fc_a", "1}") L_ADDED(L_CALL("fc_b", "Read", ""))
	  L_ARGS("fc_b", "{\\'p\\':2}") L_DONE(L_REASONING("rs_1", "hm"))
	  EVENT("response.output_text.done", ",'item_id':'msg_1','text':'two files'")
	  L_DONE(L_MESSAGE("msg_1", "two files")) L_DONE(L_CALL("fc_a", "Read", "{\\'p\\':1}"))
	  L_DONE(L_CALL("fc_b", "Read", "{\\'p\\':2}")) COMPLETED,
	  STARTED THINK_BEGUN("0") "thinking 0:1 h\nthinking 0:1 m\n" TEXT_SIGNED("0", "hm", "rs_1")
	  TEXT_BEGUN("1") "text 1:0 two \ntext 1:0 files\n" TEXT_ENDED("1", "two files")
	  "block 2:3  " TOOL("fc_a", "Read", "{}") " Read(fc_a)\ninput 2:3 {'p':\ninput 2:3 1}\n"
	  "block 3:3  " TOOL("fc_b", "Read", "{}") " Read(fc_b)\ninput 3:3 {'p':2}\n"
	  "end 2:3  " TOOL("fc_a", "Read", "{'p':1}") "\nend 3:3  " TOOL("fc_b", "Read", "{'p':2}") "\n"
	  END("tool_use") },
	/* The same server with a model whose calls have no ids: both are "fc_". */
	{ CREATED L_ADDED(L_CALL("fc_", "Read", "")) L_ARGS("fc_", "{\\'p\\':1}")
	  L_ADDED(L_CALL("fc_", "List", "")) L_ARGS("fc_", "{\\'p\\':2}")
	  L_DONE(L_CALL("fc_", "Read", "{\\'p\\':1}")) L_DONE(L_CALL("fc_", "List", "{\\'p\\':2}")) COMPLETED,
	  STARTED "block 0:3  " TOOL("fc_", "Read", "{}") " Read(fc_)\ninput 0:3 {'p':1}\n"
	  "note 0:0 the server used the id fc_ for two tool calls; awl assigned a new id to the second\n"
	  "block 1:3  " TOOL("call_0_1", "List", "{}") " List(call_0_1)\ninput 1:3 {'p':2}\n"
	  "end 0:3  " TOOL("fc_", "Read", "{'p':1}") "\nend 1:3  " TOOL("call_0_1", "List", "{'p':2}") "\n"
	  END("tool_use") },
	/* Items that overlap, identified by id: one with deltas, one without. */
	{ CREATED L_ADDED(L_MESSAGE("m1", "")) L_ADDED(L_MESSAGE("m2", "")) L_TEXT("m1", "one ")
	  L_DONE(L_MESSAGE("m2", "two")) L_DONE(L_MESSAGE("m1", "one ")) COMPLETED,
	  STARTED TEXT_BEGUN("0") "text 0:0 one \ntext 0:0 two\n" TEXT_ENDED("0", "one two") END("end_turn") },
	/* A call that was never announced, while another one is open. */
	{ CREATED L_ADDED(L_CALL("a", "Read", "")) L_DONE(L_CALL("b", "List", "{}")) L_ARGS("a", "{}")
	  L_DONE(L_CALL("a", "Read", "{}")) COMPLETED,
	  STARTED "block 0:3  " TOOL("a", "Read", "{}") " Read(a)\n" CALL_SENT("1", "b", "List", "input 1:3 {}\n", "{}")
	  "input 0:3 {}\nend 0:3  " TOOL("a", "Read", "{}") "\n" END("tool_use") },
	/* Deltas with an id that no item has. */
	{ CREATED L_ADDED(L_CALL("a", "Read", "")) L_ARGS("item_7", "{\\'p\\':1}")
	  L_DONE(L_CALL("a", "Read", "{\\'p\\':1}")) COMPLETED,
	  STARTED CALL_SENT("0", "a", "Read", "input 0:3 {'p':1}\n", "{'p':1}") END("tool_use") },
	/* Encrypted reasoning that is done after the text: sent back in a block of its own. */
	{ CREATED L_ADDED("{'id':'rs_1','type':'reasoning'}")
	  EVENT("response.reasoning_summary_text.delta", ",'item_id':'rs_1','delta':'s'")
	  L_ADDED(L_MESSAGE("m1", "")) L_TEXT("m1", "t") L_DONE(REASONING) L_DONE(L_MESSAGE("m1", "t")) COMPLETED,
	  STARTED THINK_BEGUN("0") "thinking 0:1 s\nend 0:1  {'type':'thinking','thinking':'s','signature':''}\n"
	  TEXT_BEGUN("1") "text 1:0 t\n" TEXT_ENDED("1", "t") THINK_BEGUN("2") THINK_ENDED("2", "")
	  END("end_turn") },
	/* Characters cut between their UTF-16 halves. */
	{ CREATED L_TEXT("m1", "a\\ud83d") L_TEXT("m1", "\\ude00") L_ADDED(L_CALL("c", "Read", ""))
	  L_ARGS("c", "{\\'p\\':\\'\\ud83d") L_ARGS("c", "\\ude00\\'}") COMPLETED,
	  STARTED TEXT_BEGUN("0") "text 0:0 a\ntext 0:0 \xf0\x9f\x98\x80\n" TEXT_ENDED("0", "a\xf0\x9f\x98\x80")
	  CALL_SENT("1", "c", "Read", "input 1:3 {'p':'\ninput 1:3 \xf0\x9f\x98\x80'}\n",
		    "{'p':'\xf0\x9f\x98\x80'}") END("tool_use") },
	/* Two items of reasoning in a row are two blocks. */
	{ CREATED L_THINK("rs_1", "a") L_THINK("rs_2", "b") COMPLETED,
	  STARTED THINK_BEGUN("0") "thinking 0:1 a\n" TEXT_SIGNED("0", "a", "rs_1") THINK_BEGUN("1")
	  "thinking 1:1 b\n" TEXT_SIGNED("1", "b", "rs_2") END("end_turn") },
	/* A reasoning model: reasoning with two parts of a summary, text, two calls. */
	{ CREATED EVENT("response.in_progress", ",'response':{'id':'r1'}") ADDED("0", "{'type':'reasoning'}")
	  EVENT("response.reasoning_summary_part.added", "") SUMMARY("a") SUMMARY("b")
	  EVENT("response.reasoning_summary_part.done", "")
	  EVENT("response.reasoning_summary_part.added", "") SUMMARY("c") ENDED("0", REASONING)
	  ADDED("1", MESSAGE) EVENT("response.content_part.added", ",'part':{}") TEXT("1", "hi ")
	  TEXT("1", "you") EVENT("response.output_text.done", ",'text':'hi you'") ENDED("1", MESSAGE)
	  ADDED("2", CALL("c1", "Read", "")) ARGS("2", "{\\'p\\':") ARGS("2", "1}")
	  EVENT("response.function_call_arguments.done", ",'arguments':'{}'")
	  ENDED("2", CALL("c1", "Read", "{\\'p\\':1}"))
	  ADDED("3", CALL("c2", "List", "")) ENDED("3", CALL("c2", "List", "{}")) COMPLETED,
	  STARTED THINK_BEGUN("0") "thinking 0:1 a\nthinking 0:1 b\nthinking 0:1 \n\n\nthinking 0:1 c\n"
	  THINK_ENDED("0", "ab\\n\\nc") TEXT_BEGUN("1") "text 1:0 hi \ntext 1:0 you\n"
	  TEXT_ENDED("1", "hi you")
	  CALL_SENT("2", "c1", "Read", "input 2:3 {'p':\ninput 2:3 1}\n", "{'p':1}")
	  CALL_SENT("3", "c2", "List", "input 3:3 {}\n", "{}") END("tool_use") },
	/* Reasoning with an empty body is kept too. */
	{ CREATED ADDED("0", "{'type':'reasoning'}") ENDED("0", REASONING) ADDED("1", MESSAGE)
	  TEXT("1", "ok") ENDED("1", MESSAGE) COMPLETED,
	  STARTED THINK_BEGUN("0") THINK_ENDED("0", "") TEXT_BEGUN("1") "text 1:0 ok\n"
	  TEXT_ENDED("1", "ok") END("end_turn") },
	/* A local server: raw reasoning, no item events around the text. */
	{ EVENT("response.reasoning_text.delta", ",'delta':'hm'") TEXT("0", "ok") COMPLETED "data: [DONE]\n\n",
	  "start 0:0 \n" THINK_BEGUN("0") "thinking 0:1 hm\n" TEXT_SIGNED("0", "hm", "")
	  TEXT_BEGUN("1") "text 1:0 ok\n" TEXT_ENDED("1", "ok") END("end_turn") },
	/* A delta with a response in it, which is no beginning. */
	{ EVENT("response.output_text.delta", ",'delta':'a','response':{'id':'r1'}") COMPLETED,
	  STARTED TEXT_BEGUN("0") "text 0:0 a\n" TEXT_ENDED("0", "a") END("end_turn") },
	/* Items without deltas, and one we know nothing of. */
	{ CREATED ENDED("0", "{'type':'reasoning','content':[{'text':'t'}]}")
	  ENDED("1", "{'type':'message','content':[{'type':'output_text','text':'a'},{'type':'refusal',"
		     "'refusal':'no'}]}")
	  ENDED("2", "{'type':'web_search_call','id':'ws'}") COMPLETED,
	  STARTED THINK_BEGUN("0") "thinking 0:1 t\n"
	  "signature 0:1 openai-responses:{'type':'reasoning','content':[{'text':'t'}]}\n"
	  "end 0:1  {'type':'thinking','thinking':'t','signature':'openai-responses:{\\'type\\':"
	  "\\'reasoning\\',\\'content\\':[{\\'text\\':\\'t\\'}]}'}\n"
	  TEXT_BEGUN("1") "text 1:0 a\ntext 1:0 no\n"
	  "note 0:0 ignored a response item of unknown type web_search_call\n"
	  TEXT_ENDED("1", "ano") END("refusal") },
	/* A call that its item says was cut. */
	{ CREATED ADDED("0", CALL("c1", "Read", "")) ARGS("0", "{\\'p\\':{}")
	  ENDED("0", "{'type':'function_call','call_id':'c1','name':'Read','status':'incomplete'}") COMPLETED,
	  STARTED "block 0:3  " TOOL("c1", "Read", "{}") " Read(c1)\ninput 0:3 {'p':{}\n"
	  "end 0:3 {'p':{} " TOOL("c1", "Read", "{}") "\n" END("tool_use") },
	/* Nothing but the response at the end. */
	{ EVENT("response.completed", ",'response':{'id':'r1','status':'completed','output':["
		"{'type':'message','content':[{'text':'a'}]}," CALL("c1", "List", "{}") ","
		CALL("c2", "List", "") "]," USAGE "}"),
	  STARTED TEXT_BEGUN("0") "text 0:0 a\n" TEXT_ENDED("0", "a")
	  CALL_SENT("1", "c1", "List", "input 1:3 {}\n", "{}") CALL_SENT("2", "c2", "List", "", "{}")
	  END("tool_use") },
	/* Cut by a limit in the middle of a call, by a filter, and by who knows what. */
	{ CREATED ADDED("0", CALL("c1", "Read", "")) ARGS("0", "{\\'p\\':{}")
	  EVENT("response.incomplete", ",'response':{'status':'incomplete','incomplete_details':{'reason':"
				       "'max_output_tokens'}," USAGE "}"),
	  STARTED "block 0:3  " TOOL("c1", "Read", "{}") " Read(c1)\ninput 0:3 {'p':{}\n"
	  "end 0:3 {'p':{} " TOOL("c1", "Read", "{}") "\n" END("max_tokens") },
	{ CREATED EVENT("response.incomplete", ",'response':{'status':'incomplete','incomplete_details':{"
					       "'reason':'content_filter'}," USAGE "}"),
	  STARTED END("refusal") },
	{ CREATED EVENT("response.incomplete", ",'response':{'status':'incomplete'," USAGE "}"),
	  STARTED END("incomplete") },
};
/* clang-format on */

TEST(responses_are_read_however_they_are_split)
{
	for (size_t i = 0; i < countof(streams); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;

		check_stream(&provider_openai_responses, &plain_request, js(&arena, streams[i].in),
			     js(&arena, streams[i].log).ptr);
	}
}

TEST(responses_that_fail_are_classed)
{
	static const struct {
		const char *in;
		enum model_failure failure;
		const char *part;
	} cases[] = {
		{ "", MODEL_FAILED_PROTOCOL, "contains no stream events" },
		{ "data: <p>\n\n", MODEL_FAILED_PROTOCOL, "not valid JSON: <p>" },
		{ "data: 1\n\n", MODEL_FAILED_PROTOCOL, "not a JSON object: 1" },
		{ CREATED TEXT("0", "half"), MODEL_FAILED_NETWORK,
		  "after 2 events (last: response.output_text.delta)" },
		{ CREATED EVENT("response.failed",
				",'response':{'status':'failed','error':{'code':'server_error',"
				"'message':'oops'}}"),
		  MODEL_FAILED_SERVER, "oops (server_error)" },
		{ CREATED TEXT("0", "half")
			  EVENT("response.cancelled", ",'response':{'status':'cancelled'}"),
		  MODEL_FAILED_SERVER, "cancelled" },
		{ EVENT("error", ",'code':'rate_limit_exceeded','message':'slow','param':null"),
		  MODEL_FAILED_RATE_LIMIT, "slow" },
		{ "event: error\ndata: {'error':{'message':'too long','code':"
		  "'context_length_exceeded'}}\n\n",
		  MODEL_FAILED_PROMPT_TOO_LONG, "too long" },
		{ CREATED ARGS("0", "{}"), MODEL_FAILED_PROTOCOL, "item 0, which is not a call" },
		{ CREATED ADDED("0", CALL("c", "Read", "")) ENDED("0", CALL("c", "Read", "{}"))
			  ARGS("0", "x"),
		  MODEL_FAILED_PROTOCOL, "a completed tool call" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;

		check_failure(&provider_openai_responses, &plain_request, js(&arena, cases[i].in),
			      cases[i].failure, cases[i].part);
	}
}

TEST(whole_responses_are_read)
{
	static const struct {
		const char *body, *log;
	} good[] = {
		{ "{'id':'r1','object':'response','status':'completed','error':null,'model':'m',"
		  "'output':[" REASONING ",{'type':'message','content':[{'type':'output_text',"
		  "'text':'a'}]}]," USAGE "}",
		  STARTED THINK_BEGUN("0") THINK_ENDED("0", "")
			  TEXT_BEGUN("1") "text 1:0 a\n" TEXT_ENDED("1", "a") END("end_turn") },
	};
	static const struct {
		const char *body;
		enum model_failure failure;
		const char *part;
	} bad[] = {
		{ "<html>", MODEL_FAILED_PROTOCOL, "<html>" },
		{ "{'a':1}", MODEL_FAILED_PROTOCOL, "no output" },
		{ "{'status':'failed','error':{'code':'server_error','message':'x'},'output':[]}",
		  MODEL_FAILED_SERVER, "x" },
	};
	defer(arena_clear) struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < countof(good); i++) {
		defer(outcome_clear) struct outcome o;

		run_whole(&o, &provider_openai_responses, &plain_request, js(&arena, good[i].body));
		CHECK_OK(o.ok, o.error.err);
		CHECK_STR(o.log.ptr, js(&arena, good[i].log).ptr);
	}
	for (size_t i = 0; i < countof(bad); i++) {
		defer(outcome_clear) struct outcome o;

		run_whole(&o, &provider_openai_responses, &plain_request, js(&arena, bad[i].body));
		CHECK(!o.ok);
		CHECK_INT(o.error.failure, bad[i].failure);
		CHECK_ERR(o.error.err, o.error.err.kind, bad[i].part);
	}
}
