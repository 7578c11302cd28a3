#include "proto/reply.h"

#include "test.h"

static const struct sv efforts[] = { SV_INIT("low"), SV_INIT("high") };
static const struct reply_model models[] = {
	{ .value = SV_INIT("opus"),
	  .id = SV_INIT("claude-opus-5-5"),
	  .name = SV_INIT("Opus"),
	  .description = SV_INIT("large"),
	  .takes_effort = true,
	  .efforts = efforts,
	  .nefforts = 2,
	  .thinks_adaptively = true,
	  .calls_tools = true },
	{ .value = SV_INIT("m") },
};
static const struct reply_command commands[] = { { SV_INIT("help"), SV_INIT("List them") } };
static const struct reply_rule rules[] = {
	{ BEHAVIOR_DENY, SV_INIT("userSettings"), SV_INIT("WebFetch"), REPLY_PERSISTENT },
	{ BEHAVIOR_ASK, SV_INIT("session"), SV_INIT("Read"), REPLY_FOR_SESSION },
	{ BEHAVIOR_ALLOW, SV_INIT("policySettings"), SV_INIT("Bash(ls)"), REPLY_READONLY },
};
static const struct reply_fact facts[] = { { SV_INIT("Model"), SV_INIT("m") },
					   { .label = SV_INIT("Name") } };
static const struct sv dirs[] = { SV_INIT("/d") };
static const struct sv styles[] = { SV_INIT("default"), SV_INIT("b") };
static const struct reply_settings_error settings_errors[] = { { SV_INIT("/g"), SV_INIT("torn") } };
static const struct reply_settings_source sources[] = { { SV_INIT("user"), SV_INIT("/f") } };

#define MODELS                                                                                \
	"[{'value':'opus','resolvedModel':'claude-opus-5-5','displayName':'Opus',"            \
	"'description':'large','supportsEffort':true,'supportedEffortLevels':['low','high']," \
	"'supportsAdaptiveThinking':true,'supportsAutoMode':true},"                           \
	"{'value':'m','resolvedModel':'','displayName':'','description':'',"                  \
	"'supportsEffort':false,'supportsAdaptiveThinking':false,'supportsAutoMode':false}]"
static const struct reply_command skills[] = {
	{ .name = SV_INIT("help"), .is_builtin = true },
	{ .name = SV_INIT("pdf"), .description = SV_INIT("Read them"), .is_skill = true },
};

static const struct reply_agent agents[] = {
	{ SV_INIT("a"), SV_INIT("d"), SV_INIT("opus") },
	{ SV_INIT("b"), SV_INIT("e"), SV_INIT("") },
};

static const struct host_request pending[] = {
	{ .kind = HOST_CAN_USE_TOOL,
	  .id = SV_INIT("q1"),
	  .permission = { .tool = SV_INIT("Bash"), .id = SV_INIT("t1"), .input = SV_INIT("{}") } },
	{ .kind = HOST_HOOK_CALLBACK, .id = SV_INIT("q2"), .hook = { .input = SV_INIT("{}") } },
};

