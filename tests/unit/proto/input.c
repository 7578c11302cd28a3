#include "proto/input.h"

#include "proto/permission.h"
#include "test.h"

/* The document of `text`, in which ' stands for ". */
static struct json_doc *doc_of(const char *text)
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

#define READ(name, text)                                                  \
	defer(json_doc_freep) struct json_doc *name##_doc = doc_of(text); \
	struct input name = read_from(name##_doc)

static struct input read_from(const struct json_doc *doc)
{
	struct input in;
	struct err err = ERR_INIT;

	CHECK_OK(input_read(&in, json_root(doc), &err), err);
	CHECK_INT(err.kind, ERR_NONE);
	return in;
}

static struct sv id_of(const struct input *in)
{
	switch (in->kind) {
	case INPUT_REQUEST: return in->request.id;
	case INPUT_RESPONSE: return in->response.request_id;
	case INPUT_CANCEL: return in->cancel.request_id;
	case INPUT_IGNORED:
	case INPUT_PROMPT: break;
	}
	return SV_EMPTY;
}

TEST(each_input_is_known_by_its_type_and_subtype)
{
#define REQUEST(subtype) \
	"{'type':'control_request','request_id':'r','request':{'subtype':'" subtype "'}}"
	static const struct {
		const char *text;
		enum input_kind kind;
		enum control_kind control; /* of a request */
		const char *request_id;
	} cases[] = {
		{ "{'type':'user','message':{'role':'user','content':'hi'}}", INPUT_PROMPT, 0, "" },
		{ "{'type':'user','message':{'role':'user','content':[]}}", INPUT_PROMPT, 0, "" },
		{ REQUEST("initialize"), INPUT_REQUEST, CONTROL_INITIALIZE, "r" },
		{ REQUEST("interrupt"), INPUT_REQUEST, CONTROL_INTERRUPT, "r" },
		{ REQUEST("set_model"), INPUT_REQUEST, CONTROL_SET_MODEL, "r" },
		{ REQUEST("set_permission_mode"), INPUT_REQUEST, CONTROL_SET_MODE, "r" },
		{ REQUEST("set_max_thinking_tokens"), INPUT_REQUEST, CONTROL_SET_THINKING, "r" },
		{ REQUEST("dance"), INPUT_REQUEST, CONTROL_UNKNOWN, "r" },
		{ REQUEST(""), INPUT_REQUEST, CONTROL_UNKNOWN, "r" },
		{ REQUEST("Interrupt"), INPUT_REQUEST, CONTROL_UNKNOWN, "r" },
		{ "{'type':'control_response','response':{'request_id':'r'}}", INPUT_RESPONSE, 0,
		  "r" },
		{ "{'type':'control_cancel_request','request_id':'r'}", INPUT_CANCEL, 0, "r" },
		{ "{'type':'control_cancel_request'}", INPUT_CANCEL, 0, "" },
		{ "{'type':'control_response','request_id':'r','response':{'subtype':'allow'}}",
		  INPUT_RESPONSE, 0, "r" },
		{ "{'type':'control_response'}", INPUT_IGNORED, 0, "" },
		{ "{'type':'control_response','response':[]}", INPUT_IGNORED, 0, "" },
		{ "{'type':'control_response','response':{}}", INPUT_IGNORED, 0, "" },
		{ "{'type':'control_response','response':{'request_id':null}}", INPUT_IGNORED, 0,
		  "" },
		{ REQUEST("cancel_async_message"), INPUT_REQUEST, CONTROL_CANCEL_PROMPT, "r" },
		{ "{'type':'update_environment_variables','variables':{'A':'b'}}", INPUT_IGNORED, 0,
		  "" },
		{ "{'type':'keep_alive'}", INPUT_IGNORED, 0, "" },
		{ "{'type':'something_of_tomorrow','message':5}", INPUT_IGNORED, 0, "" },
		{ "{'type':''}", INPUT_IGNORED, 0, "" },
	};
#undef REQUEST

	for (size_t i = 0; i < countof(cases); i++) {
		READ(in, cases[i].text);

		CHECK_INT(in.kind, cases[i].kind);
		CHECK_SV_EQ(id_of(&in), sv_cstr(cases[i].request_id));
		if (in.kind == INPUT_REQUEST)
			CHECK_INT(in.request.kind, cases[i].control);
	}
}

TEST(a_line_that_is_not_an_input_is_refused_with_its_reason_and_changes_nothing)
{
#define USER(message) "{'type':'user','message':" message "}"
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "5", "an input message must be a JSON object, not" },
		{ "null", "an input message must be a JSON object, not" },
		{ "'user'", "an input message must be a JSON object, not" },
		{ "[{'type':'user'}]", "an input message must be a JSON object, not" },
		{ "{}", "\"type\"" },
		{ "{'type':null}", "\"type\" must be a string" },
		{ "{'type':['user']}", "\"type\" must be a string" },
		{ "{'type':'user'}", "a user message: \"message\"" },
		{ USER("null"), "a user message: \"message\" must be an object" },
		{ USER("'hi'"), "a user message: \"message\" must be an object" },
		{ USER("{}"), "a user message: \"role\"" },
		{ USER("{'role':1}"), "a user message: \"role\" must be a string" },
		{ USER("{'role':'assistant','content':'x'}"), "role user, not assistant" },
		{ USER("{'role':'','content':'x'}"), "role user, not " },
		{ USER("{'role':'user'}"), "\"content\" must be a string or an array" },
		{ USER("{'role':'user','content':null}"), "\"content\" must be" },
		{ USER("{'role':'user','content':{}}"), "\"content\" must be" },
		{ USER("{'role':'user','content':7}"), "\"content\" must be" },
		{ USER("{'role':'user','content':['hi']}"), "content block 1 must be an object" },
		{ USER("{'role':'user','content':[{'type':'text'},null]}"), "content block 2" },
		{ USER("{'role':'user','content':[[]]}"), "content block 1" },
		{ "{'type':'control_request'}", "a control request: \"request_id\"" },
		{ "{'type':'control_request','request_id':1}", "\"request_id\" must be a string" },
		{ "{'type':'control_request','request_id':'r'}", "a control request: \"request\"" },
		{ "{'type':'control_request','request_id':'r','request':'interrupt'}",
		  "\"request\" must be an object" },
		{ "{'type':'control_request','request_id':'r','request':{}}",
		  "a control request: \"subtype\"" },
		{ "{'type':'control_request','request_id':'r','request':{'subtype':0}}",
		  "\"subtype\" must be a string" },
	};
