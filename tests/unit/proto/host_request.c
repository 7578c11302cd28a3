#include "proto/host_request.h"

#include "proto/event_read.h"
#include "test.h"

static const struct permission_rule rules[] = { { SV_INIT("Bash"), SV_INIT("make:*") } };
static const struct permission_change suggestions[] = {
	{ .kind = PERMISSION_ADD_RULES,
	  .destination = PERMISSION_TO_LOCAL,
	  .behavior = BEHAVIOR_ALLOW,
	  .rules = rules,
	  .nrules = 1 },
};

/* One of each kind, as it is written. */
static const struct {
	struct host_request request;
	const char *json;
} cases[] = {
	{ { .kind = HOST_CAN_USE_TOOL,
	    .id = SV_INIT("r"),
	    .parent_tool_use_id = SV_INIT("p"),
	    .permission = { .tool = SV_INIT("Bash"),
			    .id = SV_INIT("t"),
			    .input = SV_INIT("{\"command\":\"make\"}"),
			    .suggestions = suggestions,
			    .nsuggestions = 1,
			    .needs_user = true,
			    .patience_ms = 5 } },
	  "{'type':'control_request','request_id':'r','request':{'subtype':'can_use_tool',"
	  "'awl_parent_tool_use_id':'p','tool_name':'Bash','display_name':'Bash','input':{'command'"
	  ":'make'},"
	  "'tool_use_id':'t','permission_suggestions':[{'type':'addRules','rules':["
	  "{'toolName':'Bash','ruleContent':'make:*'}],'behavior':'allow',"
	  "'destination':'localSettings'}],'requires_user_interaction':true,"
	  "'awl_timeout_ms':5}}" },
	{ { .kind = HOST_HOOK_CALLBACK,
	    .id = SV_INIT("r"),
	    .hook = { .callback_id = SV_INIT("hook_0"),
		      .tool_use_id = SV_INIT("t"),
		      .input = SV_INIT("{\"hook_event_name\":\"Stop\"}") } },
	  "{'type':'control_request','request_id':'r','request':{'subtype':'hook_callback',"
	  "'callback_id':'hook_0','input':{'hook_event_name':'Stop'},'tool_use_id':'t'}}" },
	{ { .kind = HOST_MCP_MESSAGE,
	    .id = SV_INIT("r"),
	    .mcp = { .server = SV_INIT("calc"), .message = SV_INIT("{\"id\":1}") } },
	  "{'type':'control_request','request_id':'r','request':{'subtype':'mcp_message',"
	  "'server_name':'calc','message':{'id':1}}}" },
	{ { .kind = HOST_ELICITATION,
	    .id = SV_INIT("r"),
	    .elicitation = { .server = SV_INIT("s"),
			     .message = SV_INIT("Who?"),
			     .mode = SV_INIT("form"),
			     .url = SV_INIT("u"),
			     .elicitation_id = SV_INIT("e"),
			     .schema = SV_INIT("{\"type\":\"object\"}") } },
	  "{'type':'control_request','request_id':'r','request':{'subtype':'elicitation',"
	  "'mcp_server_name':'s','message':'Who?','mode':'form','url':'u',"
	  "'elicitation_id':'e','requested_schema':{'type':'object'}}}" },
};

static void check_written(const struct host_request *request, const char *json)
{
	defer(str_clear) struct str out = STR_INIT;

	event_write(&out, &(struct event){ .kind = EVENT_HOST_REQUEST, .request = *request },
		    SV_EMPTY, SV_EMPTY);
	for (size_t i = 0; i < out.len; i++)
		if (out.ptr[i] == '"')
			out.ptr[i] = '\'';
	CHECK_STR(str_c(&out), json);
}

TEST(every_request_to_the_host_is_read_as_it_was_written)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(event_reader_clear) struct event_reader reader = EVENT_READER_INIT;
		defer(str_clear) struct str line = STR_INIT;
		struct event event;
		struct err err = ERR_INIT;

		CHECK_INT(cases[i].request.kind, i);
		check_written(&cases[i].request, cases[i].json);
		event_write(
			&line,
			&(struct event){ .kind = EVENT_HOST_REQUEST, .request = cases[i].request },
			SV_EMPTY, SV_EMPTY);
		CHECK_OK(event_read(&reader, sv_of(&line), &event, &err), err);
		CHECK_INT(event.request.kind, i);
		CHECK_SV_EQ(event.parent_tool_use_id, cases[i].request.parent_tool_use_id);
		check_written(&event.request, cases[i].json);
	}
	CHECK_INT(countof(cases), HOST_UNKNOWN);
}

TEST(a_copy_of_a_request_says_the_same)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct host_request copy = host_request_copy(&arena, &cases[i].request);

		check_written(&copy, cases[i].json);
	}
}

TEST(a_host_that_cannot_help_says_so)
{
	defer(str_clear) struct str out = STR_INIT;

	host_request_write_error(&out, SV("r1"), SV("no \"x\" here"));
	CHECK_STR(str_c(&out), "{\"type\":\"control_response\",\"response\":{\"subtype\":"
			       "\"error\",\"request_id\":\"r1\",\"error\":"
			       "\"no \\\"x\\\" here\"}}");
}

TEST(only_hooks_that_check_calls_are_guards)
{
	static const struct {
		const char *request;
		bool is_guard;
	} asked[] = {
		{ "{'subtype':'hook_callback','input':{'hook_event_name':'PreToolUse'}}", true },
		{ "{'subtype':'hook_callback','input':{'hook_event_name':'PermissionRequest'}}",
		  true },
		{ "{'subtype':'hook_callback','input':{'hook_event_name':'Stop'}}", false },
		{ "{'subtype':'hook_callback','input':1}", false },
		{ "{'subtype':'can_use_tool','tool_name':'Write',"
		  "'awl_agent_type':'general-purpose','input':{'hook_event_name':'PreToolUse'}}",
		  false },
		{ "{'subtype':'mcp_message','server_name':'s','message':{}}", false },
		{ "{'subtype':'elicitation','mcp_server_name':'s','message':'m','mode':'form',"
		  "'url':'u','elicitation_id':'i'}",
		  false },
		{ "{'subtype':'other'}", false },
	};

	for (size_t i = 0; i < countof(asked); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		defer(str_clear) struct str frame = STR_INIT;
		struct host_request request;
		struct err err = ERR_INIT;

		str_addf(&frame, "{'type':'control_request','request_id':'r','request':%s}",
			 asked[i].request);
		for (size_t k = 0; k < frame.len; k++)
			if (frame.ptr[k] == '\'')
				frame.ptr[k] = '"';
		doc = json_parse(sv_of(&frame), 0, &err);
		CHECK_OK(doc, err);
		host_request_read(&request, json_root(doc), &arena);
		CHECK(host_request_is_guard(&request) == asked[i].is_guard);
	}
}

TEST(only_what_a_person_can_answer_needs_the_user)
{
	CHECK(host_request_needs_user(&cases[HOST_CAN_USE_TOOL].request));
	CHECK(host_request_needs_user(&cases[HOST_ELICITATION].request));
	CHECK(!host_request_needs_user(&cases[HOST_HOOK_CALLBACK].request));
	CHECK(!host_request_needs_user(&cases[HOST_MCP_MESSAGE].request));
}
