#include "proto/event_read.h"

#include "test.h"
#include "text/json/json.h"

/* The JSON form of an event, with ' for ". */
static void form_of(struct str *out, const struct event *event)
{
	event_write(out, event, SV("U"), SV("S"));
	for (size_t i = 0; i < out->len; i++)
		if (out->ptr[i] == '"')
			out->ptr[i] = '\'';
}

/* What was written is read as the same event: written again it has the same form. */
static void check_round_trip(const struct event *event)
{
	defer(event_reader_clear) struct event_reader reader = EVENT_READER_INIT;
	defer(str_clear) struct str once = STR_INIT, twice = STR_INIT;
	struct event read;
	struct err err = ERR_INIT;

	event_write(&once, event, SV("U"), SV("S"));
	CHECK_OK(event_read(&reader, sv_of(&once), &read, &err), err);
	CHECK_INT(read.kind, event->kind);
	event_write(&twice, &read, reader.uuid, reader.session_id);
	CHECK_STR(str_c(&twice), str_c(&once));
}

static void check_form(const struct event *event, const char *json)
{
	defer(str_clear) struct str out = STR_INIT;

	form_of(&out, event);
	CHECK_STR(str_c(&out), json);
	check_round_trip(event);
}

#define CAPABLE                                                                \
	"'capabilities':['interrupt_receipt_v1','interrupt_cancel_queued_v1'," \
	"'reload_plugins_refuse_if_busy_v1'],"                                 \
	"'analytics_disabled':true,'product_feedback_disabled':true"
#define QUEUED                                                             \
	",'fast_mode_state':'off','queued_turn_count':0,'result_index':0," \
	"'model_usage_since_last_result':{}"
#define NO_USAGE                                                                         \
	"{'input_tokens':0,'cache_creation_input_tokens':0,'cache_read_input_tokens':0," \
	"'output_tokens':0,'output_tokens_details':{'thinking_tokens':0},"               \
	"'server_tool_use':{'web_search_requests':0,'web_fetch_requests':0},"            \
	"'service_tier':'standard','cache_creation':{'ephemeral_1h_input_tokens':0,"     \
	"'ephemeral_5m_input_tokens':0},'inference_geo':'','iterations':[],'speed':'standard'}"
#define ENDS ",'session_id':'S','uuid':'U'}"

static const struct sv words[] = { SV_INIT("one"), SV_INIT("two \"2\"") };

static const struct reply_command commands[] = { { .name = SV_INIT("one") } };

static const struct reply_command full_commands[] = {
	{ .name = SV_INIT("one"), .description = SV_INIT("d"), .argument_hint = SV_INIT("h") },
	{ .name = SV_INIT("two"), .aliases = SV_INIT("2 zwei"), .is_builtin = true },
};

static const struct event_task tasks[] = {
	{ .id = SV_INIT("b1"), .type = SV_INIT("local_bash"), .description = SV_INIT("d") }
};

static const struct event_denial denials[] = {
	{ SV_INIT("Bash"), SV_INIT("t1"), SV_INIT("{\"command\":\"ls\"}") },
	{ SV_INIT("Read"), SV_INIT("t2"), SV_INIT("{}") },
};

static const struct usage_model models[] = {
	{ .model = SV_INIT("m"),
	  .counts = { true, 10, 20, 30, 40, 50, 60, 7 },
	  .cost_usd = 0.5,
	  .cost_known = true,
	  .window = 1000,
	  .max_output = 100,
	  .provider = SV_INIT("firstParty") },
	{ .model = SV_INIT("other") },
};

static const struct usage_model recent_models[] = {
	{ .model = SV_INIT("m"),
	  .counts = { .known = true, .input = 1, .output = 2 },
	  .cost_usd = 0.25,
	  .cost_known = true },
};

