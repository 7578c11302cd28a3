#include "proto/message.h"

#include "text/json/json_write.h"

void block_text(struct str *out, struct sv text)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("text"));
	jw_put_str(&w, "text", text);
	jw_end(&w);
	jw_done(&w);
}

void block_tool_result(struct str *out, const struct block_result *result)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "tool_use_id", result->id);
	jw_put_str(&w, "type", SV("tool_result"));
	if (result->blocks.len)
		jw_put_raw(&w, "content", result->blocks);
	else
		jw_put_str(&w, "content", result->text);
	if (result->is_error)
		jw_put_bool(&w, "is_error", true);
	jw_end(&w);
	jw_done(&w);
}

void message_open(struct str *out, const char *role, struct sv block)
{
	enum { AROUND = 64 }; /* more than the constant text */

	str_reserve(out, block.len + AROUND); /* the block may be large: do not grow by half */
	str_addf(out, "{\"role\":\"%s\",\"content\":[", role);
	str_add(out, block);
	str_adds(out, "]}");
}

void message_add(struct str *message, struct sv block)
{
	BUG_ON(message->len < 3 || !sv_ends(sv_of(message), SV("]}")));
	str_truncate(message, message->len - 2);
	if (message->ptr[message->len - 1] != '[')
		str_addc(message, ',');
	str_add(message, block);
	str_adds(message, "]}");
}

#define SYNTHETIC "<synthetic>" /* instead of the name of a model */

void message_synthetic(struct str *out, struct sv text, struct sv id, bool is_error)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "id", id);
	jw_put_str(&w, "type", SV("message"));
	jw_put_str(&w, "role", SV("assistant"));
	jw_put_str(&w, "model", SV(SYNTHETIC));
	jw_put_array(&w, "content");
	jw_object(&w);
	jw_put_str(&w, "type", SV("text"));
	jw_put_str(&w, "text", text);
	jw_end(&w);
	jw_end(&w);
	jw_put_str(&w, "stop_reason", is_error ? SV("stop_sequence") : SV("end_turn"));
	if (is_error)
		jw_put_str(&w, "stop_sequence", SV_EMPTY);
	else
		jw_put_null(&w, "stop_sequence");
	jw_put_raw(&w, "usage", SV("{\"input_tokens\":0,\"output_tokens\":0}"));
	jw_end(&w);
	jw_done(&w);
}

void message_local_command(struct str *out, struct sv name, struct sv arguments)
{
	str_addf(out,
		 "<command-name>/%.*s</command-name>\n<command-message>%.*s</command-message>\n"
		 "<command-args>%.*s</command-args>",
		 SV_ARG(name), SV_ARG(name), SV_ARG(arguments));
}

void message_local_answer(struct str *out, struct sv answer)
{
	str_addf(out, "<local-command-stdout>%.*s</local-command-stdout>", SV_ARG(answer));
}

void message_bash_input(struct str *out, struct sv command)
{
	str_addf(out, "<" MESSAGE_BASH_INPUT ">%.*s</" MESSAGE_BASH_INPUT ">", SV_ARG(command));
}

void message_bash_output(struct str *out, struct sv text)
{
	str_addf(out, "<bash-stdout>%.*s</bash-stdout><bash-stderr></bash-stderr>", SV_ARG(text));
}

size_t content_blocks(struct str *out, struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;
	struct sv text;
	struct jw w;
	size_t n = 0;

	if (json_str(content, &text)) {
		block_text(out, text);
		return 1;
	}
	while (json_next(&it, NULL, &block)) {
		if (n++)
			str_addc(out, ',');
		jw_init(&w, out, JW_COMPACT);
		jw_value(&w, block);
		jw_done(&w);
	}
	return n;
}

