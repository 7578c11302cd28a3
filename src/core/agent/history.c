#include "core/agent/history.h"

#include "proto/message.h"
#include "text/json/json.h"
#include "text/json/json_span.h"
#include "text/json/json_write.h"

void history_clear(struct history *h)
{
	for (size_t i = 0; i < h->messages.n; i++)
		str_clear(&h->messages.at[i].json);
	vec_clear(&h->messages);
	vec_clear(&h->views);
	h->bytes = 0;
}

/* Whether a text is JSON, or nearly: a fifth of its beginning is punctuation, which has a token for each
 * character. */
static bool history_is_dense(struct sv text)
{
	enum { SAMPLE = 4096, LEAST = 256, SHARE = 5 };
	size_t n = min_of(text.len, (size_t)SAMPLE), marks = 0;

	for (size_t i = 0; i < n; i++)
		marks += sv_find_char(SV("{}[]:,\""), text.ptr[i]) != SIZE_MAX;
	return n >= LEAST && marks * SHARE >= n;
}

/* The bytes of the results that are JSON. */
static size_t history_dense_bytes(struct sv json)
{
	static const struct sv mark = SV_INIT("\"type\":\"tool_result\"");
	size_t n = 0, at = sv_find(json, mark);

	while (at != SIZE_MAX) {
		struct sv result = sv_skip(json, at + mark.len);

		at = sv_find(result, mark);
		json = result;
		result = sv_slice(result, 0, at);
		n += history_is_dense(result) ? result.len : 0;
	}
	return n;
}

size_t history_weigh(struct sv json)
{
	static const struct sv type = SV_INIT("\"type\":\"base64\""), key = SV_INIT("\"data\":\"");
	size_t size = json.len + history_dense_bytes(json), at;

	while ((at = sv_find(json, type)) != SIZE_MAX) {
		json = sv_skip(json, at + type.len);
		at = sv_find(json, key);
		if (at == SIZE_MAX)
			break;
		json = sv_skip(json, at + key.len);
		at = min_of(sv_find_char(json, '"'), json.len);
		size -= at - min_of(at, (size_t)HISTORY_MEDIA);
		json = sv_skip(json, at);
	}
	return size;
}

void history_recount(struct history *h)
{
	h->bytes = 0;
	for (size_t i = 0; i < h->messages.n; i++)
		h->bytes += history_weigh(sv_of(&h->messages.at[i].json));
}

bool history_contains(const struct history *h, struct sv block)
{
	for (size_t i = 0; i < h->messages.n; i++)
		if (sv_find(sv_of(&h->messages.at[i].json), block) != SIZE_MAX)
			return true;
	return false;
}

void history_add(struct history *h, bool assistant, struct sv block)
{
	bool goes_on = h->messages.n && vec_last(&h->messages)->assistant == assistant;
	struct history_message *last = goes_on ? vec_last(&h->messages) : NULL;
	size_t before = 0;

	if (last) {
		before = last->json.len;
		message_add(&last->json, block);
	} else {
		last = vec_add(&h->messages);
		last->assistant = assistant;
		message_open(&last->json, assistant ? "assistant" : "user", block);
	}
	json_replace_lone_surrogates(&last->json, before - min_of(before, strlen("]}")));
	h->bytes += last->json.len - before - (block.len - history_weigh(block));
}

/* Turn content that is one string, as other programs write it, into blocks that can be appended to. */
static void history_use_blocks(struct str *message, bool assistant)
{
	defer(str_clear) struct str blocks = STR_INIT;
	struct str open = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (sv_ends(sv_of(message), SV("]}")))
		return;
	doc = json_parse(sv_of(message), 0, &err);
	content_blocks(&blocks, json_get(json_root(doc), "content"));
	message_open(&open, assistant ? "assistant" : "user", sv_of(&blocks));
	str_clear(message);
	*message = open;
}

void history_restore(struct history *h, bool assistant, struct str *json)
{
	struct history_message *message = vec_add(&h->messages);

	*message = (struct history_message){ .json = *json, .assistant = assistant };
	*json = (struct str)STR_INIT;
	history_use_blocks(&message->json, assistant);
	json_replace_lone_surrogates(&message->json, 0);
	h->bytes += history_weigh(sv_of(&message->json));
}

