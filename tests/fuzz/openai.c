/* Answers of the two OpenAI formats: a stream says the same however it is split;
 * whatever it is, its blocks are valid JSON, their text is what was told piece by
 * piece, inputs are objects, and it is either whole, with one end, or an error. Its
 * raw events are read to the same blocks by the decoder of the Anthropic format.
 * The same bytes as a whole answer, an error and a message of a request never make
 * anything but an error or valid JSON.
 *
 * The first byte chooses the split, the second the format and whether tools are
 * offered. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "model/wire/wire.h"
#include "text/sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	struct decoder *decoder;
	struct str log;    /* all that was said */
	struct str blocks; /* the finished blocks, a line each */
	struct str raw;    /* the raw events, as a stream */
	struct model_error error;
	bool ok, begun, stopped;
	size_t started, ended;
	struct str text[16]; /* of the first blocks, as told */
};

static void outcome_clear(struct outcome *o)
{
	for (size_t i = 0; i < countof(o->text); i++)
		str_clear(&o->text[i]);
	str_clear(&o->log);
	str_clear(&o->blocks);
	str_clear(&o->raw);
	if (o->decoder)
		o->decoder->type->free(o->decoder);
}

static void check_block(const struct outcome *o, const struct model_event *event)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(event->json, 0, &err);
	struct json root = json_root(doc);
	struct sv text;

	BUG_ON(!json_is(json_get(root, "type"), JSON_STRING));
	if (event->block == MODEL_BLOCK_TOOL_USE)
		BUG_ON(!json_is(json_get(root, "input"), JSON_OBJECT) ||
		       !json_str(json_get(root, "id"), &text) || text.len == 0 ||
		       !json_str(json_get(root, "name"), &text) || text.len == 0);
	if (event->kind != MODEL_BLOCK_STOP || event->block != MODEL_BLOCK_TEXT ||
	    event->index >= countof(o->text))
		return;
	text = json_str_or(json_get(root, "text"), SV_EMPTY);
	BUG_ON(!sv_eq(text, sv_of(&o->text[event->index])));
}

static void receive(void *arg, const struct model_event *event)
{
	struct outcome *o = arg;

	BUG_ON(o->stopped && event->kind != MODEL_RAW);
	BUG_ON(!o->begun && event->kind != MODEL_START);
	BUG_ON(!utf8_valid(event->text, NULL) || !utf8_valid(event->json, NULL));
	if (event->kind == MODEL_RAW) {
		str_addf(&o->raw, "data: ");
		str_add(&o->raw, event->json);
		str_addf(&o->raw, "\n\n");
		return;
	}
	if (event->kind == MODEL_TEXT && event->index < countof(o->text))
		str_add(&o->text[event->index], event->text);
	if (event->kind == MODEL_BLOCK_START || event->kind == MODEL_BLOCK_STOP)
		check_block(o, event);
	if (event->kind == MODEL_BLOCK_STOP) {
		str_addf(&o->blocks, "%zu ", event->index);
		str_add(&o->blocks, event->json);
		str_add(&o->blocks, event->text);
		str_addc(&o->blocks, '\n');
	}
	o->begun = true;
	o->started += event->kind == MODEL_BLOCK_START;
	o->ended += event->kind == MODEL_BLOCK_STOP;
	o->stopped |= event->kind == MODEL_STOP;
	str_addf(&o->log, "%d %zu %d ", (int)event->kind, event->index, (int)event->block);
	str_add(&o->log, event->text);
	str_add(&o->log, event->json);
	str_addf(&o->log, " %lld %lld\n", (long long)event->usage.input,
		 (long long)event->usage.output);
}

static bool on_sse(void *arg, const struct sse_event *event, struct err *err)
{
	struct outcome *o = arg;

	o->ok = o->decoder->type->event(o->decoder, event->type, event->data, &o->error);
	return o->ok || err_set(err, ERR_PROTOCOL, "given up");
}

static void check_end(const struct outcome *o)
{
	BUG_ON(o->ok && (!o->stopped || o->started != o->ended));
	BUG_ON(!o->ok && (o->stopped || o->error.failure >= MODEL_FAILURES));
	BUG_ON(!o->ok && (!o->error.err.text[0] || !utf8_valid(sv_cstr(o->error.err.text), NULL)));
}

