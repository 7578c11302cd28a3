#include "model/wire/openai.h"

/* The messages array of a request with these messages. */
static void check_messages(const char *const *in, size_t n, const char *out, const char *notes)
{
	defer(str_clear) struct str expected = STR_INIT;
	struct sv messages[8];

	SCENE(s, provider_openai_chat);
	BUG_ON(n > countof(messages));
	for (size_t i = 0; i < n; i++)
		messages[i] = js(&s.arena, in[i]);
	s.request.messages = messages;
	s.request.nmessages = n;
	str_addf(&expected,
		 "{\"model\":\"local-model\",\"messages\":%s,\"max_tokens\":100,\"stream\":true,"
		 "\"stream_options\":{\"include_usage\":true}}",
		 js(&s.arena, out).ptr);
	CHECK_STR(encoded(&s), expected.ptr);
	CHECK_STR(str_c(&s.notes), notes);
}

#define PDF                                                                                       \
	"{'type':'document','title':'a.pdf','source':{'type':'base64','media_type':'application/" \
	"pdf','data':'JV'}}"

static const struct {
	const char *in, *out, *notes;
} translations[] = {
	{ "{'role':'user','content':'hello'}", "[{'role':'user','content':'hello'}]", "" },
	{ "{'role':'user','content':[]}", "[{'role':'user','content':''}]", "" },
	{ "{'content':[{'type':'text','text':'a','cache_control':{}},{'type':'text',"
	  "'text':'b'}],'role':'user'}",
	  "[{'role':'user','content':'a\\n\\nb'}]", "" },
	{ "{'role':'user','content':[{'type':'text','text':'see'},{'type':'image','source':"
	  "{'type':'base64','media_type':'image/png','data':'iVBO'}},{'type':'image',"
	  "'source':{'type':'url','url':'https://x/y.png'}}]}",
	  "[{'role':'user','content':[{'type':'text','text':'see'},{'type':'image_url',"
	  "'image_url':{'url':'data:image/png;base64,iVBO'}},{'type':'image_url',"
	  "'image_url':{'url':'https://x/y.png'}}]}]",
	  "" },
	{ "{'role':'user','content':[{'type':'image','source':{'type':'file','file_id':"
	  "'f'}}]}",
	  "[{'role':'user','content':'[an image omitted: this provider does not support its "
	  "source]'}]",
	  "omitted an image: this provider does not support its source\n" },
	{ "{'role':'user','content':[" PDF "," PDF "]}",
	  "[{'role':'user','content':'[a.pdf omitted: this provider does not support this "
	  "document type]\\n\\n[a.pdf omitted: this provider does not support this document "
	  "type]'}]",
	  "omitted a.pdf: this provider does not support this document type\n" },
	{ "{'role':'user','content':[{'type':'document','title':'T','source':{'type':'text'"
	  ","
	  "'media_type':'text/plain','data':'body'}},{'type':'document','source':{'type':"
	  "'content','content':[{'type':'text','text':'x'}]}}]}",
	  "[{'role':'user','content':'T\\n\\nbody\\n\\nx'}]", "" },
	{ "{'role':'user','content':[{'type':'hologram','frames':1}]}",
	  "[{'role':'user','content':'[hologram omitted: this provider does not support it]'}]",
	  "omitted hologram: this provider does not support it\n" },
	/* Results first and in order, then what else was said. */
	{ "{'role':'user','content':[{'type':'text','text':'so?'},{'type':'tool_result',"
	  "'tool_use_id':'t1','content':'one'},{'type':'tool_result','tool_use_id':'t2',"
	  "'is_error':true,'content':[{'type':'text','text':'no'},{'type':'text','text':"
	  "'file'}]},{'type':'tool_result','tool_use_id':'t3'}]}",
	  "[{'role':'tool','tool_call_id':'t1','content':'one'},{'role':'tool',"
	  "'tool_call_id':'t2','content':'Error: no\\n\\nfile'},{'role':'tool',"
	  "'tool_call_id':'t3','content':''},{'role':'user','content':'so?'}]",
	  "" },
	{ "{'role':'user','content':[{'type':'tool_result','tool_use_id':'t1','content':[{"
	  "'type':'text','text':'shot'},{'type':'image','source':{'type':'base64',"
	  "'media_type':'image/png','data':'iV'}}]},{'type':'text','text':'go on'}]}",
	  "[{'role':'tool','tool_call_id':'t1','content':'shot\\n\\n[image: in the message "
	  "that follows]'},{'role':'user','content':[{'type':'text','text':'[image in the "
	  "result of call t1]'},{'type':'image_url','image_url':{'url':"
	  "'data:image/png;base64,iV'}},{'type':'text','text':'go on'}]}]",
	  "moved an image from a tool result to the message after it\n" },
	/* The model's own words; inputs byte for byte. */
	{ "{'role':'assistant','content':'hi'}", "[{'role':'assistant','content':'hi'}]", "" },
	{ "{'role':'assistant','content':[{'type':'text','text':'I look.'},{'type':"
	  "'tool_use','id':'t1','name':'Read','input':{'p' : 1.50}},{'type':'tool_use',"
	  "'id':'t2','name':'List','input':{}}]}",
	  "[{'role':'assistant','content':'I look.','tool_calls':[{'id':'t1','type':"
	  "'function','function':{'name':'Read','arguments':'{\\'p\\' : 1.50}'}},{'id':"
	  "'t2','type':'function','function':{'name':'List','arguments':'{}'}}]}]",
	  "" },
	{ "{'role':'assistant','content':[{'type':'tool_use','id':'t','name':'L','input':{}"
	  "}]}",
	  "[{'role':'assistant','content':null,'tool_calls':[{'id':'t','type':'function',"
	  "'function':{'name':'L','arguments':'{}'}}]}]",
	  "" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'hm','signature':"
	  "'c2ln'},{'type':'redacted_thinking','data':'x'},{'type':'text','text':'a'}]}",
	  "[{'role':'assistant','content':'a'}]", "omitted thinking from another provider\n" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'hm','signature':"
	  "'openai-chat:reasoning_content'},{'type':'text','text':'a'}]}",
	  "[{'role':'assistant','content':'a','reasoning_content':'hm'}]", "" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'a','signature':"
	  "'openai-chat:reasoning'},{'type':'thinking','thinking':'b','signature':"
	  "'openai-chat:reasoning'}]}",
	  "[{'role':'assistant','content':'','reasoning':'a\\n\\nb'}]", "" },
	{ "{'role':'assistant','content':[{'type':'thinking','thinking':'a','signature':"
	  "'openai-chat:role'},{'type':'text','text':'b'}]}",
	  "[{'role':'assistant','content':'b'}]", "omitted thinking from another provider\n" },
	{ "{'role':'system','content':[{'type':'text','text':'now'}]}",
	  "[{'role':'system','content':'now'}]", "" },
};

