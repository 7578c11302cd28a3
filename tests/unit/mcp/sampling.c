#include "mcp/sampling.h"

#include "base/limits.h"
#include "test.h"

static struct json_doc *read_quoted(const char *text)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;
	struct json_doc *doc;

	str_adds(&json, text);
	for (size_t i = 0; i < json.len; i++)
		if (json.ptr[i] == '\'')
			json.ptr[i] = '"';
	doc = json_parse(sv_of(&json), 0, &err);
	CHECK_OK(doc != NULL, err);
	return doc;
}

static void check_refused(const char *params, const char *why)
{
	defer(mcp_sample_clear) struct mcp_sample sample = MCP_SAMPLE_INIT;
	defer(json_doc_freep) struct json_doc *doc = read_quoted(params);
	struct err err = ERR_INIT;

	CHECK(!mcp_sample_read(&sample, json_root(doc), &err));
	CHECK_STR(err.text, why);
}

TEST(what_a_server_wants_becomes_a_request)
{
	defer(mcp_sample_clear) struct mcp_sample sample = MCP_SAMPLE_INIT;
	defer(json_doc_freep) struct json_doc *doc = read_quoted(
		"{'messages':[{'role':'user','content':[{'type':'text','text':'a'},"
		"{'type':'image','data':'AA==','mimeType':'image/png'}]}],'maxTokens':5,"
		"'tools':[{'name':'t'}],'toolChoice':{'mode':'none'}}");
	struct err err = ERR_INIT;

	CHECK_OK(mcp_sample_read(&sample, json_root(doc), &err), err);
	CHECK_SV(sample.messages.at[0],
		 "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":"
		 "\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":"
		 "\"AA==\"}}]}");
	CHECK_SV(sample.tools.at[0],
		 "{\"name\":\"t\",\"description\":\"\",\"input_schema\":{\"type\":\"object\"}}");
	CHECK_SV(sample.tool_choice, "{\"type\":\"none\"}");
	CHECK_SV(sample.prompt, "a");
	CHECK_INT(sample.max_tokens, 5);
}

TEST(texts_that_end_the_response_are_passed_on_as_far_as_services_take_them)
{
	defer(mcp_sample_clear) struct mcp_sample sample = MCP_SAMPLE_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		read_quoted("{'messages':[{'role':'user','content':{'type':'text','text':'a'}}],"
			    "'stopSequences':['END',' ',7,'\\n\\nQ:','c','d','e']}");
	struct err err = ERR_INIT;

	CHECK_OK(mcp_sample_read(&sample, json_root(doc), &err), err);
	CHECK_SV(sample.stops, "[\"END\",\"\\n\\nQ:\",\"c\",\"d\"]");
}

static const char *choose(const char *preferences)
{
	defer(mcp_sample_clear) struct mcp_sample sample = MCP_SAMPLE_INIT;
	defer(str_clear) struct str params = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	str_addf(&params,
		 "{'messages':[{'role':'user','content':{'type':'text','text':'a'}}],"
		 "'modelPreferences':%s}",
		 preferences);
	doc = read_quoted(params.ptr);
	CHECK_OK(mcp_sample_read(&sample, json_root(doc), &err), err);
	CHECK_INT(sample.stops.len, 0);
	return sv_is(mcp_sample_choose(&sample, SV("claude-opus-4-5"), SV("claude-haiku-4-5")),
		     "claude-opus-4-5")
		       ? "big"
		       : "small";
}

TEST(a_server_may_prefer_one_of_the_models_of_the_session)
{
	CHECK_STR(choose("{}"), "big");
	CHECK_STR(choose("{'hints':[{'name':'claude-3-haiku'}]}"), "small");
	CHECK_STR(choose("{'hints':[{'name':'gpt-5'},{'name':'Opus'},{'name':'haiku'}]}"), "big");
	CHECK_STR(choose("{'hints':[{'name':'claude'}],'speedPriority':1}"), "big");
	CHECK_STR(choose("{'hints':[{'name':'4-5'}]}"), "big");
	CHECK_STR(choose("{'hints':[{'name':'gemini'}],'costPriority':0.9,"
			 "'intelligencePriority':0.5}"),
		  "small");
	CHECK_STR(choose("{'speedPriority':0.4,'intelligencePriority':0.5}"), "big");
	CHECK_STR(choose("{'hints':'x','speedPriority':'y'}"), "big");
}

TEST(what_cannot_be_sent_is_refused)
{
	check_refused("{'messages':[]}", "the server sent no messages");
	check_refused("{'messages':[{'role':'system','content':{'type':'text','text':'x'}}]}",
		      "a message has the role 'system'");
	check_refused("{'messages':[{'role':'user','content':{'type':'audio','data':''}}]}",
		      "awl cannot send content of type 'audio'");
}

TEST(thoughts_of_the_model_stay_here)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		read_quoted("[{'type':'thinking','thinking':'hm'},{'type':'text','text':'yes'}]");

	mcp_sample_write(&out, json_root(doc), SV("m"), SV("max_tokens"));
	CHECK_STR(str_c(&out),
		  "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"yes\"},"
		  "\"model\":\"m\",\"stopReason\":\"maxTokens\"}");
}