/* `rng` NULL: all at once. Each piece lives in memory of its own. */
static void run(struct outcome *o, const struct provider *provider,
		const struct model_request *request, struct sv in, struct rng *rng)
{
	defer(sse_clear) struct sse sse;
	struct err err;

	o->decoder = provider->decoder(request, receive, o);
	o->ok = true;
	sse_init(&sse, LIMIT_SSE_EVENT);
	while (o->ok && in.len > 0) {
		size_t n = rng ? 1 + rng_below(rng, min_of(in.len, (size_t)64)) : in.len;
		defer(mem_freep) char *piece = NULL;

		n = min_of(n, in.len);
		piece = xmemdup(in.ptr, n);
		BUG_ON(sse_feed(&sse, sv_from(piece, n), on_sse, o, &err) != o->ok);
		in = sv_skip(in, n);
	}
	if (o->ok)
		o->ok = o->decoder->type->end(o->decoder, &o->error);
	check_end(o);
}

static void check_raw(const struct outcome *o, const struct model_request *request)
{
	defer(outcome_clear) struct outcome again = { .ok = false };

	run(&again, &provider_anthropic, request, sv_of(&o->raw), NULL);
	BUG_ON(!again.ok);
	BUG_ON(!sv_eq(sv_of(&again.blocks), sv_of(&o->blocks)));
}

static void run_whole(const struct provider *provider, const struct model_request *request,
		      struct sv in)
{
	defer(outcome_clear) struct outcome o = { .ok = false };
	struct http_head head = { .status = 400 };
	struct model_error error;

	o.decoder = provider->decoder(request, receive, &o);
	o.ok = o.decoder->type->whole(o.decoder, in, &o.error);
	check_end(&o);
	provider->classify(&error, &head, in);
	BUG_ON(!error.err.text[0] || !utf8_valid(sv_cstr(error.err.text), NULL));
}

static void receive_note(__attribute__((unused)) void *arg, const struct model_event *event)
{
	BUG_ON(event->kind != MODEL_NOTE || !utf8_valid(event->text, NULL));
}

static void check_encoding(const struct provider *provider, struct sv in)
{
	struct model_table *table = model_table_new();
	struct model_config config = MODEL_CONFIG_INIT;
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct model_request request = { .model = SV("m"),
					 .messages = &in,
					 .nmessages = 1,
					 .tools = &in,
					 .ntools = 1,
					 .tool_choice = in };
	defer(str_clear) struct str body = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err;

	for (int with_tools = 0; with_tools < 2; with_tools++) {
		wire_clear(&wire);
		request.ntools = (size_t)with_tools;
		if (!provider->encode(&wire, &config, table, &request, receive_note, NULL, &err))
			continue;
		str_truncate(&body, 0);
		for (size_t i = 0; i < wire.body.n; i++)
			str_add(&body, wire.body.at[i]);
		json_doc_free(move(doc));
		doc = json_parse(sv_of(&body), 0, &err);
		BUG_ON(!doc && err.kind != ERR_TOO_BIG);
	}
	model_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sv tools[] = { SV_INIT("{\"name\":\"Read\"}"),
					   SV_INIT("{\"name\":\"B\"}") };
	defer(outcome_clear) struct outcome whole = { .ok = false };
	defer(outcome_clear) struct outcome split = { .ok = false };
	struct model_request request = { .raw = true, .tools = tools };
	const struct provider *provider = &provider_openai_chat;
	struct rng rng;
	struct sv in;

	if (size < 2)
		return 0;
	rng_seed(&rng, data[0]);
	if (data[1] & 1)
		provider = &provider_openai_responses;
	request.ntools = data[1] & 2 ? 0 : 2;
	in = sv_from((const char *)data + 2, size - 2);
	run(&whole, provider, &request, in, NULL);
	run(&split, provider, &request, in, &rng);
	BUG_ON(whole.ok != split.ok);
	BUG_ON(!sv_eq(sv_of(&whole.log), sv_of(&split.log)));
	if (whole.ok)
		check_raw(&whole, &request);
	else
		BUG_ON(strcmp(whole.error.err.text, split.error.err.text) != 0);
	run_whole(provider, &request, in);
	check_encoding(provider, in);
	return 0;
}