static const struct {
	struct control_reply reply;
	const char *json; /* what follows the id */
} cases[] = {
	{ { .kind = REPLY_DONE }, "" },
	{ { .kind = REPLY_OBJECT }, ",'response':{}" },
	{ { .kind = REPLY_ERROR, .error = { SV_INIT("no"), SV_INIT("invalid_mode") } },
	  ",'error':'no','error_code':'invalid_mode'" },
	{ { .kind = REPLY_ERROR, .error = { .text = SV_INIT("no") } }, ",'error':'no'" },
	{ { .kind = REPLY_MODE, .mode = SV_INIT("plan") }, ",'response':{'mode':'plan'}" },
	{ { .kind = REPLY_MODEL, .model = SV_INIT("m") }, ",'response':{'model':'m'}" },
	{ { .kind = REPLY_INITIALIZE,
	    .initialize = { .commands = commands,
			    .ncommands = 1,
			    .models = { models, 2 },
			    .account = { SV_INIT("none"), SV_INIT("KEY"), SV_INIT("bedrock") },
			    .permission_mode = SV_INIT("default"),
			    .version = SV_INIT("1.2"),
			    .output_style = SV_INIT("b"),
			    .styles = { styles, 2 },
			    .pid = 7,
			    .is_busy = true,
			    .agents = agents,
			    .nagents = 2,
			    .pending = pending,
			    .npending = 2 } },
	  ",'response':{'commands':[{'name':'help','description':'List them',"
	  "'argumentHint':''}],'agents':[{'name':'a','description':'d','model':'opus'},"
	  "{'name':'b','description':'e'}],'models':" MODELS ",'output_style':'b',"
	  "'available_output_styles':['default','b'],'account':{'tokenSource':'none',"
	  "'apiKeySource':'KEY','apiProvider':'bedrock'},'pid':7,'claude_code_version':'1.2',"
	  "'current_permission_mode':'default','session_state':'running',"
	  "'fast_mode_state':'off','hook_on_failure_supported':true,"
	  "'capabilities':['interrupt_receipt_v1',"
	  "'interrupt_cancel_queued_v1','reload_plugins_refuse_if_busy_v1']},'pending_permission_"
	  "requests':[{'type':"
	  "'control_request','request_id':'q1','request':{'subtype':'can_use_tool','tool_name':"
	  "'Bash','display_name':'Bash','input':{},'tool_use_id':'t1'}}],"
	  "'pending_user_dialog_requests':[],'pending_elicitation_requests':[]" },
	{ { .kind = REPLY_SKILLS, .skills = { skills, 2 } },
	  ",'response':{'skills':[{'name':'pdf','description':'Read them','argumentHint':''}]}" },
	{ { .kind = REPLY_INTERRUPT, .interrupt = { .queued = dirs, .nqueued = 1 } },
	  ",'response':{'still_queued':['/d']}" },
	{ { .kind = REPLY_INTERRUPT,
	    .interrupt = { .cancelled = dirs, .ncancelled = 1, .cancels = true } },
	  ",'response':{'still_queued':[],'cancelled':['/d']}" },
	{ { .kind = REPLY_CANCELLED, .was_cancelled = true }, ",'response':{'cancelled':true}" },
	{ { .kind = REPLY_ANSWER, .answer = SV_INIT("a") },
	  ",'response':{'response':'a','synthetic':false}" },
	{ { .kind = REPLY_FILE, .file = { SV_INIT("x"), SV_INIT("/p"), true, true, false } },
	  ",'response':{'contents':'x','absPath':'/p','truncated':true,'encoding':'base64'}" },
	{ { .kind = REPLY_FILE, .file = { SV_INIT("x"), SV_INIT("/p"), false, false, true } },
	  ",'response':{'contents':'x','absPath':'/p','lossy':true}" },
	{ { .kind = REPLY_SUGGESTIONS, .suggestions = { dirs, 1, SV_INIT("/w") } },
	  ",'response':{'suggestions':[{'path':'/d'}],'cwd':'/w'}" },
	{ { .kind = REPLY_OUTPUT, .output = { SV_INIT("x"), 9000, true } },
	  ",'response':{'output':'x','total_bytes':9000,'truncated':true}" },
	{ { .kind = REPLY_NOT_MOVED }, ",'response':{'backgrounded':false}" },
	{ { .kind = REPLY_USAGE,
	    .usage = { .cost_usd = 0.5,
		       .api_ms = 3,
		       .duration_ms = 4,
		       .work.ms[USAGE_TOOL] = 5,
		       .lines_added = 6,
		       .lines_removed = 7 } },
	  ",'response':{'session':{'total_cost_usd':0.5,'total_api_duration_ms':3,"
	  "'total_duration_ms':4,'awl_tool_duration_ms':5,"
	  "'awl_work':{'toolCount':0,'toolDurationMs':5,'hookCount':0,'hookDurationMs':0,"
	  "'classifierCount':0,'classifierDurationMs':0},'awl_last_turn':{'toolCount':0,"
	  "'toolDurationMs':0,'hookCount':0,'hookDurationMs':0,'classifierCount':0,"
	  "'classifierDurationMs':0},"
	  "'total_lines_added':6,'total_lines_"
	  "removed':7,"
	  "'model_usage':{}},'subscription_type':null,'rate_limits_available':false,"
	  "'rate_limits':null,'behaviors':null}" },
	{ { .kind = REPLY_TEXT, .text = SV_INIT("t") }, ",'response':{'text':'t'}" },
	{ { .kind = REPLY_VERSION, .text = SV_INIT("1.2") },
	  ",'response':{'version':'1.2','buildTime':''}" },
	{ { .kind = REPLY_STATUS, .status = { facts, 2 } },
	  ",'response':{'sections':[{'title':'Session','rows':[{'label':'Model','value':'m'}]}]"
	  "}" },
	{ { .kind = REPLY_STYLES, .styles = { styles, 2 } },
	  ",'response':{'available_output_styles':['default','b']}" },
	{ { .kind = REPLY_MODELS, .models = { models, 2 } }, ",'response':{'models':" MODELS "}" },
	{ { .kind = REPLY_RULES, .rules = { rules, 3, SV_INIT("/w"), dirs, 1, true } },
	  ",'response':{'state':{'rules':[{'behavior':'deny','source':'userSettings',"
	  "'rule':'WebFetch','editability':'persistent'},{'behavior':'ask','source':'session',"
	  "'rule':'Read','editability':'session'},{'behavior':'allow','source':"
	  "'policySettings','rule':'Bash(ls)','editability':'readonly'}],"
	  "'workspaceDirectories':[{'path':'/d','source':'session'}],'originalCwd':'/w',"
	  "'managedOnly':true}}" },
	{ { .kind = REPLY_SETTINGS,
	    .settings = { .settings = { .sources = sources,
					.nsources = 1,
					.errors = settings_errors,
					.nerrors = 1 },
			  .applied = { SV_INIT("m"), SV_INIT("high") } } },
	  ",'response':{'effective':null,'sources':[{'source':'user','file':'/f',"
	  "'settings':null}],'errors':[{'file':'/"
	  "g','path':'','message':'torn'}],'applied':{'model':'m','effort':'high'}}" },
};

