/* Writes the messages of Chat Completions.
 *
 *   user       Tool results come first, each as a message of role "tool", because they must follow
 *              the calls directly; then everything else as one message. Text alone is a string,
 *              which every server accepts; with images it is a list of parts.
 *   assistant  Text and calls in one message. Thinking goes back the way it came (see
 *              openai_output.h); thinking from other providers is omitted.
 *   system     Always role "system": models that know "developer" accept both.
 *
 * A tool result cannot contain an image, so images go into the message after it. */
#include "model/wire/openai/openai_chat.h"
#include "model/wire/openai/openai_output.h"
#include "model/wire/openai/openai_parts.h"

struct encoder {
	struct jw *w;
	struct arena *arena;
	struct openai_notes *notes;
	bool can_images;
};

static struct openai_parts chat_encode_new_parts(const struct encoder *e)
{
	return (struct openai_parts){ .arena = e->arena,
				      .notes = e->notes,
				      .can_images = e->can_images };
}

static void chat_encode_put_message(struct jw *w, struct sv role, struct sv text)
{
	jw_object(w);
	jw_put_str(w, "role", role);
	jw_put_str(w, "content", text);
	jw_end(w);
}

/* User messages. */

static void chat_encode_put_part(struct jw *w, const struct openai_part *part)
{
	jw_object(w);
	if (part->kind == OPENAI_TEXT) {
		jw_put_str(w, "type", SV("text"));
		jw_put_str(w, "text", part->text);
	} else {
		jw_put_str(w, "type", SV("image_url"));
		jw_put_object(w, "image_url");
		jw_put_str(w, "url", part->text);
		jw_end(w);
	}
	jw_end(w);
}

static void chat_encode_put_parts(struct jw *w, struct sv role, const struct openai_parts *parts)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!openai_parts_has(parts, OPENAI_IMAGE)) {
		openai_parts_join(parts, "", &text);
		chat_encode_put_message(w, role, sv_of(&text));
		return;
	}
	jw_object(w);
	jw_put_str(w, "role", role);
	jw_put_array(w, "content");
	for (size_t i = 0; i < parts->list.n; i++)
		chat_encode_put_part(w, &parts->list.at[i]);
	jw_end(w);
	jw_end(w);
}

/* Moves the images of a result to the message after it. */
static void chat_encode_take_images(struct encoder *e, const struct openai_parts *result,
				    struct sv id, struct openai_parts *after)
{
	for (size_t i = 0; i < result->list.n; i++) {
		if (result->list.at[i].kind != OPENAI_IMAGE)
			continue;
		openai_parts_text(
			after,
			arena_printf(e->arena, "[image in the result of call %.*s]", SV_ARG(id)));
		vec_push(&after->list, result->list.at[i]);
		openai_note(e->notes, "moved an image from a tool result to the message after it");
	}
}

static void chat_encode_put_result(struct encoder *e, struct json block, struct openai_parts *after)
{
	defer(openai_parts_clear) struct openai_parts parts = chat_encode_new_parts(e);
	struct sv id = json_str_or(json_get(block, "tool_use_id"), SV_EMPTY);
	defer(str_clear) struct str text = STR_INIT;

	openai_parts_content(&parts, json_get(block, "content"));
	chat_encode_take_images(e, &parts, id, after);
	if (json_bool_or(json_get(block, "is_error"), false))
		str_adds(&text, "Error: ");
	openai_parts_join(&parts, "[image: in the message that follows]", &text);
	jw_object(e->w);
	jw_put_str(e->w, "role", SV("tool"));
	jw_put_str(e->w, "tool_call_id", id);
	jw_put_str(e->w, "content", sv_of(&text));
	jw_end(e->w);
}

static void chat_encode_put_user(struct encoder *e, const struct openai_message *m)
{
	defer(openai_parts_clear) struct openai_parts parts = chat_encode_new_parts(e);
	struct openai_blocks each = openai_blocks(m);
	struct openai_block block;
	bool any_result = false;

	while (openai_blocks_next(&each, &block)) {
		if (!sv_is(block.type, "tool_result"))
			continue;
		chat_encode_put_result(e, block.root, &parts);
		any_result = true;
	}
	each = openai_blocks(m);
	while (openai_blocks_next(&each, &block))
		if (!sv_is(block.type, "tool_result"))
			openai_parts_block(&parts, block.root);
	if (parts.list.n > 0 || !any_result)
		chat_encode_put_parts(e->w, m->role, &parts);
}

/* Assistant messages. */

struct assistant_message {
	struct openai_parts parts;
	VEC(struct openai_block) calls;
	struct str thinking;
	struct sv field;             /* that the thinking goes back in; empty: none does */
	struct str tagged;           /* thinking that goes back in the text, between tags */
	struct json details;         /* "reasoning_details", which replace the field */
	struct json extra;           /* "extra_content" by the id of the call */
	VEC(struct json_doc *) docs; /* that these two are in */
};

static void chat_encode_clear_assistant(struct assistant_message *message)
{
	openai_parts_clear(&message->parts);
	vec_clear(&message->calls);
	str_clear(&message->thinking);
	str_clear(&message->tagged);
	for (size_t i = 0; i < message->docs.n; i++)
		json_doc_free(message->docs.at[i]);
	vec_clear(&message->docs);
}

/* Returns the field that the server itself used. */
static struct sv chat_encode_thinking_field(struct json block)
{
	static const char *const fields[] = { "reasoning_content", "reasoning", "thinking" };
	struct sv mark = json_str_or(json_get(block, "signature"), SV_EMPTY);

