#include "core/answer.h"

#include "proto/message.h"

void answer_clear(struct answer *a)
{
	for (size_t i = 0; i < a->blocks.n; i++)
		str_clear(&a->blocks.at[i].json);
	vec_clear(&a->blocks);
	str_clear(&a->id);
	str_clear(&a->model);
	str_clear(&a->open_text);
	str_clear(&a->stop_name);
	*a = (struct answer)ANSWER_INIT;
}

static void answer_add_block(struct answer *a, enum model_block kind, struct sv json,
			     struct loop *loop)
{
	struct answer_block *block = vec_add(&a->blocks);

	block->kind = kind;
	block->uuid = uuid_v4(loop_rng(loop));
	str_add(&block->json, json);
	str_truncate(&a->open_text, 0);
}

/* A text of nothing says nothing, and could not be sent back. */
static bool answer_is_blank(const struct answer *a, const struct model_event *stop)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	if (stop->block != MODEL_BLOCK_TEXT || sv_trim(sv_of(&a->open_text)).len)
		return false;
	doc = json_parse(stop->json, 0, &err);
	return !sv_trim(json_str_or(json_get(json_root(doc), "text"), SV_EMPTY)).len;
}

bool answer_take(struct answer *a, const struct model_event *event, struct loop *loop)
{
	switch (event->kind) {
	case MODEL_START:
		answer_clear(a);
		str_add(&a->id, event->text);
		str_add(&a->model, event->model);
		a->first = a->usage = event->usage;
		a->first_ms = loop_now(loop);
		return false;
	case MODEL_TEXT: str_add(&a->open_text, event->text); return false;
	case MODEL_BLOCK_STOP:
		if (answer_is_blank(a, event))
			return false;
		answer_add_block(a, event->block, event->json, loop);
		return true;
	case MODEL_USAGE: a->usage = event->usage; return false;
	case MODEL_STOP:
		a->usage = event->usage;
		a->stop = event->stop;
		str_set(&a->stop_name, event->text);
		return false;
	case MODEL_DISCARD: answer_clear(a); return false;
	case MODEL_BLOCK_START:
	case MODEL_THINKING:
	case MODEL_SIGNATURE:
	case MODEL_INPUT:
	case MODEL_RAW:
	case MODEL_RETRY:
	case MODEL_STALL:
	case MODEL_FALLBACK:
	case MODEL_NOTE:
	case MODEL_LOGIN:
	case MODEL_CACHE_DROP: return false;
	}
	return false;
}

bool answer_keep_partial(struct answer *a, struct loop *loop)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!sv_trim(sv_of(&a->open_text)).len)
		return false;
	block_text(&block, sv_of(&a->open_text));
	answer_add_block(a, MODEL_BLOCK_TEXT, sv_of(&block), loop);
	return true;
}

void answer_message(struct str *out, const struct answer *a, const struct answer_block *block)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "id", sv_of(&a->id));
	jw_put_str(&w, "type", SV("message"));
	jw_put_str(&w, "role", SV("assistant"));
	jw_put_str(&w, "model", sv_of(&a->model));
	jw_put_array(&w, "content");
	jw_raw(&w, sv_of(&block->json));
	jw_end(&w);
	jw_put_null(&w, "stop_reason");
	jw_put_null(&w, "stop_sequence");
	jw_key(&w, SV("usage"));
	usage_write(&w, &a->first);
	jw_end(&w);
	jw_done(&w);
}

void answer_text(struct str *out, const struct answer *a)
{
	struct err err = ERR_INIT;

	for (size_t i = a->blocks.n; i > 0; i--) {
		const struct answer_block *block = &a->blocks.at[i - 1];
		defer(json_doc_freep) struct json_doc *doc = NULL;

		if (block->kind != MODEL_BLOCK_TEXT)
			continue;
		doc = json_parse(sv_of(&block->json), 0, &err);
		str_add(out, json_str_or(json_get(json_root(doc), "text"), SV_EMPTY));
		return;
	}
}
