/* What a server said, sent back to it: the same ids, names, inputs and thinking, in
 * the same order, over several turns. */
#include "base/vec.h"
#include "model/wire/openai.h"
#include "text/json/json_span.h"

static const struct sv offered[] = { SV_INIT("{\"name\":\"Read\"}") };

struct talk {
	struct scene scene;
	VEC(struct sv) messages;
	struct str blocks; /* of the answer that is being heard */
};

static void talk_clear(struct talk *t)
{
	scene_clear(&t->scene);
	vec_clear(&t->messages);
	str_clear(&t->blocks);
}

static void talk_init(struct talk *t, const struct provider *provider)
{
	*t = (struct talk){ .blocks = STR_INIT };
	scene_init(&t->scene, provider);
	t->scene.request.tools = offered;
	t->scene.request.ntools = 1;
}

static void receive(void *arg, const struct model_event *event)
{
	struct talk *t = arg;

	if (event->kind != MODEL_BLOCK_STOP)
		return;
	str_adds(&t->blocks, t->blocks.len ? "," : "");
	str_add(&t->blocks, event->json);
}

static void add_message(struct talk *t, const char *json)
{
	vec_push(&t->messages, js(&t->scene.arena, json));
	t->scene.request.messages = t->messages.at;
	t->scene.request.nmessages = t->messages.n;
}

/* Hears a whole answer, which becomes the next message. */
static void answer(struct talk *t, const char *json)
{
	struct decoder *decoder = t->scene.provider->decoder(&t->scene.request, receive, t);
	struct model_error error;

	str_truncate(&t->blocks, 0);
	CHECK_OK(decoder->type->whole(decoder, js(&t->scene.arena, json), &error), error.err);
	decoder->type->free(decoder);
	vec_push(&t->messages,
		 arena_printf(&t->scene.arena, "{\"role\":\"assistant\",\"content\":[%s]}",
			      str_c(&t->blocks)));
}

static void check_sent(struct talk *t, const char *list, const char *expected)
{
	struct json_span span = { 0, 0 };

	encoded(&t->scene);
	CHECK_OK(json_span_find(sv_of(&t->scene.body), JSON_STEPS(sv_cstr(list)), &span,
				&t->scene.err),
		 t->scene.err);
	CHECK_SV_EQ(json_span_sv(sv_of(&t->scene.body), span), js(&t->scene.arena, expected));
	CHECK_STR(str_c(&t->scene.notes), "");
}

#define CHAT_1                                                                                   \
	"{'role':'assistant','content':'I look.','reasoning_content':'hm','tool_calls':[{'id':"  \
	"'call_a','type':'function','function':{'name':'Read','arguments':'{\\'p\\': 1.50}'}},{" \
	"'id':'call_b','type':'function','function':{'name':'Read','arguments':'{}'}}]}"
#define CHAT_2 "{'role':'assistant','content':'Done.'}"

TEST(a_chat_goes_back_as_it_came)
{
	defer(talk_clear) struct talk t;

	talk_init(&t, &provider_openai_chat);
	add_message(&t, "{'role':'user','content':'look'}");
	answer(&t, "{'choices':[{'message':" CHAT_1 ",'finish_reason':'tool_calls'}]}");
	add_message(
		&t,
		"{'role':'user','content':[{'type':'tool_result','tool_use_id':'call_a','content':"
		"'A'},{'type':'tool_result','tool_use_id':'call_b','content':'B'}]}");
	answer(&t, "{'choices':[{'message':" CHAT_2 ",'finish_reason':'stop'}]}");
	add_message(&t, "{'role':'user','content':'thanks'}");
	check_sent(&t, "messages",
		   "[{'role':'user','content':'look'}," CHAT_1
		   ",{'role':'tool','tool_call_id':'call_a','content':'A'},{'role':'tool',"
		   "'tool_call_id':'call_b','content':'B'}," CHAT_2
		   ",{'role':'user','content':'thanks'}]");
}

#define GEMINI                                                                                     \
	"{'role':'assistant','content':null,'tool_calls':[{'id':'a','type':'function','function':" \
	"{'name':'Read','arguments':'{}'},'extra_content':{'google':{'thought_signature':'c2ln'}}" \
	"},"                                                                                       \
	"{'id':'b','type':'function','function':{'name':'Read','arguments':'{}'}}]}"
#define ROUTER                                                                                     \
	"{'role':'assistant','content':'Hi.','reasoning_details':[{'type':'reasoning.text','text'" \
	":"                                                                                        \
	"'hm','signature':'c2ln','format':'anthropic-claude-v1','index':0},{'type':"               \
	"'reasoning.encrypted','data':'ZW5j','id':'r1','index':1}]}"

static void check_round_trip(const char *message, const char *finish, const char *sent)
{
	defer(talk_clear) struct talk t;
	defer(str_clear) struct str response = STR_INIT, expected = STR_INIT;

	talk_init(&t, &provider_openai_chat);
	add_message(&t, "{'role':'user','content':'look'}");
	str_addf(&response, "{'choices':[{'message':%s,'finish_reason':'%s'}]}", message, finish);
	answer(&t, str_c(&response));
	add_message(&t, "{'role':'user','content':'go on'}");
	str_addf(&expected,
		 "[{'role':'user','content':'look'},%s,{'role':'user','content':'go on'}]", sent);
	check_sent(&t, "messages", str_c(&expected));
}

TEST(what_gemini_and_openrouter_want_back_goes_back)
{
	check_round_trip(GEMINI, "tool_calls", GEMINI);
	check_round_trip(ROUTER, "stop", ROUTER);
}