	for (size_t i = 0; sv_starts(mark, SV(OPENAI_SIGNED_FIELD)) && i < countof(fields); i++)
		if (sv_is(sv_skip(mark, strlen(OPENAI_SIGNED_FIELD)), fields[i]))
			return sv_cstr(fields[i]);
	return SV_EMPTY;
}

/* Reads from a signature what the message has to carry. False: the signature is of another kind. */
static bool chat_encode_add_extra(struct assistant_message *message, struct sv mark)
{
	struct json_doc *doc;
	struct err why;

	if (!sv_starts(mark, SV(OPENAI_SIGNED_EXTRA)))
		return false;
	doc = json_parse(sv_skip(mark, strlen(OPENAI_SIGNED_EXTRA)), 0, &why);
	if (!doc)
		return false;
	vec_push(&message->docs, doc);
	message->details = json_get(json_root(doc), "reasoning_details");
	message->extra = json_get(json_root(doc), "extra_content");
	return true;
}

static void chat_encode_add_thinking(struct encoder *e, struct assistant_message *message,
				     struct json block)
{
	struct sv mark = json_str_or(json_get(block, "signature"), SV_EMPTY);
	struct sv text = json_str_or(json_get(block, "thinking"), SV_EMPTY);
	struct sv field = chat_encode_thinking_field(block);

	if (chat_encode_add_extra(message, mark))
		return;
	if (sv_is(mark, OPENAI_SIGNED_FIELD OPENAI_THINK_TAG)) {
		str_addf(&message->tagged, "<think>\n%.*s\n</think>\n\n", SV_ARG(text));
		return;
	}
	if (field.len == 0) {
		openai_note(e->notes, "omitted thinking from another provider");
		return;
	}
	if (message->field.len)
		str_adds(&message->thinking, "\n\n");
	message->field = field;
	str_add(&message->thinking, text);
}

static void chat_encode_add_block(struct encoder *e, struct assistant_message *message,
				  const struct openai_block *block)
{
	if (sv_is(block->type, "tool_use"))
		vec_push(&message->calls, *block);
	else if (sv_is(block->type, "thinking") || sv_is(block->type, "redacted_thinking"))
		chat_encode_add_thinking(e, message, block->root);
	else
		openai_parts_block(&message->parts, block->root);
}

static void chat_encode_put_call(struct jw *w, const struct openai_block *call, struct json extra)
{
	struct sv id = json_str_or(json_get(call->root, "id"), SV_EMPTY);
	struct json own = json_get_sv(extra, id);

	jw_object(w);
	jw_put_str(w, "id", id);
	jw_put_str(w, "type", SV("function"));
	jw_put_object(w, "function");
	jw_put_str(w, "name", json_str_or(json_get(call->root, "name"), SV_EMPTY));
	jw_put_str(w, "arguments", openai_block_input(call));
	jw_end(w);
	if (json_exists(own)) {
		jw_key(w, SV("extra_content"));
		jw_value(w, own);
	}
	jw_end(w);
}

static void chat_encode_put_assistant(struct jw *w, const struct assistant_message *message)
{
	defer(str_clear) struct str text = STR_INIT;

	str_add(&text, sv_of(&message->tagged));
	openai_parts_join(&message->parts, "[image]", &text);
	jw_object(w);
	jw_put_str(w, "role", SV("assistant"));
	if (text.len == 0 && message->calls.n)
		jw_put_null(w, "content");
	else
		jw_put_str(w, "content", sv_of(&text));
	if (json_exists(message->details)) {
		jw_key(w, SV("reasoning_details"));
		jw_value(w, message->details);
	} else if (message->field.len) {
		jw_key(w, message->field);
		jw_str(w, sv_of(&message->thinking));
	}
	if (message->calls.n)
		jw_put_array(w, "tool_calls");
	for (size_t i = 0; i < message->calls.n; i++)
		chat_encode_put_call(w, &message->calls.at[i], message->extra);
	if (message->calls.n)
		jw_end(w);
	jw_end(w);
}

static void chat_encode_put_blocks(struct encoder *e, const struct openai_message *m)
{
	defer(chat_encode_clear_assistant) struct assistant_message message = {
		.parts = chat_encode_new_parts(e)
	};
	struct openai_blocks each = openai_blocks(m);
	struct openai_block block;

	while (openai_blocks_next(&each, &block))
		chat_encode_add_block(e, &message, &block);
	chat_encode_put_assistant(e->w, &message);
}

static bool chat_encode_put_any(struct encoder *e, struct sv json, struct err *err)
{
	defer(openai_message_clear) struct openai_message m = { .doc = NULL };

	if (!openai_message_read(&m, json, err))
		return false;
	if (m.is_text)
		chat_encode_put_message(e->w, m.role, m.text);
	else if (sv_is(m.role, "assistant"))
		chat_encode_put_blocks(e, &m);
	else
		chat_encode_put_user(e, &m);
	return true;
}

bool openai_chat_messages(struct jw *w, struct arena *arena, const struct model_request *request,
			  bool can_images, struct openai_notes *notes, struct err *err)
{
	struct encoder e = { .w = w, .arena = arena, .notes = notes, .can_images = can_images };
	struct sv system = openai_system(arena, request);

	jw_array(w);
	if (system.len)
		chat_encode_put_message(w, SV("system"), system);
	for (size_t i = 0; i < request->nmessages; i++)
		if (!chat_encode_put_any(&e, request->messages[i], err))
			return err_context(err, "message %zu", i);
	jw_end(w);
	return true;
}