TEST(openai_itself_enforces_the_schemas_that_it_can)
{
	static const char write_tool[] = "{'name':'Write','input_schema':{'type':'object','"
					 "properties':{'a':{'type':'string'}},"
					 "'required':['a'],'additionalProperties':false}}";
	static const char edit_tool[] = "{'name':'Edit','input_schema':{'type':'object','"
					"properties':{'a':{'type':'string'}},"
					"'additionalProperties':false}}";
	struct sv tools[2];

	SCENE(s, provider_openai_chat);
	tools[0] = js(&s.arena, write_tool);
	tools[1] = js(&s.arena, edit_tool);
	s.request.tools = tools;
	s.request.ntools = 2;
	CHECK(!strstr(encoded(&s), "strict"));
	s.config.base_url = "https://api.openai.com/v1";
	CHECK(strstr(encoded(&s), "\"additionalProperties\":false},\"strict\":true}}"));
	CHECK(!strstr(strstr(s.body.ptr, "\"Edit\""), "strict"));
	s.provider = &provider_openai_responses;
	CHECK(strstr(encoded(&s), "\"additionalProperties\":false},\"strict\":true}"));
	CHECK(strstr(strstr(s.body.ptr, "\"Edit\""), "\"strict\":false"));
	s.config.base_url = "http://localhost:8080/v1";
	CHECK(!strstr(encoded(&s), "\"strict\":true"));
}

