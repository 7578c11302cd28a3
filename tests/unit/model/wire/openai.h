/* openai.h - what the tests of the OpenAI formats share: a request to be bent, and
 * a decoder fed by a stream in any split. */
#ifndef AWL_TESTS_UNIT_MODEL_WIRE_OPENAI_H
#define AWL_TESTS_UNIT_MODEL_WIRE_OPENAI_H

#include "base/limits.h"
#include "base/mem.h"
#include "event_log.h"
#include "text/sse.h"

/* JSON is written with ' for ", since it is full of those. */
static inline struct sv js(struct arena *arena, const char *text)
{
	char *copy = arena_alloc(arena, strlen(text) + 1);

	for (size_t i = 0; i <= strlen(text); i++)
		copy[i] = text[i];
	for (char *c = copy; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	return sv_cstr(copy);
}

/* Encoding. */

struct scene {
	const struct provider *provider;
	struct model_table *table;
	struct model_config config;
	struct model_request request;
	struct wire wire;
	struct str notes, body;
	struct arena arena;
	struct err err;
};

static inline void scene_init(struct scene *s, const struct provider *provider)
{
	static const struct sv hello[] = { SV_INIT("{\"role\":\"user\",\"content\":\"hello\"}") };

	*s = (struct scene){ .provider = provider, .table = model_table_new(), .wire = WIRE_INIT };
	s->config.base_url = "http://localhost:8080/v1";
	s->request = (struct model_request){
		.model = SV("local-model"), .messages = hello, .nmessages = 1, .max_tokens = 100
	};
}

static inline void scene_clear(struct scene *s)
{
	wire_clear(&s->wire);
	str_clear(&s->notes);
	str_clear(&s->body);
	arena_clear(&s->arena);
	model_table_free(s->table);
}

#define SCENE(name, its_provider)             \
	defer(scene_clear) struct scene name; \
	scene_init(&name, &(its_provider))

static inline void receive_note(void *arg, const struct model_event *event)
{
	CHECK_INT(event->kind, MODEL_NOTE);
	str_addf(arg, "%.*s\n", SV_ARG(event->text));
}

static inline bool try_encode(struct scene *s)
{
	wire_clear(&s->wire);
	str_truncate(&s->notes, 0);
	str_truncate(&s->body, 0);
	return s->provider->encode(&s->wire, &s->config, s->table, &s->request, receive_note,
				   &s->notes, &s->err);
}

/* The body of the request; always valid JSON. */
static inline const char *encoded(struct scene *s)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;

	CHECK_OK(try_encode(s), s->err);
	for (size_t i = 0; i < s->wire.body.n; i++)
		str_add(&s->body, s->wire.body.at[i]);
	doc = json_parse(sv_of(&s->body), 0, &s->err);
	CHECK_OK(doc != NULL, s->err);
	return s->body.ptr;
}

/* Decoding. */

struct outcome {
	struct str log;
	struct decoder *decoder;
	struct model_error error;
	bool ok;
};

static inline void outcome_clear(struct outcome *o)
{
	o->decoder->type->free(o->decoder);
	str_clear(&o->log);
}

static inline bool outcome_on_sse(void *arg, const struct sse_event *event, struct err *err)
{
	struct outcome *o = arg;

	o->ok = o->decoder->type->event(o->decoder, event->type, event->data, &o->error);
	return o->ok || err_set(err, ERR_PROTOCOL, "the decoder gave up");
}

/* Feeds the stream in pieces of `first` and then `step` bytes, each in memory of
 * its own, and ends it. */
static inline void run_stream(struct outcome *o, const struct provider *provider,
			      const struct model_request *request, struct sv in, size_t first,
			      size_t step)
{
	defer(sse_clear) struct sse sse;
	struct err err = ERR_INIT;
	size_t n = first;

	*o = (struct outcome){ .decoder = provider->decoder(request, event_log, &o->log),
			       .ok = true };
	sse_init(&sse, LIMIT_SSE_EVENT);
	for (; o->ok && in.len > 0; in = sv_skip(in, n), n = step) {
		defer(mem_freep) char *piece = NULL;

		n = min_of(n, in.len);
		piece = xmemdup(in.ptr, n);
		CHECK(sse_feed(&sse, sv_from(piece, n), outcome_on_sse, o, &err) == o->ok);
	}
	if (o->ok)
		o->ok = o->decoder->type->end(o->decoder, &o->error);
}

static inline void run_whole(struct outcome *o, const struct provider *provider,
			     const struct model_request *request, struct sv body)
{
	*o = (struct outcome){ .decoder = provider->decoder(request, event_log, &o->log) };
	o->ok = o->decoder->type->whole(o->decoder, body, &o->error);
}

/* Whatever the split, the log is this; cut anywhere, it is whole or an error, and
 * what was said until then is the beginning of what the whole stream says. */
static inline void check_stream(const struct provider *provider,
				const struct model_request *request, struct sv in, const char *log)
{
	for (size_t cut = 0; cut <= in.len; cut++) {
		defer(outcome_clear) struct outcome split, part;
		bool whole;

		run_stream(&split, provider, request, in, cut ? cut : 1, cut ? in.len : 1);
		CHECK_OK(split.ok, split.error.err);
		CHECK_STR(str_c(&split.log), log);
		run_stream(&part, provider, request, sv_slice(in, 0, cut), in.len, 1);
		whole = strstr(str_c(&part.log), "stop 0:0");
		CHECK(part.ok == whole);
		if (!part.ok) {
			CHECK(part.error.failure == MODEL_FAILED_NETWORK ||
			      part.error.failure == MODEL_FAILED_PROTOCOL);
			CHECK(sv_starts(sv_cstr(log), sv_of(&part.log)));
		}
	}
}

/* A stream that is only looked at as a whole. */
static inline void check_log(const struct provider *provider, const struct model_request *request,
			     struct sv in, const char *log)
{
	defer(outcome_clear) struct outcome o;

	run_stream(&o, provider, request, in, in.len, 1);
	CHECK_OK(o.ok, o.error.err);
	CHECK_STR(str_c(&o.log), log);
}

static inline void check_failure(const struct provider *provider,
				 const struct model_request *request, struct sv in,
				 enum model_failure failure, const char *part)
{
	defer(outcome_clear) struct outcome o;

	run_stream(&o, provider, request, in, in.len ? in.len : 1, 1);
	CHECK(!o.ok);
	CHECK_INT(o.error.failure, failure);
	CHECK_ERR(o.error.err, o.error.err.kind, part);
}

#endif
