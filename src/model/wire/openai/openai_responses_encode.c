/* Writes the input items of the Responses API. Every block of a message becomes an item of its
 * own, so their order stays the same; only tool results go before the rest of what the user said.
 * Reasoning that came from this API goes back verbatim. Thinking from other providers is
 * omitted. */
#include "model/wire/openai/openai_output.h"
#include "model/wire/openai/openai_parts.h"
#include "model/wire/openai/openai_responses.h"

struct encoder {
	struct jw *w;
	struct arena *arena;
	struct openai_notes *notes;
	bool can_images;
};

static struct openai_parts responses_encode_new_parts(const struct encoder *e)
{
	return (struct openai_parts){
		.arena = e->arena, .notes = e->notes, .can_images = e->can_images, .can_files = true
	};
}

static void responses_encode_put_part(struct jw *w, const struct openai_part *part,
				      const char *text_type)
{
	jw_object(w);
	switch (part->kind) {
	case OPENAI_TEXT:
		jw_put_str(w, "type", sv_cstr(text_type));
		jw_put_str(w, "text", part->text);
		break;
	case OPENAI_IMAGE:
		jw_put_str(w, "type", SV("input_image"));
		jw_put_str(w, "image_url", part->text);
		break;
	case OPENAI_FILE:
		jw_put_str(w, "type", SV("input_file"));
		jw_put_str(w, "filename", part->name);
		jw_put_str(w, "file_data", part->text);
		break;
	}
	jw_end(w);
}

static void responses_encode_put_parts(struct jw *w, const struct openai_parts *parts,
				       const char *text_type)
{
	jw_array(w);
	for (size_t i = 0; i < parts->list.n; i++)
		responses_encode_put_part(w, &parts->list.at[i], text_type);
	jw_end(w);
}

/* Text of the assistant counts as output, even when it is sent as input. */
static void responses_encode_put_message(struct encoder *e, struct sv role,
					 const struct openai_parts *parts)
{
	jw_object(e->w);
	jw_put_str(e->w, "type", SV("message"));
	jw_put_str(e->w, "role", role);
	jw_key(e->w, SV("content"));
	responses_encode_put_parts(e->w, parts,
				   sv_is(role, "assistant") ? "output_text" : "input_text");
	jw_end(e->w);
}

static void responses_encode_put_text(struct encoder *e, struct sv role, struct sv text)
{
	defer(openai_parts_clear) struct openai_parts parts = responses_encode_new_parts(e);

	openai_parts_text(&parts, text);
	responses_encode_put_message(e, role, &parts);
}

/* Text alone is sent as a string, which every server accepts. */
static void responses_encode_put_result(struct encoder *e, struct json block)
{
	defer(openai_parts_clear) struct openai_parts parts = responses_encode_new_parts(e);
	defer(str_clear) struct str text = STR_INIT;

	if (json_bool_or(json_get(block, "is_error"), false))
		openai_parts_text(&parts, SV("Error:"));
	openai_parts_content(&parts, json_get(block, "content"));
	jw_object(e->w);
	jw_put_str(e->w, "type", SV("function_call_output"));
	jw_put_str(e->w, "call_id", json_str_or(json_get(block, "tool_use_id"), SV_EMPTY));
	jw_key(e->w, SV("output"));
	if (openai_parts_has(&parts, OPENAI_IMAGE) || openai_parts_has(&parts, OPENAI_FILE)) {
		responses_encode_put_parts(e->w, &parts, "input_text");
	} else {
		openai_parts_join(&parts, "", &text);
		jw_str(e->w, sv_of(&text));
	}
	jw_end(e->w);
}

static void responses_encode_put_user(struct encoder *e, const struct openai_message *m)
{
	defer(openai_parts_clear) struct openai_parts parts = responses_encode_new_parts(e);
	struct openai_blocks each = openai_blocks(m);
	struct openai_block block;

	while (openai_blocks_next(&each, &block)) {
		if (sv_is(block.type, "tool_result"))
			responses_encode_put_result(e, block.root);
		else
			openai_parts_block(&parts, block.root);
	}
	if (parts.list.n > 0)
		responses_encode_put_message(e, m->role, &parts);
}

