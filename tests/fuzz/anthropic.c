/* A stream says the same however it is split; whatever it is, its blocks are
 * valid JSON, their text is what was told piece by piece, and it is either whole,
 * with one end, or an error. The first byte chooses the split, the second whether
 * raw events are wanted. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "model/wire/wire.h"
#include "text/sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	struct decoder *decoder;
	struct str log;
	struct model_error error;
	bool ok, stopped;
	size_t started, ended;
	struct str text[16]; /* of the first blocks, as told */
};

static void outcome_clear(struct outcome *o)
{
	for (size_t i = 0; i < countof(o->text); i++)
		str_clear(&o->text[i]);
	str_clear(&o->log);
	if (o->decoder)
		o->decoder->type->free(o->decoder);
}

/* Blocks are objects with a type; a text block ends with the text that was told. */
static void check_block(const struct outcome *o, const struct model_event *event)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(event->json, 0, &err);
	struct sv text;

	BUG_ON(!doc || !json_is(json_root(doc), JSON_OBJECT));
	BUG_ON(!json_is(json_get(json_root(doc), "type"), JSON_STRING));
	if (event->kind != MODEL_BLOCK_STOP || event->block != MODEL_BLOCK_TEXT ||
	    event->index >= countof(o->text))
		return;
	text = json_str_or(json_get(json_root(doc), "text"), SV_EMPTY);
	BUG_ON(!sv_eq(text, sv_of(&o->text[event->index])));
}

static void note(void *arg, const struct model_event *event)
{
	struct outcome *o = arg;

	BUG_ON(o->stopped && event->kind != MODEL_RAW);
	BUG_ON(!utf8_valid(event->text, NULL) || !utf8_valid(event->json, NULL));
	if (event->kind == MODEL_TEXT && event->index < countof(o->text))
		str_add(&o->text[event->index], event->text);
	if (event->kind == MODEL_BLOCK_START || event->kind == MODEL_BLOCK_STOP)
		check_block(o, event);
	o->started += event->kind == MODEL_BLOCK_START;
	o->ended += event->kind == MODEL_BLOCK_STOP;
	o->stopped |= event->kind == MODEL_STOP;
	str_addf(&o->log, "%d %zu %d %zu %zu ", (int)event->kind, event->index, (int)event->block,
		 event->text.len, event->json.len);
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

/* `rng` NULL: all at once. Each piece lives in memory of its own. */
static void run(struct outcome *o, const struct model_request *request, struct sv in,
		struct rng *rng)
{
	defer(sse_clear) struct sse sse;
	struct err err;

	o->decoder = anthropic_decoder(request, note, o);
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
	BUG_ON(o->ok && (!o->stopped || o->started != o->ended));
	BUG_ON(!o->ok && (o->error.failure >= MODEL_FAILURES || !o->error.err.text[0]));
}

/* The same bytes as one answer, and as the body of an error. */
static void run_whole(const struct model_request *request, struct sv in)
{
	defer(outcome_clear) struct outcome o = { .ok = false };
	struct http_head head = { .status = 400 };
	struct model_error error;

	o.decoder = anthropic_decoder(request, note, &o);
	o.ok = o.decoder->type->whole(o.decoder, in, &o.error);
	BUG_ON(o.ok && (!o.stopped || o.started != o.ended));
	anthropic_classify(&error, &head, in);
	BUG_ON(!error.err.text[0] || !utf8_valid(sv_cstr(error.err.text), NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(outcome_clear) struct outcome whole = { .ok = false };
	defer(outcome_clear) struct outcome split = { .ok = false };
	struct model_request request = { .raw = size > 1 && data[1] & 1 };
	struct rng rng;
	struct sv in;

	if (size < 2)
		return 0;
	rng_seed(&rng, data[0]);
	in = sv_from((const char *)data + 2, size - 2);
	run(&whole, &request, in, NULL);
	run(&split, &request, in, &rng);
	BUG_ON(whole.ok != split.ok);
	BUG_ON(!sv_eq(sv_of(&whole.log), sv_of(&split.log)));
	if (!whole.ok)
		BUG_ON(strcmp(whole.error.err.text, split.error.err.text) != 0);
	run_whole(&request, in);
	return 0;
}
