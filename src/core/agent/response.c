#include "core/agent/response.h"

#include "proto/message.h"
#include "text/json/json_span.h"

void response_drop_blocks(struct response *r)
{
	for (size_t i = 0; i < r->blocks.n; i++)
		str_clear(&r->blocks.at[i].json);
	vec_clear(&r->blocks);
}

void response_clear(struct response *r)
{
	response_drop_blocks(r);
	str_clear(&r->id);
	str_clear(&r->model);
	str_clear(&r->request);
	str_clear(&r->open_text);
	str_clear(&r->stop_name);
	str_clear(&r->refusal_category);
	str_clear(&r->refusal_why);
	*r = (struct response)RESPONSE_INIT;
}

static void response_add_block(struct response *r, enum model_block kind, struct sv json,
			       struct loop *loop)
{
	struct response_block *block = vec_add(&r->blocks);

	block->kind = kind;
	block->uuid = uuid_v4(loop_rng(loop));
	str_add(&block->json, json);
	str_clear(&r->open_text);
}

/* Whether the block is a text of white space, which the service would refuse to get back. */
static bool response_is_blank(const struct response *r, const struct model_event *stop)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	if (stop->block != MODEL_BLOCK_TEXT || sv_trim(sv_of(&r->open_text)).len)
		return false;
	doc = json_parse(stop->json, 0, &err);
	return !sv_trim(json_str_or(json_get(json_root(doc), "text"), SV_EMPTY)).len;
}

/* It begins anew, but the request does not. */
static void response_begin(struct response *r)
{
	int64_t retried_ms = r->retried_ms;

	response_clear(r);
	r->retried_ms = retried_ms;
}

struct api_time response_time(const struct response *r, int64_t since_ms, int64_t now_ms)
{
	return (struct api_time){ now_ms - since_ms, now_ms - max_of(since_ms, r->retried_ms) };
}

bool response_take(struct response *r, const struct model_event *event, struct loop *loop)
{
	switch (event->kind) {
	case MODEL_START:
		response_begin(r);
		str_add(&r->id, event->text);
		str_add(&r->model, event->model);
		str_add(&r->request, event->id);
		r->first = r->usage = event->usage;
		r->first_ms = loop_now(loop);
		return false;
	case MODEL_TEXT: str_add(&r->open_text, event->text); return false;
	case MODEL_BLOCK_START:
		r->nbegun++;
		r->is_open = true;
		return false;
	case MODEL_BLOCK_STOP:
		r->is_open = false;
		if (response_is_blank(r, event))
			return false;
		response_add_block(r, event->block, event->json, loop);
		return true;
	case MODEL_USAGE: r->usage = event->usage; return false;
	case MODEL_STOP:
		r->usage = event->usage;
		r->stop = event->stop;
		str_set(&r->stop_name, event->text);
		str_set(&r->refusal_category, event->name);
		str_set(&r->refusal_why, event->why);
		return false;
	case MODEL_DISCARD: response_clear(r); return false;
	case MODEL_THINKING: r->thought += event->text.len; return false;
	case MODEL_RETRY: r->retried_ms = loop_now(loop) + event->wait_ms; return false;
	case MODEL_SIGNATURE:
	case MODEL_INPUT:
	case MODEL_RAW:
	case MODEL_STALL:
	case MODEL_FALLBACK:
	case MODEL_NOTE:
	case MODEL_LOGIN:
	case MODEL_CACHE_DROP:
	case MODEL_RATE_LIMIT: return false;
	}
	return false;
}

bool response_keep_partial(struct response *r, struct loop *loop)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!sv_trim(sv_of(&r->open_text)).len)
		return false;
	block_text(&block, sv_of(&r->open_text));
	response_add_block(r, MODEL_BLOCK_TEXT, sv_of(&block), loop);
	return true;
}

void response_message(struct str *out, const struct response *r, const struct response_block *block)
{
	enum { AROUND = 1024 }; /* about what is written besides the block */
	struct jw w;

	str_reserve(out,
		    block->json.len + AROUND); /* the block may be large: do not grow by half */
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "id", sv_of(&r->id));
	jw_put_str(&w, "type", SV("message"));
	jw_put_str(&w, "role", SV("assistant"));
	jw_put_str(&w, "model", sv_of(&r->model));
	jw_put_array(&w, "content");
	jw_raw(&w, sv_of(&block->json));
	jw_end(&w);
	jw_put_null(&w, "stop_reason");
	jw_put_null(&w, "stop_sequence");
	jw_key(&w, SV("usage"));
	usage_write(&w, &r->first);
	jw_end(&w);
	jw_done(&w);
}

bool response_has_content(const struct response *r)
{
	for (size_t i = 0; i < r->blocks.n; i++) {
		if (r->blocks.at[i].kind != MODEL_BLOCK_THINKING &&
		    r->blocks.at[i].kind != MODEL_BLOCK_REDACTED_THINKING)
			return true;
	}
	return false;
}

/* Append the text of a block. It may be long, so only the string is read, since a tree around it
 * takes three times its size, and one without escapes is not read at all. */
static void response_add_text(struct str *out, struct sv block)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json_span span;
	struct sv text;

	if (!json_span_find(block, JSON_STEPS(SV("text")), &span, &err))
		return;
	text = json_span_sv(block, span);
	if (sv_find_char(text, '\\') == SIZE_MAX && sv_starts(text, SV("\""))) {
		str_add(out, sv_slice(text, 1, text.len - 1));
		return;
	}
	doc = json_parse(text, 0, &err);
	str_add(out, json_str_or(json_root(doc), SV_EMPTY));
}

void response_text(struct str *out, const struct response *r)
{
	for (size_t i = r->blocks.n; i > 0; i--) {
		if (r->blocks.at[i - 1].kind != MODEL_BLOCK_TEXT)
			continue;
		response_add_text(out, sv_of(&r->blocks.at[i - 1].json));
		return;
	}
}