#undef USER

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = doc_of(cases[i].text);
		struct input in = { .kind = INPUT_CANCEL, .cancel = { SV("x") } }, before;
		struct err err = ERR_INIT;

		memcpy(&before, &in, sizeof(in));
		CHECK(!input_read(&in, json_root(doc), &err));
		CHECK_ERR(err, ERR_INVALID, cases[i].error);
		CHECK(memcmp(&in, &before, sizeof(in)) == 0);
	}
}

TEST(nothing_at_all_is_not_an_input)
{
	struct input in;
	struct err err = ERR_INIT;

	CHECK(!input_read(&in, json_root(NULL), &err));
	CHECK_ERR(err, ERR_INVALID, "an input message must be a JSON object");
}

TEST(a_prompt_has_its_content_and_how_it_is_meant)
{
	READ(plain, "{'type':'user','message':{'role':'user','content':'hi'}}");
	READ(late, "{'type':'user','priority':'later','message':{'role':'user','content':'hi'}}");
	READ(rich, "{'type':'user','uuid':'u1','priority':'now','shouldQuery':false,"
		   "'client_composed':true,"
		   "'message':{'role':'user','content':[{'type':'text','text':'a'}]}}");
	READ(odd, "{'type':'user','uuid':7,'priority':true,'shouldQuery':'no','client_composed':1,"
		  "'message':{'role':'user','content':''}}");

	CHECK_SV(json_str_or(plain.prompt.content, SV_EMPTY), "hi");
	CHECK_SV(plain.prompt.uuid, "");
	CHECK(plain.prompt.priority == INPUT_NEXT && !plain.prompt.silent &&
	      !plain.prompt.verbatim);
	CHECK(json_is(rich.prompt.content, JSON_ARRAY));
	CHECK_SV(rich.prompt.uuid, "u1");
	CHECK(rich.prompt.priority == INPUT_NOW && rich.prompt.silent && rich.prompt.verbatim);
	CHECK(late.prompt.priority == INPUT_LATER);
	CHECK_SV(odd.prompt.uuid, "");
	CHECK(odd.prompt.priority == INPUT_NEXT && !odd.prompt.silent && !odd.prompt.verbatim);
}