void blocks_add_media(struct str *out, struct sv blocks)
{
	defer(str_clear) struct str list = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct json_iter it;
	struct json block;

	str_addf(&list, "[%.*s]", SV_ARG(blocks));
	doc = json_parse(sv_of(&list), 0, &ignored);
	it = json_each(json_root(doc));
	while (json_next(&it, NULL, &block)) {
		struct jw w;

		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "text"))
			continue;
		str_addc(out, ',');
		jw_init(&w, out, JW_COMPACT);
		jw_value(&w, block);
		jw_done(&w);
	}
}

void content_text(struct str *out, struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;
	struct sv text;
	bool any = false;

	if (json_str(content, &text))
		str_add(out, text);
	while (json_next(&it, NULL, &block)) {
		if (!sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "text") ||
		    !json_str(json_get(block, "text"), &text) || !text.len)
			continue;
		if (any)
			str_adds(out, "\n\n");
		str_add(out, text);
		any = true;
	}
}

/* --- reading --------------------------------------------------------------------- */

struct json_iter message_blocks(struct json message)
{
	return json_each(message_content(message));
}

bool message_is_synthetic(struct json message)
{
	return sv_is(json_str_or(json_get(message, "model"), SV_EMPTY), SYNTHETIC);
}

struct json message_content(struct json message)
{
	return json_get(message, "content");
}

void message_usage(struct usage_counts *out, struct json message)
{
	usage_counts_read(out, json_get(message, "usage"));
}

static struct sv message_text_of(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static void message_read_result(struct block *out, struct json block)
{
	struct json content = json_get(block, "content");

	out->kind = BLOCK_TOOL_RESULT;
	out->content = content;
	out->id = message_text_of(block, "tool_use_id");
	out->text = json_str_or(content, json_str_or(json_path(content, "[0].text"), SV_EMPTY));
	out->is_error = json_bool_or(json_get(block, "is_error"), false);
}

bool message_next(struct json_iter *it, struct block *out)
{
	struct json block;
	struct sv type;

	if (!json_next(it, NULL, &block))
		return false;
	type = message_text_of(block, "type");
	*out = (struct block){ .kind = BLOCK_OTHER };
	if (sv_is(type, "text")) {
		out->kind = BLOCK_TEXT;
		out->text = message_text_of(block, "text");
	} else if (sv_is(type, "thinking")) {
		out->kind = BLOCK_THINKING;
		out->text = message_text_of(block, "thinking");
	} else if (sv_is(type, "tool_use")) {
		out->kind = BLOCK_TOOL_USE;
		out->id = message_text_of(block, "id");
		out->tool = message_text_of(block, "name");
		out->input = json_get(block, "input");
	} else if (sv_is(type, "tool_result")) {
		message_read_result(out, block);
	}
	return true;
}

static struct sv stream_delta(struct json event, const char *type, const char *key)
{
	struct json delta = json_get(event, "delta");

	return sv_is(message_text_of(delta, "type"), type) ? message_text_of(delta, key) : SV_EMPTY;
}

struct sv stream_text(struct json event)
{
	return stream_delta(event, "text_delta", "text");
}

struct sv stream_thinking(struct json event)
{
	return stream_delta(event, "thinking_delta", "thinking");
}

/* --- the end of a stream that was cut off ------------------------------------------- */

static void stream_open(struct jw *w, struct str *out, const char *type)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", sv_cstr(type));
}

void stream_write_block_stop(struct str *out, int64_t index)
{
	struct jw w;

	stream_open(&w, out, "content_block_stop");
	jw_put_int(&w, "index", index);
	jw_end(&w);
	jw_done(&w);
}

void stream_write_delta(struct str *out, int64_t output_tokens)
{
	struct jw w;

	stream_open(&w, out, "message_delta");
	jw_put_object(&w, "delta");
	jw_put_null(&w, "stop_reason");
	jw_put_null(&w, "stop_sequence");
	jw_end(&w);
	jw_put_object(&w, "usage");
	jw_put_int(&w, "output_tokens", output_tokens);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

void stream_write_stop(struct str *out)
{
	struct jw w;

	stream_open(&w, out, "message_stop");
	jw_end(&w);
	jw_done(&w);
}