static struct sv cache_key(struct scene *s)
{
	const char *key = strstr(encoded(s), "\"prompt_cache_key\":\"awl-");

	return key ? arena_dup(&s->arena, sv_slice(sv_cstr(key), 0, 41)) : SV_EMPTY;
}

TEST(a_conversation_has_one_cache_key_where_the_provider_knows_it)
{
	static const struct sv history[] = { SV_INIT("{\"role\":\"user\",\"content\":\"hello\"}"),
					     SV_INIT("{\"role\":\"assistant\",\"content\":\"hi\"}"),
					     SV_INIT("{\"role\":\"user\",\"content\":\"go\"}") };
	struct sv first;

	SCENE(s, provider_openai_chat);
	CHECK_INT(cache_key(&s).len, 0); /* a server that may not know it */
	s.config.base_url = "https://api.openai.com.evil.test/v1";
	CHECK_INT(cache_key(&s).len, 0);
	s.config.base_url = "https://api.openai.com/v1";
	first = cache_key(&s);
	CHECK_INT(first.len, 41);
	s.request.messages = history;
	s.request.nmessages = 3;
	CHECK_SV_EQ(cache_key(&s), first);
	s.request.messages = history + 2;
	s.request.nmessages = 1;
	CHECK(cache_key(&s).len == first.len && !sv_eq(cache_key(&s), first));
	s.provider = &provider_openai_responses;
	s.config.base_url = "http://localhost:8080/v1";
	CHECK_INT(cache_key(&s).len, first.len);
}

TEST(every_kind_of_message_has_its_exact_translation)
{
	for (size_t i = 0; i < countof(translations); i++)
		check_messages(&translations[i].in, 1, translations[i].out, translations[i].notes);
}

static const char *const talk[] = {
	"{'role':'user','content':[{'type':'text','text':'what is in a?'}]}",
	"{'role':'assistant','content':[{'type':'thinking','thinking':'hm','signature':"
	"'openai-chat:reasoning_content'},{'type':'text','text':'I look.'},{'type':'tool_use',"
	"'id':'call_1','name':'Read','input':{'path':'a'}},{'type':'tool_use','id':'call_2',"
	"'name':'Read','input':{'path':'b'}}]}",
	"{'role':'user','content':[{'type':'tool_result','tool_use_id':'call_1','content':'A'},"
	"{'type':'tool_result','tool_use_id':'call_2','content':[{'type':'image','source':{'type':"
	"'url','url':'http://i'}}]}]}",
	"{'role':'assistant','content':[{'type':'text','text':'A.'}]}",
	"{'role':'user','content':'thanks'}",
};

TEST(a_conversation_keeps_its_order_and_ids)
{
	check_messages(
		talk, countof(talk),
		"[{'role':'user','content':'what is in a?'},{'role':'assistant','content':'I "
		"look.','reasoning_content':'hm','tool_calls':[{'id':'call_1','type':'function',"
		"'function':{'name':'Read','arguments':'{\\'path\\':\\'a\\'}'}},{'id':'call_2',"
		"'type':'function','function':{'name':'Read','arguments':'{\\'path\\':\\'b\\'}'}}]}"
		",{'role':'tool','tool_call_id':'call_1','content':'A'},{'role':'tool',"
		"'tool_call_id':'call_2','content':'[image: in the message that follows]'},{'role':"
		"'user','content':[{'type':'text','text':'[image in the result of call call_2]'},{"
		"'type':'image_url','image_url':{'url':'http://i'}}]},{'role':'assistant',"
		"'content':'A.'},{'role':'user','content':'thanks'}]",
		"moved an image from a tool result to the message after it\n");
}