/* One of each kind, with every member set. */
static const struct {
	struct event event;
	const char *json;
} full[] = {
	{ { .kind = EVENT_INIT,
	    .init = { .cwd = SV_INIT("/w"),
		      .model = SV_INIT("m"),
		      .permission_mode = SV_INIT("plan"),
		      .api_key_source = SV_INIT("none"),
		      .version = SV_INIT("1.2"),
		      .tools = words,
		      .output_style = SV_INIT("default"),
		      .effort = SV_INIT("high"),
		      .dirs = words,
		      .commands = commands,
		      .ntools = 2,
		      .ndirs = 1,
		      .ncommands = 1,
		      .agents = words,
		      .nagents = 1 } },
	  "{'type':'system','subtype':'init','cwd':'/w','tools':['one','two \\'2\\''],"
	  "'mcp_servers':[],'model':'m','permissionMode':'plan','slash_commands':['one'],"
	  "'apiKeySource':'none','claude_code_version':'1.2','output_style':'default',"
	  "'agents':['one'],'skills':[],'plugins':[]," CAPABLE ",'original_cwd':'/w',"
	  "'additional_directories':['one'],'effort':'high','fast_mode_state':'off'" ENDS },
	{ { .kind = EVENT_ASSISTANT,
	    .parent_tool_use_id = SV_INIT("p"),
	    .message = { .json = SV_INIT("{\"role\":\"assistant\"}"),
			 .request_id = SV_INIT("r"),
			 .timestamp = SV_INIT("now"),
			 .error = SV_INIT("overloaded"),
			 .status = 529,
			 .is_aborted = true } },
	  "{'type':'assistant','message':{'role':'assistant'},'parent_tool_use_id':'p',"
	  "'timestamp':'now','request_id':'r','error':'overloaded','api_error_status':529,"
	  "'is_api_error_message':true,'aborted':true" ENDS },
	{ { .kind = EVENT_USER,
	    .message = { .json = SV_INIT("{\"role\":\"user\"}"),
			 .tool_use_result = SV_INIT("[1]"),
			 .decision = { .id = SV_INIT("t1"),
				       .accepted = true,
				       .why = REASON_RULE,
				       .text = SV_INIT("A rule.") },
			 .is_synthetic = true,
			 .is_replay = true } },
	  "{'type':'user','message':{'role':'user'},'parent_tool_use_id':null,"
	  "'tool_use_result':[1],'tool_result_meta':[{'id':'t1','permission_decision':"
	  "{'decision':'accept','source':'config','reason_type':'rule'},'awl_reason':'A rule.'}],"
	  "'isSynthetic':true,'isReplay':true" ENDS },
	{ { .kind = EVENT_STREAM,
	    .parent_tool_use_id = SV_INIT("p"),
	    .stream = { .json = SV_INIT("{\"type\":\"ping\"}"), .ttft_ms = 7 } },
	  "{'type':'stream_event','event':{'type':'ping'},'parent_tool_use_id':'p',"
	  "'ttft_ms':7" ENDS },
	{ { .kind = EVENT_RESULT,
	    .result = { .reason = END_COMPLETED,
			.has_reason = true,
			.outcome = RESULT_SUCCESS,
			.text = SV_INIT("done"),
			.duration_ms = 5,
			.duration_api_ms = 4,
			.ttft_ms = 3,
			.num_turns = 2,
			.stop_reason = SV_INIT("end_turn"),
			.cost_usd = 0.25,
			.cost_known = true,
			.usage = { .known = true,
				   .input = 1,
				   .output = 2,
				   .cache_read = 3,
				   .cache_write_5m = 4,
				   .cache_write_1h = 5,
				   .web_searches = 6,
				   .thinking = 1 },
			.models = models,
			.nmodels = 2,
			.recent_models = recent_models,
			.nrecent_models = 1,
			.structured_output = SV_INIT("{\"a\":1}"),
			.local_command = SV_INIT("help"),
			.not_saved = SV_INIT("no room"),
			.forked_from = SV_INIT("f"),
			.denials = denials,
			.ndenials = 2,
			.is_notice = true,
			.nqueued = 3,
			.index = 4 },
	    .prompts = words,
	    .nprompts = 2 },
	  "{'type':'result','subtype':'success','is_error':false,'duration_ms':5,"
	  "'duration_api_ms':4,'ttft_ms':3,'num_turns':2,'result':'done',"
	  "'stop_reason':'end_turn','api_error_status':null,'total_cost_usd':0.25,"
	  "'usage':{'input_tokens':1,'cache_creation_input_tokens':9,"
	  "'cache_read_input_tokens':3,'output_tokens':2,"
	  "'output_tokens_details':{'thinking_tokens':1},"
	  "'server_tool_use':{'web_search_requests':6,'web_fetch_requests':0},"
	  "'service_tier':'standard',"
	  "'cache_creation':{'ephemeral_1h_input_tokens':5,'ephemeral_5m_input_tokens':4},"
	  "'inference_geo':'','iterations':[],'speed':'standard'},"
	  "'modelUsage':{'m':{'inputTokens':10,'outputTokens':20,'cacheReadInputTokens':30,"
	  "'cacheCreationInputTokens':90,'webSearchRequests':60,'costUSD':0.5,"
	  "'cacheCreationEphemeral5mInputTokens':40,'cacheCreationEphemeral1hInputTokens':50,"
	  "'contextWindow':1000,'maxOutputTokens':100,'thinkingTokens':7,'canonicalModel':'m',"
	  "'provider':'firstParty','costBasis':'list'},"
	  "'other':{'inputTokens':0,'outputTokens':0,'cacheReadInputTokens':0,"
	  "'cacheCreationInputTokens':0,'webSearchRequests':0,'costUSD':0,"
	  "'cacheCreationEphemeral5mInputTokens':0,'cacheCreationEphemeral1hInputTokens':0,"
	  "'awlCostIncomplete':true,'contextWindow':0,'maxOutputTokens':0,'thinkingTokens':0,"
	  "'canonicalModel':'other','costBasis':'unknown'}},'permission_denials':["
	  "{'tool_name':'Bash','tool_use_id':'t1','tool_input':{'command':'ls'}},"
	  "{'tool_name':'Read','tool_use_id':'t2','tool_input':{}}],"
	  "'terminal_reason':'completed','structured_output':{'a':1},"
	  "'local_command':'help','fast_mode_state':'off',"
	  "'origin':{'kind':'task-notification'},'queued_turn_count':3,"
	  "'result_index':4,'model_usage_since_last_result':{'m':{'inputTokens':1,"
	  "'outputTokens':2,'cacheReadInputTokens':0,'cacheCreationInputTokens':0,"
	  "'webSearchRequests':0,'costUSD':0.25,'cacheCreationEphemeral5mInputTokens':0,"
	  "'cacheCreationEphemeral1hInputTokens':0,'contextWindow':0,'maxOutputTokens':0,"
	  "'thinkingTokens':0,'canonicalModel':'m','costBasis':'list'}},"
	  "'awl_not_saved':'no room','awl_forked_from':'f',"
	  "'user_message_uuid':'two \\'2\\'','user_message_uuids':['one','two \\'2\\'']" ENDS },
	{ { .kind = EVENT_STATUS, .status = { SV_INIT("requesting"), SV_INIT("default") } },
	  "{'type':'system','subtype':'status','status':'requesting',"
	  "'permissionMode':'default'" ENDS },
	{ { .kind = EVENT_STATE, .state = { ACTIVITY_RUNNING, true } },
	  "{'type':'system','subtype':'session_state_changed','state':'running',"
	  "'sdk_host_only':true" ENDS },
	{ { .kind = EVENT_RETRY,
	    .retry = { 2, 10, 1500, 529, SV_INIT("overloaded"), SV_INIT("it is busy") } },
	  "{'type':'system','subtype':'api_retry','attempt':2,'max_retries':10,"
	  "'retry_delay_ms':1500,'error_status':529,'error':'overloaded',"
	  "'awl_text':'it is busy'" ENDS },
	{ { .kind = EVENT_STALL, .stall = { 30000, 90000 } },
	  "{'type':'system','subtype':'awl_stall','silent_ms':30000,'limit_ms':90000" ENDS },
	{ { .kind = EVENT_DISCARD, .discard = { words, 2 } },
	  "{'type':'system','subtype':'awl_discard',"
	  "'message_uuids':['one','two \\'2\\'']" ENDS },
	{ { .kind = EVENT_DENIED,
	    .denied = { SV_INIT("Bash"), SV_INIT("t1"), SV_INIT("rule"), SV_INIT("no"),
			SV_INIT("denied: no") } },
	  "{'type':'system','subtype':'permission_denied','tool_name':'Bash',"
	  "'tool_use_id':'t1','decision_reason_type':'rule','decision_reason':'no',"
	  "'message':'denied: no'" ENDS },
	{ { .kind = EVENT_FALLBACK, .fallback = { SV_INIT("a"), SV_INIT("b"), SV_INIT("busy") } },
	  "{'type':'system','subtype':'model_fallback','trigger':'overloaded',"
	  "'original_model':'a','fallback_model':'b','content':'busy'" ENDS },
	{ { .kind = EVENT_REFUSED,
	    .refused = { SV_INIT("m"), SV_INIT("r"), SV_INIT("bio"), SV_INIT("why"), SV_INIT("u"),
			 SV_INIT("no") } },
	  "{'type':'system','subtype':'model_refusal_no_fallback','original_model':'m',"
	  "'request_id':'r','api_refusal_category':'bio','api_refusal_explanation':'why',"
	  "'refused_user_message_uuid':'u','content':'no'" ENDS },
	{ { .kind = EVENT_INFORMATIONAL,
	    .info = { SV_INIT("mind"), NOTICE_WARNING, SV_INIT("t1") } },
	  "{'type':'system','subtype':'informational','content':'mind','level':'warning',"
	  "'tool_use_id':'t1'" ENDS },
	{ { .kind = EVENT_TRANSITION, .transition = { GO_NEXT_TURN } },
	  "{'type':'system','subtype':'awl_transition','reason':'next_turn'" ENDS },
	{ { .kind = EVENT_TOOL_PROGRESS,
	    .tool = { .tool = SV_INIT("Bash"), .id = SV_INIT("t1"), .elapsed_ms = 30999 } },
	  "{'type':'tool_progress','tool_use_id':'t1-heartbeat-0','tool_name':'Bash',"
	  "'parent_tool_use_id':'t1','elapsed_time_seconds':30,'heartbeat':true" ENDS },
	{ { .kind = EVENT_TOOL_OUTPUT,
	    .tool = { .tool = SV_INIT("Bash"), .id = SV_INIT("t1"), .text = SV_INIT("a\n") } },
	  "{'type':'system','subtype':'awl_tool_output','tool_name':'Bash',"
	  "'tool_use_id':'t1','text':'a\\n'" ENDS },
	{ { .kind = EVENT_PROMPT, .prompt = { SV_INIT("u1"), PROMPT_STARTED } },
	  "{'type':'command_lifecycle','command_uuid':'u1','state':'started'" ENDS },
	{ { .kind = EVENT_PROGRESS, .progress = { SV_INIT("r1") } },
	  "{'type':'system','subtype':'control_request_progress','request_id':'r1',"
	  "'status':'started'" ENDS },
	{ { .kind = EVENT_MIRROR, .mirror = { SV_INIT("/f"), SV_INIT("[{\"a\":1},{}]") } },
	  "{'type':'transcript_mirror','filePath':'/f','entries':[{'a':1},{}]}" },
	{ { .kind = EVENT_TASKS, .tasks = { tasks, 1 } },
	  "{'type':'system','subtype':'background_tasks_changed','tasks':[{'task_id':'b1',"
	  "'task_type':'local_bash','description':'d'}]" ENDS },
	{ { .kind = EVENT_TASK_STARTED,
	    .task = { .id = SV_INIT("b1"),
		      .call = SV_INIT("t1"),
		      .type = SV_INIT("local_bash"),
		      .description = SV_INIT("d") } },
	  "{'type':'system','subtype':'task_started','task_id':'b1','task_type':'local_bash',"
	  "'description':'d','tool_use_id':'t1','is_backgrounded':true" ENDS },
	{ { .kind = EVENT_TASK_PROGRESS,
	    .task = { .id = SV_INIT("a1"),
		      .call = SV_INIT("t1"),
		      .description = SV_INIT("Bash: ls"),
		      .agent_type = SV_INIT("Explore"),
		      .last_tool = SV_INIT("Bash"),
		      .total_tokens = 7,
		      .tool_uses = 1,
		      .duration_ms = 9 } },
	  "{'type':'system','subtype':'task_progress','task_id':'a1','tool_use_id':'t1',"
	  "'description':'Bash: ls','subagent_type':'Explore','usage':{'total_tokens':7,"
	  "'tool_uses':1,'duration_ms':9},'last_tool_name':'Bash'" ENDS },
	{ { .kind = EVENT_TASK_UPDATED,
	    .task = { .id = SV_INIT("b1"), .status = COMMAND_STOPPED, .end_ms = 7 } },
	  "{'type':'system','subtype':'task_updated','task_id':'b1',"
	  "'patch':{'status':'killed','end_time':7}" ENDS },
	{ { .kind = EVENT_TASK_ENDED,
	    .task = { .id = SV_INIT("b1"),
		      .call = SV_INIT("t1"),
		      .status = COMMAND_FAILED,
		      .output_file = SV_INIT("/o"),
		      .summary = SV_INIT("s") } },
	  "{'type':'system','subtype':'task_notification','task_id':'b1','tool_use_id':'t1',"
	  "'status':'failed','output_file':'/o','summary':'s'" ENDS },
	{ { .kind = EVENT_COMPACTED, .compacted = { true, 5, 3, 7 } },
	  "{'type':'system','subtype':'compact_boundary','compact_metadata':{"
	  "'trigger':'manual','pre_tokens':5,'post_tokens':3,'duration_ms':7}" ENDS },
	{ { .kind = EVENT_RESET, .reset = { SV_INIT("i"), SV_INIT("u") } },
	  "{'type':'conversation_reset','new_conversation_id':'i','trigger':'clear',"
	  "'user_message_uuid':'u'" ENDS },
	{ { .kind = EVENT_ENDING },
	  "{'type':'system','subtype':'worker_shutting_down','reason':'host_exit'" ENDS },
	{ { .kind = EVENT_HOST_REQUEST,
	    .request = { .kind = HOST_CAN_USE_TOOL,
			 .id = SV_INIT("r1"),
			 .permission = { .tool = SV_INIT("Write"),
					 .id = SV_INIT("t1"),
					 .input = SV_INIT("{\"a\":1}"),
					 .description = SV_INIT("d"),
					 .reason_type = SV_INIT("mode"),
					 .reason = SV_INIT("it writes"),
					 .is_safety = true,
					 .rule = { SV_INIT("cliArg"), SV_INIT("Write"),
						   SV_INIT("/etc/**") },
					 .path = SV_INIT("/etc/hosts") } } },
	  "{'type':'control_request','request_id':'r1','request':{'subtype':'can_use_tool',"
	  "'tool_name':'Write','display_name':'Write','input':{'a':1},'tool_use_id':'t1',"
	  "'description':'d','decision_reason_type':'mode','decision_reason':'it writes',"
	  "'classifier_approvable':false,'matched_ask_rule':{'source':'cliArg','tool_name':"
	  "'Write','rule_content':'/etc/**'},"
	  "'blocked_path':'/etc/hosts'}}" },
	{ { .kind = EVENT_HOST_CANCEL, .cancel = { .request_id = SV_INIT("r1") } },
	  "{'type':'control_cancel_request','request_id':'r1'}" },
	{ { .kind = EVENT_REPLY,
	    .reply = { .request_id = SV_INIT("r1"), .kind = REPLY_MODE, .mode = SV_INIT("plan") } },
	  "{'type':'control_response','response':{'subtype':'success','request_id':'r1',"
	  "'response':{'mode':'plan'}}}" },
	{ { .kind = EVENT_COMMANDS, .commands = { full_commands, 2 } },
	  "{'type':'system','subtype':'commands_changed','commands':[{'name':'one',"
	  "'description':'d','argumentHint':'h'},{'name':'two','description':'',"
	  "'argumentHint':'','aliases':['2','zwei'],'builtin':true}]" ENDS },
	{ { .kind = EVENT_THINKING, .thinking = { .tokens = 120, .more = 50 } },
	  "{'type':'system','subtype':'thinking_tokens','estimated_tokens':120,"
	  "'estimated_tokens_delta':50" ENDS },
	{ { .kind = EVENT_SUGGESTION, .suggestion = { .text = SV_INIT("run the tests") } },
	  "{'type':'prompt_suggestion','suggestion':'run the tests'" ENDS },
	{ { .kind = EVENT_PAGE_DONE, .page = { SV_INIT("s"), SV_INIT("e1") } },
	  "{'type':'system','subtype':'elicitation_complete','mcp_server_name':'s',"
	  "'elicitation_id':'e1'" ENDS },
	{ { .kind = EVENT_TOOL_SUMMARY,
	    .tool_summary = { .text = SV_INIT("Read a file"), .ids = words, .nids = 1 } },
	  "{'type':'tool_use_summary','summary':'Read a file',"
	  "'preceding_tool_use_ids':['one']" ENDS },
	{ { .kind = EVENT_NOTIFICATION, .notification = { SV_INIT("It is red.") } },
	  "{'type':'system','subtype':'notification','key':'push_notification',"
	  "'text':'It is red.','priority':'high'" ENDS },
	{ { .kind = EVENT_GOAL,
	    .goal = { .condition = SV_INIT("it works"),
		      .reason = SV_INIT("It does not."),
		      .rounds = 2,
		      .set_at_ms = 1794734408000,
		      .tokens_at_start = 17 } },
	  "{'type':'active_goal','value':{'condition':'it works','iterations':2,"
	  "'set_at':1794734408000,'tokens_at_start':17,'last_reason':'It does not.'}" ENDS },
	{ { .kind = EVENT_RATE_LIMIT,
	    .rate_limit = { "allowed_warning", "five_hour", "rejected", "out_of_credits",
			    1794734408, 1794739999, 0.91, 0.9, true } },
	  "{'type':'rate_limit_event','rate_limit_info':{'status':'allowed_warning',"
	  "'resetsAt':1794734408,'rateLimitType':'five_hour','utilization':0.91,"
	  "'overageStatus':'rejected','overageResetsAt':1794739999,"
	  "'overageDisabledReason':'out_of_credits','isUsingOverage':true,"
	  "'surpassedThreshold':0.9}" ENDS },
	{ { .kind = EVENT_TERMINAL, .terminal = { .sequence = SV_INIT("\a") } },
	  "{'type':'system','subtype':'terminal_sequence','sequence':'\\u0007'" ENDS },
	{ { .kind = EVENT_HOOK_STARTED,
	    .hook = { .id = SV_INIT("h1"),
		      .name = SV_INIT("PreToolUse:Bash"),
		      .event = SV_INIT("PreToolUse") } },
	  "{'type':'system','subtype':'hook_started','hook_id':'h1',"
	  "'hook_name':'PreToolUse:Bash','hook_event':'PreToolUse','session_id':'S','uuid':'U'}" },
	{ { .kind = EVENT_HOOK_PROGRESS,
	    .hook = { .id = SV_INIT("h1"),
		      .name = SV_INIT("Stop"),
		      .event = SV_INIT("Stop"),
		      .err = SV_INIT("so far") } },
	  "{'type':'system','subtype':'hook_progress','hook_id':'h1','hook_name':'Stop',"
	  "'hook_event':'Stop','stdout':'','stderr':'so far','output':'so far','session_id':'S',"
	  "'uuid':'U'}" },
	{ { .kind = EVENT_HOOK_RESPONSE,
	    .hook = { .id = SV_INIT("h1"),
		      .name = SV_INIT("Stop"),
		      .event = SV_INIT("Stop"),
		      .out = SV_INIT("o"),
		      .err = SV_INIT("e"),
		      .has_code = true,
		      .code = 2,
		      .outcome = SV_INIT("error") } },
	  "{'type':'system','subtype':'hook_response','hook_id':'h1','hook_name':'Stop',"
	  "'hook_event':'Stop','stdout':'o','stderr':'e','output':'o','exit_code':2,"
	  "'outcome':'error','session_id':'S','uuid':'U'}" },
};