static void write_reply(struct str *out, const struct control_reply *reply)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	control_reply_write(&w, reply);
	jw_end(&w);
	jw_done(&w);
}

TEST(every_reply_has_its_one_json_form_and_is_read_back)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str expected = STR_INIT, out = STR_INIT, again = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct control_reply reply = cases[i].reply, read;
		bool failed = reply.kind == REPLY_ERROR;
		struct err err = ERR_INIT;

		str_addf(&expected, "{'response':{'subtype':'%s','request_id':'r'%s}}",
			 failed ? "error" : "success", cases[i].json);
		for (size_t k = 0; k < expected.len; k++)
			if (expected.ptr[k] == '\'')
				expected.ptr[k] = '"';
		reply.request_id = SV("r");
		write_reply(&out, &reply);
		CHECK_STR(str_c(&out), str_c(&expected));
		doc = json_parse(sv_of(&out), 0, &err);
		CHECK_OK(doc != NULL, err);
		control_reply_read(&read, json_root(doc));
		CHECK(read.kind == (failed                     ? REPLY_ERROR
				    : reply.kind == REPLY_DONE ? REPLY_DONE
							       : REPLY_VALUE));
		write_reply(&again, &read);
		if (reply.kind == REPLY_INITIALIZE) { /* what stands beside it is not read */
			str_truncate(&out, sv_find(sv_of(&out), SV(",\"pending_")));
			str_adds(&out, "}}");
		}
		CHECK_STR(str_c(&again), str_c(&out));
	}
}