TEST(thinking_between_tags_goes_back_between_tags)
{
	static const char sent[] =
		"{'role':'assistant','content':'<think>\\nhm\\n</think>\\n\\nHi.'}";

	check_round_trip("{'content':'<think>\\nhm\\n</think>\\n\\nHi.'}", "stop", sent);
	check_round_trip("{'content':'hm</think>Hi.'}", "stop", sent);
}

/* The pieces of a stream become one element; the thinking itself goes back only there. */
TEST(reasoning_details_grow_over_a_stream)
{
	static const char *const deltas[] = {
		"{'reasoning':'h','reasoning_details':[{'type':'reasoning.text','text':'h','index':"
		"0}]}",
		"{'reasoning':'m','reasoning_details':[{'type':'reasoning.text','text':'m','index':"
		"0,"
		"'signature':null}]}",
		"{'reasoning_details':[{'type':'reasoning.text','signature':'c2ln','index':0,"
		"'format':'anthropic-claude-v1'}]}",
		"{'reasoning_details':[{'type':'reasoning.encrypted','data':'ZW5j','id':'r1','"
		"index':1}]}",
		"{'content':'Hi.'}",
	};
	defer(talk_clear) struct talk t;
	struct decoder *decoder;
	struct model_error error;

	talk_init(&t, &provider_openai_chat);
	add_message(&t, "{'role':'user','content':'look'}");
	decoder = t.scene.provider->decoder(&t.scene.request, receive, &t);
	for (size_t i = 0; i < countof(deltas); i++) {
		struct sv data = js(&t.scene.arena, deltas[i]);
		struct sv event = arena_printf(&t.scene.arena, "{\"choices\":[{\"delta\":%.*s}]}",
					       SV_ARG(data));

		CHECK(decoder->type->event(decoder, SV_EMPTY, event, &error));
	}
	CHECK(decoder->type->event(
		decoder, SV_EMPTY,
		js(&t.scene.arena, "{'choices':[{'delta':{},'finish_reason':'stop'}]}"), &error));
	CHECK(decoder->type->end(decoder, &error));
	decoder->type->free(decoder);
	vec_push(&t.messages,
		 arena_printf(&t.scene.arena, "{\"role\":\"assistant\",\"content\":[%s]}",
			      str_c(&t.blocks)));
	add_message(&t, "{'role':'user','content':'go on'}");
	check_sent(&t, "messages",
		   "[{'role':'user','content':'look'},{'role':'assistant','content':'Hi.',"
		   "'reasoning_details':[{'type':'reasoning.text','text':'hm','signature':'c2ln',"
		   "'format':'anthropic-claude-v1','index':0},{'type':'reasoning.encrypted','data':"
		   "'ZW5j','id':'r1','index':1}]},{'role':'user','content':'go on'}]");
}

/* A server without ids, twice: those we make differ, and results find their calls. */
TEST(made_ids_are_unique_over_all_turns)
{
	static const char no_id[] = "{'choices':[{'message':{'content':null,'tool_calls':[{'type':"
				    "'function','function':{'name':'Read','arguments':'{}'}}]},"
				    "'finish_reason':'tool_calls'}]}";
	defer(talk_clear) struct talk t;

	talk_init(&t, &provider_openai_chat);
	add_message(&t, "{'role':'user','content':'look'}");
	answer(&t, no_id);
	add_message(&t, "{'role':'user','content':[{'type':'tool_result','tool_use_id':'call_1_0',"
			"'content':'A'}]}");
	answer(&t, no_id);
	add_message(&t, "{'role':'user','content':[{'type':'tool_result','tool_use_id':'call_3_0',"
			"'content':'B'}]}");
	check_sent(&t, "messages",
		   "[{'role':'user','content':'look'},{'role':'assistant','content':null,"
		   "'tool_calls':[{'id':'call_1_0','type':'function','function':{'name':'Read',"
		   "'arguments':'{}'}}]},{'role':'tool','tool_call_id':'call_1_0','content':'A'},{"
		   "'role':'assistant','content':null,'tool_calls':[{'id':'call_3_0','type':"
		   "'function','function':{'name':'Read','arguments':'{}'}}]},{'role':'tool',"
		   "'tool_call_id':'call_3_0','content':'B'}]");
}

#define REASONING                                                                           \
	"{'type':'reasoning', 'id':'rs_1','summary':[{'type':'summary_text','text':'hm'}]," \
	"'encrypted_content':'gA\\u003d'}"
#define TEXT_ITEM \
	"{'type':'message','role':'assistant','content':[{'type':'output_text','text':'a'}]}"
#define CALLED "{'type':'function_call','call_id':'c1','name':'Read','arguments':'{\\'p\\' : 1}'}"
#define USER(text) \
	"{'type':'message','role':'user','content':[{'type':'input_text','text':'" text "'}]}"

TEST(a_response_goes_back_item_by_item_its_reasoning_byte_for_byte)
{
	defer(talk_clear) struct talk t;

	talk_init(&t, &provider_openai_responses);
	add_message(&t, "{'role':'user','content':'look'}");
	answer(&t, "{'output':[" REASONING "," TEXT_ITEM "," CALLED "]}");
	add_message(
		&t,
		"{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1','content':'A'}"
		"]}");
	answer(&t, "{'output':[" TEXT_ITEM "]}");
	add_message(&t, "{'role':'user','content':'thanks'}");
	check_sent(&t, "input",
		   "[" USER("look") "," REASONING "," TEXT_ITEM "," CALLED
				    ",{'type':'function_call_output','call_id':'c1','output':'A'}"
				    "," TEXT_ITEM "," USER("thanks") "]");
}