static void check_contains(const struct event *event, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	form_of(&out, event);
	CHECK(strstr(str_c(&out), expected) != NULL);
}

TEST(the_beginning_of_a_turn_says_which_plugins_could_not_be_loaded_and_why)
{
	static const struct reply_plugin_error errors[] = {
		{ .plugin = SV_INIT("inline[0]"),
		  .message = SV_INIT("m"),
		  .path = SV_INIT("/p"),
		  .why = ERR_NOT_FOUND },
		{ .plugin = SV_INIT("a@b"), .message = SV_INIT("n"), .why = ERR_UNSUPPORTED },
		{ .plugin = SV_INIT("c@d"), .message = SV_INIT("o"), .why = ERR_PARSE },
		{ .plugin = SV_INIT("e@f"), .message = SV_INIT("p") },
	};

	check_contains(&(struct event){ .kind = EVENT_INIT,
					.init = { .plugin_errors = errors, .nplugin_errors = 4 } },
		       "'plugin_errors':[{'plugin':'inline[0]','type':'path-not-found','message':'"
		       "m','path':'/p'},"
		       "{'plugin':'a@b','type':'dependency-unsatisfied','message':'n'},"
		       "{'plugin':'c@d','type':'manifest-validation-error','message':'o'},"
		       "{'plugin':'e@f','type':'generic-error','message':'p'}]");
}