TEST(each_turn_begins_with_the_bytes_of_the_turn_before)
{
	static const struct provider *const providers[] = { &provider_openai_chat,
							    &provider_openai_responses };
	struct sv messages[countof(talk)];
	static const struct sv system[] = { SV_INIT("Be kind.") };

	for (size_t p = 0; p < countof(providers); p++) {
		defer(str_clear) struct str before = STR_INIT;

		SCENE(s, *providers[p]);
		s.request.system = system;
		s.request.nsystem = 1;
		s.request.messages = messages;
		for (size_t i = 0; i < countof(talk); i++) {
			size_t end;

			messages[i] = js(&s.arena, talk[i]);
			s.request.nmessages = i + 1;
			encoded(&s);
			CHECK(sv_starts(sv_of(&s.body), sv_of(&before)));
			end = sv_find(sv_of(&s.body), SV("],\"max_"));
			CHECK(end != SIZE_MAX && end > before.len);
			str_truncate(&before, 0);
			str_add(&before, sv_slice(sv_of(&s.body), 0, end));
		}
	}
}

TEST(a_full_request_has_everything_in_its_place)
{
	static const struct sv system[] = { SV_INIT("You are \"awl\"."), SV_INIT(""),
					    SV_INIT("cwd: /x") };
	struct sv tools[3];

	SCENE(s, provider_openai_chat);
	tools[0] = js(&s.arena, "{'name':'Read','description':'reads','input_schema':{'type' : "
				"'object','properties':{'p':{}}}}");
	tools[1] = js(&s.arena, "{'type':'web_search_20250305','name':'web_search'}");
	tools[2] = js(&s.arena, "{'type':'custom','name':'List'}");
	s.request.tools = tools;
	s.request.ntools = 3;
	s.request.system = system;
	s.request.nsystem = 3;
	s.request.model = SV("gpt-5");
	s.request.max_tokens = 0;
	s.request.effort = MODEL_EFFORT_LOW;
	s.request.tool_choice = js(&s.arena, "{'type':'any','disable_parallel_tool_use':true}");
	s.request.user_id = SV("u1");
	s.request.whole = true;
	CHECK_SV_EQ(sv_cstr(encoded(&s)),
		    js(&s.arena,
		       "{'model':'gpt-5','tools':[{'type':'function','function':{'name':'Read',"
		       "'description':'reads','parameters':{'type' : 'object','properties':{'p':{}}"
		       "}}},{'type':'function','function':{'name':'List','parameters':{'type':"
		       "'object','properties':{}}}}],'parallel_tool_calls':false,'tool_choice':"
		       "'required','messages':[{'role':'system','content':'You are \\'awl\\'."
		       "\\n\\ncwd: /x'},{'role':'user','content':'hello'}],"
		       "'max_completion_tokens':32000,'reasoning_effort':'low'}"));
	CHECK_STR(str_c(&s.notes),
		  "omitted tool of type web_search_20250305: not supported by this provider\n");
}

TEST(tool_choices_are_translated)
{
	static const struct {
		const char *ours, *chat, *responses;
	} cases[] = {
		{ "{'type':'auto'}", "'tool_choice':'auto'", "'tool_choice':'auto'" },
		{ "{'type':'any'}", "'tool_choice':'required'", "'tool_choice':'required'" },
		{ "{'type':'none'}", "'tool_choice':'none'", "'tool_choice':'none'" },
		{ "{'type':'tool','name':'L'}",
		  "'tool_choice':{'type':'function','function':{'name':'L'}}",
		  "'tool_choice':{'type':'function','name':'L'}" },
	};
	struct sv tools[1];

	for (size_t i = 0; i < countof(cases); i++) {
		SCENE(chat, provider_openai_chat);
		SCENE(responses, provider_openai_responses);
		tools[0] = js(&chat.arena, "{'name':'L'}");
		chat.request.tools = responses.request.tools = tools;
		chat.request.ntools = responses.request.ntools = 1;
		chat.request.tool_choice = responses.request.tool_choice =
			js(&chat.arena, cases[i].ours);
		CHECK(strstr(encoded(&chat), js(&chat.arena, cases[i].chat).ptr));
		CHECK(strstr(encoded(&responses), js(&chat.arena, cases[i].responses).ptr));
		CHECK_STR(str_c(&chat.notes), "");
	}
}