TEST(a_control_request_has_its_value_or_says_the_default)
{
#define REQUEST(members) "{'type':'control_request','request_id':'r','request':{" members "}}"
	READ(model, REQUEST("'subtype':'set_model','model':'opus'"));
	READ(no_model, REQUEST("'subtype':'set_model','model':null"));
	READ(mode, REQUEST("'subtype':'set_permission_mode','mode':'plan'"));
	READ(thinking, REQUEST("'subtype':'set_max_thinking_tokens','max_thinking_tokens':4000"));
	READ(by_itself, REQUEST("'subtype':'set_max_thinking_tokens','max_thinking_tokens':null"));
	READ(init, REQUEST("'subtype':'initialize','systemPrompt':['a'],"
			   "'appendSystemPrompt':'b'"));
	READ(settings, REQUEST("'subtype':'apply_flag_settings','settings':{'a':1}"));
	READ(task, REQUEST("'subtype':'stop_task','task_id':'t'"));
	READ(stop_all, REQUEST("'subtype':'interrupt','cancel_queued':true"));
	READ(withdraw, REQUEST("'subtype':'cancel_async_message','message_uuid':'u'"));
#undef REQUEST

	CHECK_SV(model.request.set_model.model, "opus");
	CHECK_SV(no_model.request.set_model.model, "");
	CHECK_SV(mode.request.set_mode.mode, "plan");
	CHECK_INT(thinking.request.set_thinking.tokens, 4000);
	CHECK_INT(by_itself.request.set_thinking.tokens, -1);
	CHECK_SV(init.request.subtype, "initialize");
	CHECK_INT(json_len(init.request.initialize.system_prompt), 1);
	CHECK_SV(init.request.initialize.append_system_prompt, "b");
	CHECK(json_exists(json_get(settings.request.apply_settings.settings, "a")));
	CHECK_SV(task.request.stop_task.id, "t");
	CHECK(stop_all.request.interrupt.cancels_queued);
	CHECK_SV(withdraw.request.cancel_prompt.uuid, "u");
}

/* What an answer to a permission question means; a failure is a no with its reason. */
struct meaning {
	struct permission_answer answer;
	struct err err;
};

static struct meaning meaning_of(const struct input *in)
{
	struct meaning m = { .answer = { .allow = false }, .err = ERR_INIT };

	CHECK_INT(in->kind, INPUT_RESPONSE);
	if (in->response.has_failed)
		err_set(&m.err, ERR_INVALID, "%.*s", SV_ARG(in->response.error));
	else if (!permission_answer_read(&m.answer, in->response.body, &m.err))
		CHECK(!m.answer.allow); /* untouched */
	return m;
}