TEST(the_beginning_of_a_turn_has_what_was_configured)
{
	const struct event event = { .kind = EVENT_INIT,
				     .init = { .betas = SV_INIT("one, two,"),
					       .memory = SV_INIT("/m") } };

	check_contains(&event, "'memory_paths':{'auto':'/m/'},'betas':['one','two']");
}

TEST(the_tool_that_starts_agents_has_the_name_that_hosts_know)
{
	static const struct sv tools[] = { SV_INIT("Agent"), SV_INIT("AgentX") };
	struct event event = { .kind = EVENT_INIT, .init = { .tools = tools, .ntools = 2 } };

	check_contains(&event, "'tools':['Task','AgentX']");
}

TEST(every_kind_of_event_has_its_one_json_form)
{
	for (size_t i = 0; i < countof(full); i++) {
		CHECK_INT(full[i].event.kind, i); /* none is left out */
		check_form(&full[i].event, full[i].json);
	}
	CHECK_INT(countof(full), EVENT_KINDS);
}

TEST(every_event_of_a_sub_agent_names_the_call_that_started_it)
{
	for (size_t i = 0; i < countof(full); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct event event = full[i].event;
		bool names = event.kind != EVENT_HOST_CANCEL && event.kind != EVENT_REPLY &&
			     event.kind != EVENT_MIRROR;

		event.parent_tool_use_id = SV("call-7");
		event_write(&out, &event, SV("U"), SV("S"));
		CHECK_INT(sv_find(sv_of(&out), SV("parent_tool_use_id\":\"call-7\"")) != SIZE_MAX,
			  names);
	}
}