const struct sv *history_views(struct history *h)
{
	h->views.n = 0;
	for (size_t i = 0; i < h->messages.n; i++)
		vec_push(&h->views, sv_of(&h->messages.at[i].json));
	return h->views.at;
}

static bool history_is_media(struct json block)
{
	struct sv type = json_str_or(json_get(block, "type"), SV_EMPTY);

	return sv_is(type, "image") || sv_is(type, "document");
}

static size_t history_write_without_media(struct jw *w, struct json blocks);

/* Write one block without media; look into the results of tools, too. */
static size_t history_write_block(struct jw *w, struct json block)
{
	struct json_iter it = json_each(block);
	struct json value;
	struct sv key;
	size_t n = history_is_media(block);

	jw_object(w);
	if (n) {
		jw_put_str(w, "type", SV("text"));
		jw_put_strf(w, "text", "[%.*s]",
			    SV_ARG(json_str_or(json_get(block, "type"), SV_EMPTY)));
	}
	while (!history_is_media(block) && json_next(&it, &key, &value)) {
		jw_key(w, key);
		if (sv_is(key, "content") && json_is(value, JSON_ARRAY))
			n += history_write_without_media(w, value);
		else
			jw_value(w, value);
	}
	jw_end(w);
	return n;
}

static size_t history_write_without_media(struct jw *w, struct json blocks)
{
	struct json_iter it = json_each(blocks);
	struct json block;
	size_t n = 0;

	jw_array(w);
	while (json_next(&it, NULL, &block))
		n += history_write_block(w, block);
	jw_end(w);
	return n;
}

size_t history_strip_media(struct str *message)
{
	struct str shown = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(message), 0, &err);
	struct jw w;
	size_t n;

	jw_init(&w, &shown, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", SV("user"));
	jw_key(&w, SV("content"));
	n = history_write_without_media(&w, json_get(json_root(doc), "content"));
	jw_end(&w);
	jw_done(&w);
	if (n) {
		str_clear(message);
		*message = shown;
	} else {
		str_clear(&shown);
	}
	return n;
}

size_t history_drop_media(struct history *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->messages.n; i++)
		if (!h->messages.at[i].assistant)
			n += history_strip_media(&h->messages.at[i].json);
	history_recount(h);
	return n;
}

static bool history_is_thinking(struct sv block)
{
	struct json_span type;
	struct err err = ERR_INIT;
	struct sv name;

	if (!json_span_find(block, JSON_STEPS(SV("type")), &type, &err))
		return false;
	name = json_span_sv(block, type);
	return sv_is(name, "\"thinking\"") || sv_is(name, "\"redacted_thinking\"");
}

/* Rewrite a message without its thinking. No message may be empty, so one that has nothing else
 * keeps a word. */
static void history_strip_thinking(struct str *message)
{
	defer(str_clear) struct str kept = STR_INIT;
	defer(str_clear) struct str block = STR_INIT;
	struct sv text = sv_of(message);
	struct json_span content;
	struct json_span_iter it;
	struct json_item item;
	struct err err = ERR_INIT;
	bool any = false;

	if (!json_span_find(text, JSON_STEPS(SV("content")), &content, &err) ||
	    !json_span_each(&it, text, content, &err))
		return;
	message_open(&kept, "assistant", SV_EMPTY);
	while (json_span_next(&it, &item, &err) && !it.done) {
		struct sv part = json_span_sv(text, item.value);

		if (history_is_thinking(part))
			continue;
		message_add(&kept, part);
		any = true;
	}
	if (!any) {
		block_text(&block, SV("(thinking)"));
		message_add(&kept, sv_of(&block));
	}
	str_clear(message);
	*message = kept;
	kept = (struct str)STR_INIT;
}

void history_drop_thinking(struct history *h)
{
	for (size_t i = 0; i < h->messages.n; i++)
		if (h->messages.at[i].assistant)
			history_strip_thinking(&h->messages.at[i].json);
	history_recount(h);
}
