#include "model/wire/raw_events.h"

#include "model/wire/openai.h"

static const struct sv offered[] = { SV_INIT("{\"name\":\"Read\"}") };
static const struct model_request raw_request = { .tools = offered, .ntools = 1, .raw = true };

/* Only the raw events, a line each. */
static void receive_raw(void *arg, const struct model_event *event)
{
	if (event->kind == MODEL_RAW)
		str_addf(arg, "%.*s\n", SV_ARG(event->json));
}

static const char stream[] =
	"data: {'id':'c','model':'m','choices':[{'delta':{'reasoning':'hm'}}]}\n\n"
	"data: {'choices':[{'delta':{'content':'a\\''}}]}\n\n"
	"data: {'choices':[{'delta':{'tool_calls':[{'id':'x','function':{'name':'Read',"
	"'arguments':'{}'}}]}}]}\n\n"
	"data: {'choices':[{'delta':{},'finish_reason':'tool_calls'}],'usage':{'prompt_tokens':9,"
	"'completion_tokens':3}}\n\n"
	"data: [DONE]\n\n";

static const char anthropic_stream[] =
	"{'type':'message_start','message':{'id':'c','type':'message','role':'assistant','model':"
	"'m','content':[],'stop_reason':null,'stop_sequence':null,'usage':{}}}\n"
	"{'type':'content_block_start','index':0,'content_block':{'type':'thinking','thinking':'',"
	"'signature':''}}\n"
	"{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'hm'}"
	"}\n"
	"{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':"
	"'openai-chat:reasoning'}}\n"
	"{'type':'content_block_stop','index':0}\n"
	"{'type':'content_block_start','index':1,'content_block':{'type':'text','text':''}}\n"
	"{'type':'content_block_delta','index':1,'delta':{'type':'text_delta','text':'a\\''}}\n"
	"{'type':'content_block_stop','index':1}\n"
	"{'type':'content_block_start','index':2,'content_block':{'type':'tool_use','id':'x',"
	"'name':'Read','input':{}}}\n"
	"{'type':'content_block_delta','index':2,'delta':{'type':'input_json_delta',"
	"'partial_json':'{}'}}\n"
	"{'type':'content_block_stop','index':2}\n"
	"{'type':'message_delta','delta':{'stop_reason':'tool_use','stop_sequence':null},'usage':{"
	"'input_tokens':9,'cache_creation_input_tokens':0,'cache_read_input_tokens':0,"
	"'output_tokens':3,'server_tool_use':{'web_search_requests':0},'cache_creation':{"
	"'ephemeral_1h_input_tokens':0,'ephemeral_5m_input_tokens':0}}}\n"
	"{'type':'message_stop'}\n";

static bool feed(void *arg, const struct sse_event *event, struct err *err)
{
	struct decoder *decoder = arg;
	struct model_error error;

	if (decoder->type->event(decoder, event->type, event->data, &error))
		return true;
	*err = error.err;
	return false;
}

TEST(a_stream_of_another_provider_can_be_had_in_the_anthropic_form)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str raw = STR_INIT;
	defer(sse_clear) struct sse sse;
	struct decoder *decoder = provider_openai_chat.decoder(&raw_request, receive_raw, &raw);
	struct err err = ERR_INIT;

	sse_init(&sse, LIMIT_SSE_EVENT);
	CHECK_OK(sse_feed(&sse, js(&arena, stream), feed, decoder, &err), err);
	CHECK_STR(raw.ptr, js(&arena, anthropic_stream).ptr);
	decoder->type->free(decoder);
}

/* What comes out can be read back by the reader of the real thing, and says the
 * same. */
TEST(raw_events_are_a_stream_that_our_own_decoder_reads_to_the_same_blocks)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(outcome_clear) struct outcome direct, again;
	defer(str_clear) struct str raw = STR_INIT, sse_text = STR_INIT;
	struct model_request request = raw_request;
	struct decoder *decoder = provider_openai_chat.decoder(&raw_request, receive_raw, &raw);
	defer(sse_clear) struct sse sse;
	struct err err = ERR_INIT;
	struct sv rest, line;

	request.raw = false;
	run_stream(&direct, &provider_openai_chat, &request, js(&arena, stream), 99, 99);
	sse_init(&sse, LIMIT_SSE_EVENT);
	CHECK_OK(sse_feed(&sse, js(&arena, stream), feed, decoder, &err), err);
	decoder->type->free(decoder);
	rest = sv_of(&raw);
	while (sv_cut_line(&rest, &line))
		str_addf(&sse_text, "data: %.*s\n\n", SV_ARG(line));
	run_stream(&again, &provider_anthropic, &request, sv_of(&sse_text), 99, 99);
	CHECK_OK(again.ok, again.error.err);
	CHECK_STR(again.log.ptr, direct.log.ptr);
}