TEST(type_and_subtype_are_those_of_the_json_form)
{
	for (size_t i = 0; i < countof(full); i++) {
		defer(str_clear) struct str out = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		const struct event *event = &full[i].event;
		struct err err = ERR_INIT;

		event_write(&out, event, SV("U"), SV("S"));
		doc = json_parse(sv_of(&out), 0, &err);
		CHECK_OK(doc != NULL, err);
		CHECK_SV_EQ(json_str_or(json_get(json_root(doc), "type"), SV_EMPTY),
			    sv_cstr(event_type(event->kind)));
		CHECK_SV_EQ(json_str_or(json_get(json_root(doc), "subtype"), SV_EMPTY),
			    sv_cstr(event_subtype(event)));
	}
}

/* Those that answer requests carry their own ids, and no others. */
TEST(control_frames_have_neither_uuid_nor_session_id)
{
	static const enum event_kind control[] = { EVENT_HOST_REQUEST, EVENT_HOST_CANCEL,
						   EVENT_REPLY, EVENT_MIRROR };

	for (size_t i = 0; i < countof(full); i++) {
		bool is_control = false;

		for (size_t k = 0; k < countof(control); k++)
			is_control |= full[i].event.kind == control[k];
		CHECK((strstr(full[i].json, "'session_id'") == NULL) == is_control);
		CHECK((strstr(full[i].json, "'uuid'") == NULL) == is_control);
	}
}