static void responses_encode_put_call(struct jw *w, const struct openai_block *call)
{
	jw_object(w);
	jw_put_str(w, "type", SV("function_call"));
	jw_put_str(w, "call_id", json_str_or(json_get(call->root, "id"), SV_EMPTY));
	jw_put_str(w, "name", json_str_or(json_get(call->root, "name"), SV_EMPTY));
	jw_put_str(w, "arguments", openai_block_input(call));
	jw_end(w);
}

/* Writes the thinking of a server that sends its reasoning as plain text (llama.cpp). */
static void responses_encode_put_reasoning(struct jw *w, struct sv id, struct sv text)
{
	jw_object(w);
	jw_put_str(w, "type", SV("reasoning"));
	if (id.len)
		jw_put_str(w, "id", id);
	jw_put_array(w, "summary");
	jw_end(w);
	jw_put_array(w, "content");
	jw_object(w);
	jw_put_str(w, "type", SV("reasoning_text"));
	jw_put_str(w, "text", text);
	jw_end(w);
	jw_end(w);
	jw_put_str(w, "encrypted_content", SV_EMPTY);
	jw_end(w);
}

/* The item is in the signature. It is checked because a transcript may have been edited. */
static void responses_encode_put_thinking(struct encoder *e, struct json block)
{
	struct sv mark = json_str_or(json_get(block, "signature"), SV_EMPTY);
	struct sv item = sv_skip(mark, strlen(OPENAI_SIGNED_ITEM));
	struct json_span span;
	struct err why;

	if (sv_starts(mark, SV(OPENAI_SIGNED_ITEM)) && json_span_root(item, &span, &why) &&
	    item.ptr[span.from] == '{')
		jw_raw(e->w, json_span_sv(item, span));
	else if (sv_starts(mark, SV(OPENAI_SIGNED_TEXT)))
		responses_encode_put_reasoning(e->w, sv_skip(mark, strlen(OPENAI_SIGNED_TEXT)),
					       json_str_or(json_get(block, "thinking"), SV_EMPTY));
	else
		openai_note(e->notes, "omitted thinking from another provider");
}

static void responses_encode_put_assistant(struct encoder *e, const struct openai_message *m)
{
	struct openai_blocks each = openai_blocks(m);
	struct openai_block block;

	while (openai_blocks_next(&each, &block)) {
		defer(openai_parts_clear) struct openai_parts parts = responses_encode_new_parts(e);

		if (sv_is(block.type, "tool_use")) {
			responses_encode_put_call(e->w, &block);
		} else if (sv_is(block.type, "thinking") ||
			   sv_is(block.type, "redacted_thinking")) {
			responses_encode_put_thinking(e, block.root);
		} else {
			openai_parts_block(&parts, block.root);
			responses_encode_put_message(e, m->role, &parts);
		}
	}
}

static bool responses_encode_put_any(struct encoder *e, struct sv json, struct err *err)
{
	defer(openai_message_clear) struct openai_message m = { .doc = NULL };

	if (!openai_message_read(&m, json, err))
		return false;
	if (m.is_text)
		responses_encode_put_text(e, m.role, m.text);
	else if (sv_is(m.role, "assistant"))
		responses_encode_put_assistant(e, &m);
	else
		responses_encode_put_user(e, &m);
	return true;
}

bool openai_responses_input(struct jw *w, struct arena *arena, const struct model_request *request,
			    bool can_images, struct openai_notes *notes, struct err *err)
{
	struct encoder e = { .w = w, .arena = arena, .notes = notes, .can_images = can_images };

	jw_array(w);
	for (size_t i = 0; i < request->nmessages; i++)
		if (!responses_encode_put_any(&e, request->messages[i], err))
			return err_context(err, "message %zu", i);
	jw_end(w);
	return true;
}