TEST(a_tool_choice_nobody_knows_is_told_and_left_out)
{
	struct sv tools[1] = { SV("{\"name\":\"L\"}") };

	SCENE(s, provider_openai_chat);
	s.request.tools = tools;
	s.request.ntools = 1;
	s.request.tool_choice = SV("{\"type\":\"dice\"}");
	CHECK(!strstr(encoded(&s), "tool_choice"));
	CHECK_STR(str_c(&s.notes), "this provider does not support tool choice dice\n");
	s.request.ntools = 0; /* nothing to choose from */
	CHECK(!strstr(encoded(&s), "tool"));
}

TEST(limits_and_effort_are_said_as_each_family_takes_them)
{
	static const struct {
		const char *model;
		enum model_effort effort;
		enum model_thinking thinking;
		int64_t budget;
		const char *has, *notes;
	} cases[] = {
		{ "gpt-4o", .has = "\"max_tokens\":100," },
		{ "o3", .has = "\"max_completion_tokens\":100," },
		{ "openai/o4-mini", .has = "\"max_completion_tokens\":100," },
		{ "gpt-5-nano", .has = "\"max_completion_tokens\":100," },
		{ "gpt-10", .has = "\"max_completion_tokens\":100," },
		{ "gpt-oss:20b", .has = "\"max_tokens\":100," },
		{ "olmo", .has = "\"max_tokens\":100," },
		{ "gpt-oss", MODEL_EFFORT_HIGH, .has = "\"reasoning_effort\":\"high\"" },
		{ "o3", MODEL_EFFORT_MAX, .has = "\"reasoning_effort\":\"high\"",
		  .notes = "this provider supports reasoning effort up to high\n" },
		{ "o3", .thinking = MODEL_THINK_BUDGET, .budget = 4096,
		  .has = "\"reasoning_effort\":\"low\"" },
		{ "o3", .thinking = MODEL_THINK_BUDGET, .budget = 10000,
		  .has = "\"reasoning_effort\":\"medium\"" },
		{ "o3", .thinking = MODEL_THINK_BUDGET, .budget = 31999,
		  .has = "\"reasoning_effort\":\"high\"" },
		{ "o3", .thinking = MODEL_THINK_ADAPTIVE, .has = "100,\"stream\"" },
		{ "local-model", MODEL_EFFORT_LOW, .has = "\"reasoning_effort\":\"low\"" },
		{ "local-model", .thinking = MODEL_THINK_BUDGET, .budget = 9999,
		  .has = "100,\"stream\"" },
		{ "gpt-4o", MODEL_EFFORT_LOW, .has = "100,\"stream\"",
		  .notes = "this model does not support reasoning effort\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SCENE(s, provider_openai_chat);
		s.request.model = sv_cstr(cases[i].model);
		s.request.effort = cases[i].effort;
		s.request.thinking = cases[i].thinking;
		s.request.thinking_budget = cases[i].budget;
		if (!strstr(encoded(&s), cases[i].has))
			print_error("%s\n", s.body.ptr);
		CHECK(strstr(s.body.ptr, cases[i].has));
		CHECK_STR(str_c(&s.notes), cases[i].notes ? cases[i].notes : "");
	}
}

TEST(images_are_kept_from_models_known_to_be_blind)
{
	struct sv messages[1];

	SCENE(s, provider_openai_chat);
	messages[0] =
		js(&s.arena, "{'role':'user','content':[{'type':'image','source':{'type':'url',"
			     "'url':'http://i'}}]}");
	s.request.messages = messages;
	s.request.model = SV("gpt-oss");
	CHECK(!strstr(encoded(&s), "http://i"));
	CHECK_STR(str_c(&s.notes), "omitted an image: this model does not support images\n");
}

TEST(the_address_is_the_base_with_one_slash)
{
	static const struct {
		const char *base, *url;
	} cases[] = {
		{ NULL, "https://api.openai.com/v1/chat/completions" },
		{ "http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions" },
		{ "http://localhost:11434/v1//", "http://localhost:11434/v1/chat/completions" },
		{ "https://x.azure.com/d/?api-version=1&b=2",
		  "https://x.azure.com/d/chat/completions?api-version=1&b=2" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SCENE(s, provider_openai_chat);
		s.config.base_url = cases[i].base;
		encoded(&s);
		CHECK_STR(s.wire.url, cases[i].url);
	}
}

TEST(a_key_is_a_bearer_token_and_none_is_nothing)
{
	struct credential credential = { .auth = MODEL_AUTH_NONE };

	SCENE(s, provider_openai_chat);
	encoded(&s);
	CHECK_OK(s.provider->sign(&s.wire, &s.config, &credential, 0, &s.err), s.err);
	CHECK(!wire_find_header(&s.wire, "authorization"));
	credential = (struct credential){ .auth = MODEL_AUTH_BEARER, .secret = SV("sk-1") };
	CHECK_OK(s.provider->sign(&s.wire, &s.config, &credential, 0, &s.err), s.err);
	CHECK_SV(wire_find_header(&s.wire, "authorization")->value, "Bearer sk-1");
	CHECK_SV(wire_find_header(&s.wire, "content-type")->value, "application/json");
	credential.auth = MODEL_AUTH_AWS;
	CHECK(!s.provider->sign(&s.wire, &s.config, &credential, 0, &s.err));
	s.config.custom_headers = "Authorization: Basic x\nX-Title: awl";
	credential.auth = MODEL_AUTH_KEY;
	encoded(&s);
	CHECK_OK(s.provider->sign(&s.wire, &s.config, &credential, 0, &s.err), s.err);
	CHECK_SV(wire_find_header(&s.wire, "authorization")->value, "Basic x");
	CHECK_SV(wire_find_header(&s.wire, "x-title")->value, "awl");
}

TEST(the_users_own_members_stand_for_ours)
{
	SCENE(s, provider_openai_chat);
	s.config.extra_body =
		" { \"stream_options\" : null, \"temperature\":0.50, \"k\\n\":[ 1 ]} ";
	CHECK_SV_EQ(sv_cstr(encoded(&s)),
		    js(&s.arena,
		       "{'model':'local-model','messages':[{'role':'user','content':'hello'}"
		       "],'max_tokens':100,'stream':true,'stream_options':null,"
		       "'temperature':0.50,'k\\n':[ 1 ]}"));
	s.config.extra_body = "[1]";
	CHECK(!try_encode(&s));
	CHECK_ERR(s.err, ERR_INVALID, "must be a JSON object");
	s.config.extra_body = "{";
	CHECK(!try_encode(&s));
	CHECK_ERR(s.err, ERR_PARSE, "the extra request body");
}

TEST(messages_that_are_none_are_named)
{
	static const struct {
		struct sv message;
		enum err_kind kind;
		const char *part;
	} cases[] = {
		{ SV_INIT("{"), ERR_PARSE, "message 0" },
		{ SV_INIT("[]"), ERR_INVALID, "\"role\"" },
		{ SV_INIT("{\"role\":\"user\"}"), ERR_INVALID, "\"content\"" },
		{ SV_INIT("{\"role\":\"judge\",\"content\":\"\"}"), ERR_INVALID, "\"judge\"" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SCENE(s, provider_openai_chat);
		s.request.messages = &cases[i].message;
		CHECK(!try_encode(&s));
		CHECK_ERR(s.err, cases[i].kind, cases[i].part);
		s.request.nmessages = 0;
		CHECK(!try_encode(&s));
		CHECK_ERR(s.err, ERR_INVALID, "at least one message");
	}
}