/* The same kinds when there is little to say. */
static const struct {
	struct event event;
	const char *json;
} sparse[] = {
	{ { .kind = EVENT_INIT },
	  "{'type':'system','subtype':'init','cwd':'','tools':[],'mcp_servers':[],'model':'',"
	  "'permissionMode':'','slash_commands':[],'apiKeySource':'','claude_code_version':'',"
	  "'output_style':'','agents':[],'skills':[],'plugins':[]," CAPABLE
	  ",'original_cwd':'','additional_directories':[],'effort':null,"
	  "'fast_mode_state':'off'" ENDS },
	{ { .kind = EVENT_TASK_STARTED, .task = { .id = SV_INIT("b1"), .is_awaited = true } },
	  "{'type':'system','subtype':'task_started','task_id':'b1','task_type':'',"
	  "'description':'','is_backgrounded':false" ENDS },
	{ { .kind = EVENT_ASSISTANT, .message = { .json = SV_INIT("{}") } },
	  "{'type':'assistant','message':{},'parent_tool_use_id':null" ENDS },
	{ { .kind = EVENT_USER,
	    .message = { .json = SV_INIT("{}"),
			 .decision = { .id = SV_INIT("t"), .why = REASON_USER } } },
	  "{'type':'user','message':{},'parent_tool_use_id':null,"
	  "'tool_result_meta':[{'id':'t','permission_decision':{'decision':'reject','source':"
	  "'user_reject','reason_type':'permissionPromptTool'},'non_execution_kind':"
	  "'user-rejected'}]" ENDS },
	{ { .kind = EVENT_USER,
	    .message = { .json = SV_INIT("{}"),
			 .decision = { .id = SV_INIT("t"),
				       .accepted = true,
				       .why = REASON_USER,
				       .is_permanent = true } } },
	  "{'type':'user','message':{},'parent_tool_use_id':null,"
	  "'tool_result_meta':[{'id':'t','permission_decision':{'decision':'accept','source':"
	  "'user_permanent','reason_type':'permissionPromptTool'}}]" ENDS },
	{ { .kind = EVENT_USER,
	    .message = { .json = SV_INIT("{}"),
			 .decision = { .id = SV_INIT("t"), .why = REASON_HOOK } } },
	  "{'type':'user','message':{},'parent_tool_use_id':null,"
	  "'tool_result_meta':[{'id':'t','permission_decision':{'decision':'reject','source':"
	  "'hook','reason_type':'hook'},'non_execution_kind':'permission-rule'}]" ENDS },
	{ { .kind = EVENT_USER,
	    .message = { .json = SV_INIT("{}"), .decision = { .text = SV_INIT("of nothing") } } },
	  "{'type':'user','message':{},'parent_tool_use_id':null" ENDS },
	{ { .kind = EVENT_ASSISTANT,
	    .message = { .json = SV_INIT("{}"), .error = SV_INIT("network_error") } },
	  "{'type':'assistant','message':{},'parent_tool_use_id':null,'error':'unknown',"
	  "'awl_error':'network_error','is_api_error_message':true" ENDS },
	{ { .kind = EVENT_PROGRESS,
	    .progress = { SV_INIT("r1"), { .attempt = 2, .max = 10, .delay_ms = 500 } } },
	  "{'type':'system','subtype':'control_request_progress','request_id':'r1','status':"
	  "'api_retry','attempt':2,'max_retries':10,'retry_delay_ms':500,'error_status':"
	  "null" ENDS },
	{ { .kind = EVENT_STREAM, .stream = { .json = SV_INIT("1"), .ttft_ms = -1 } },
	  "{'type':'stream_event','event':1,'parent_tool_use_id':null" ENDS },
	{ { .kind = EVENT_STREAM, .stream = { .json = SV_INIT("1"), .ttft_ms = 0 } },
	  "{'type':'stream_event','event':1,'parent_tool_use_id':null,'ttft_ms':0" ENDS },
	{ { .kind = EVENT_RESULT,
	    .result = { .reason = END_MAX_TURNS,
			.has_reason = true,
			.is_error = true,
			.outcome = RESULT_MAX_TURNS,
			.text = SV_INIT("not shown"),
			.error = SV_INIT("too many"),
			.ttft_ms = -1,
			.api_error_status = 400 } },
	  "{'type':'result','subtype':'error_max_turns','is_error':true,'duration_ms':0,"
	  "'duration_api_ms':0,'num_turns':0,'errors':['too many'],'stop_reason':null,"
	  "'total_cost_usd':0,'awl_cost_incomplete':true,'usage':" NO_USAGE ","
	  "'modelUsage':{},'permission_denials':[],'terminal_reason':'max_turns'" QUEUED ENDS },
	{ { .kind = EVENT_RESULT, .result = { .outcome = RESULT_SUCCESS, .cost_known = true } },
	  "{'type':'result','subtype':'success','is_error':false,'duration_ms':0,"
	  "'duration_api_ms':0,'ttft_ms':0,'num_turns':0,'result':'','stop_reason':null,"
	  "'api_error_status':null,'total_cost_usd':0,'usage':" NO_USAGE ",'modelUsage':{},"
	  "'permission_denials':[]" QUEUED ENDS },
	{ { .kind = EVENT_STATUS, .status = { .permission_mode = SV_INIT("plan") } },
	  "{'type':'system','subtype':'status','status':null,'permissionMode':'plan'" ENDS },
	{ { .kind = EVENT_STATUS,
	    .status = { .compact_result = SV_INIT("failed"), .compact_error = SV_INIT("why") } },
	  "{'type':'system','subtype':'status','status':null,'compact_result':'failed',"
	  "'compact_error':'why'" ENDS },
	{ { .kind = EVENT_STATE, .state = { ACTIVITY_IDLE, false } },
	  "{'type':'system','subtype':'session_state_changed','state':'idle'" ENDS },
	{ { .kind = EVENT_RETRY, .retry = { 1, 10, 0, 0, SV_INIT("network"), SV_INIT("") } },
	  "{'type':'system','subtype':'api_retry','attempt':1,'max_retries':10,"
	  "'retry_delay_ms':0,'error_status':null,'error':'network','awl_text':''" ENDS },
	{ { .kind = EVENT_DISCARD },
	  "{'type':'system','subtype':'awl_discard','message_uuids':[]" ENDS },
	{ { .kind = EVENT_INFORMATIONAL, .info = { SV_INIT("x"), NOTICE_INFO, SV_INIT("") } },
	  "{'type':'system','subtype':'informational','content':'x','level':'info'" ENDS },
	{ { .kind = EVENT_HOST_REQUEST,
	    .request = { .id = SV_INIT("r"), .permission = { .input = SV_INIT("{}") } } },
	  "{'type':'control_request','request_id':'r','request':{'subtype':'can_use_tool',"
	  "'tool_name':'','display_name':'','input':{},'tool_use_id':''}}" },
	{ { .kind = EVENT_REPLY, .reply = { .request_id = SV_INIT("r") } },
	  "{'type':'control_response','response':{'subtype':'success','request_id':'r'}}" },
	{ { .kind = EVENT_REPLY,
	    .reply = { .request_id = SV_INIT("r"),
		       .kind = REPLY_ERROR,
		       .error = { .text = SV_INIT("no \"x\"") } } },
	  "{'type':'control_response','response':{'subtype':'error','request_id':'r',"
	  "'error':'no \\'x\\''}}" },
};

