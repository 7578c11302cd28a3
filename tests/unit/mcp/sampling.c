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