TEST(an_answer_allows_only_when_it_says_so)
{
#define ANSWER(members) "{'type':'control_response','response':{'request_id':'r'" members "}}"
	READ(yes, ANSWER(",'subtype':'success','response':{'behavior':'allow',"
			 "'updatedInput':{'a':1}}"));
	READ(no, ANSWER(",'response':{'behavior':'deny','message':'not now','interrupt':true}"));
	READ(failed, ANSWER(",'subtype':'error','error':'it broke'"));
	READ(empty, ANSWER(""));
	READ(other_case, ANSWER(",'response':{'behavior':'Allow'}"));
	READ(truth, ANSWER(",'response':{'behavior':true}"));
	READ(failed_yes, ANSWER(",'subtype':'error','error':'it broke',"
				"'response':{'behavior':'allow'}"));
#undef ANSWER

	CHECK(meaning_of(&yes).answer.allow && !meaning_of(&yes).answer.interrupt);
	CHECK_INT(json_int_or(json_get(meaning_of(&yes).answer.updated_input, "a"), 0), 1);
	CHECK(!meaning_of(&no).answer.allow && meaning_of(&no).answer.interrupt);
	CHECK_SV(meaning_of(&no).answer.message, "not now");
	CHECK(!json_exists(meaning_of(&no).answer.updated_input));
	CHECK(!meaning_of(&failed).answer.allow);
	CHECK_STR(meaning_of(&failed).err.text, "it broke");
	CHECK(!meaning_of(&empty).answer.allow && !meaning_of(&other_case).answer.allow &&
	      !meaning_of(&truth).answer.allow && !meaning_of(&failed_yes).answer.allow);
}

TEST(answers_of_older_hosts_are_read_too)
{
	READ(bare, "{'type':'control_response','request_id':'r','response':{'subtype':'allow',"
		   "'updatedInput':{'a':1}}}");
	READ(no, "{'type':'control_response','request_id':'r','response':{'subtype':'deny',"
		 "'message':'not now'}}");
	READ(named, "{'type':'control_response','request_id':'r','response':{'behavior':'allow'}}");
	READ(inner, "{'type':'control_response','response':{'subtype':'success','request_id':'r',"
		    "'response':{'subtype':'allow'}}}");
	READ(odd, "{'type':'control_response','response':{'subtype':'success','request_id':'r',"
		  "'response':{'subtype':'perhaps'}}}");

	CHECK(meaning_of(&bare).answer.allow && meaning_of(&named).answer.allow &&
	      meaning_of(&inner).answer.allow);
	CHECK_INT(json_int_or(json_get(meaning_of(&bare).answer.updated_input, "a"), 0), 1);
	CHECK(!meaning_of(&no).answer.allow && !meaning_of(&odd).answer.allow);
	CHECK_SV(meaning_of(&no).answer.message, "not now");
	CHECK_SV(no.response.request_id, "r");
}

TEST(an_empty_input_in_an_answer_means_the_call_as_it_was_asked)
{
	READ(yes, "{'type':'control_response','response':{'subtype':'success','request_id':'r',"
		  "'response':{'behavior':'allow','updatedInput':{}}}}");

	CHECK(meaning_of(&yes).answer.allow);
	CHECK(!json_exists(meaning_of(&yes).answer.updated_input));
}

TEST(what_cannot_be_meant_as_yes_or_no_is_no_and_says_why)
{
	static const struct {
		const char *answer, *why; /* NULL: it is a yes */
	} cases[] = {
		{ "{'behavior':'allow'}", NULL },
		{ "{'behavior':'allow','updatedInput':null}", NULL },
		{ "null", "The answer must be an object, not null." },
		{ "7", "The answer must be an object, not number." },
		{ "['allow']", "The answer must be an object, not array." },
		{ "{}", "The answer: \"behavior\" is missing" },
		{ "{'behavior':7}", "The answer: \"behavior\" must be a string, not a number" },
		{ "{'behavior':'maybe'}",
		  "The answer: \"behavior\" must be allow or deny, not maybe." },
		{ "{'behavior':'allow','updatedInput':'x'}",
		  "The answer: \"updatedInput\" must be an object, not string." },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str line = STR_INIT;

		str_addf(&line,
			 "{'type':'control_response','response':{'request_id':'r',"
			 "'subtype':'success','response':%s}}",
			 cases[i].answer);
		READ(in, line.ptr);
		CHECK(meaning_of(&in).answer.allow == !cases[i].why);
		CHECK_STR(meaning_of(&in).err.text, cases[i].why ? cases[i].why : "");
	}
}