TEST(what_is_not_there_is_null_where_readers_look_for_it_and_left_out_elsewhere)
{
	for (size_t i = 0; i < countof(sparse); i++)
		check_form(&sparse[i].event, sparse[i].json);
}

TEST(text_that_is_no_utf8_still_gives_valid_json)
{
	check_form(&(struct event){ .kind = EVENT_INFORMATIONAL,
				    .info = { SV("a\xff\0z"), NOTICE_INFO, SV("") } },
		   "{'type':'system','subtype':'informational','content':'a\xef\xbf\xbd\\u0000z',"
		   "'level':'info'" ENDS);
}

TEST(a_question_for_more_than_yes_or_no_says_so)
{
	defer(str_clear) struct str out = STR_INIT;
	struct event event = { .kind = EVENT_HOST_REQUEST,
			       .request = { .kind = HOST_CAN_USE_TOOL,
					    .id = SV("r1"),
					    .permission = { .tool = SV("Q"),
							    .id = SV("t1"),
							    .input = SV("{}"),
							    .needs_user = true } } };

	event_write(&out, &event, SV("u"), SV("s"));
	CHECK(strstr(out.ptr, "\"tool_use_id\":\"t1\",\"requires_user_interaction\":true}"));
	event.request.permission.patience_ms = 60000;
	str_truncate(&out, 0);
	event_write(&out, &event, SV("u"), SV("s"));
	CHECK(strstr(out.ptr, "\"requires_user_interaction\":true,\"awl_timeout_ms\":60000}"));
}

TEST(an_event_is_appended_to_what_is_there)
{
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&out, "before ");
	event_write(&out, &full[EVENT_HOST_CANCEL].event, SV_EMPTY, SV_EMPTY);
	CHECK_STR(str_c(&out),
		  "before {\"type\":\"control_cancel_request\",\"request_id\":\"r1\"}");
}

TEST(a_denial_names_the_input_and_the_rules_that_would_have_helped)
{
	static const struct sv rules[] = { SV_INIT("Bash(x)"), SV_INIT("Read(y)") };
	struct event event = { .kind = EVENT_DENIED,
			       .denied = { .tool = SV("Bash"),
					   .id = SV("t1"),
					   .message = SV("no"),
					   .nobody_to_ask = true,
					   .input = SV("{\"command\":\"x\"}"),
					   .rules = rules,
					   .nrules = 2 } };
	defer(str_clear) struct str line = STR_INIT;

	event_write(&line, &event, SV("u"), SV("s"));
	CHECK(strstr(line.ptr, "\"message\":\"no\",\"awl_nobody_to_ask\":true,"
			       "\"awl_tool_input\":{\"command\":\"x\"},"
			       "\"awl_rules\":[\"Bash(x)\",\"Read(y)\"]"));
}
