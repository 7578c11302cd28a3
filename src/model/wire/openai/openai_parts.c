#include "model/wire/openai/openai_parts.h"

/* Messages. */

bool openai_message_read(struct openai_message *m, struct sv json, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, err);
	struct json root = json_root(doc), content;
	struct openai_message message = { .json = json, .text = SV_EMPTY };

	if (!doc || !json_need_str(root, "role", &message.role, err))
		return false;
	if (!sv_is(message.role, "user") && !sv_is(message.role, "assistant") &&
	    !sv_is(message.role, "system"))
		return err_set(err, ERR_INVALID, "unknown role \"%.*s\"",
			       SV_ARG(sv_slice(message.role, 0, 40)));
	content = json_get(root, "content");
	message.is_text = json_str(content, &message.text);
	if (!message.is_text && !json_is(content, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "\"content\" must be a string or an array");
	message.content = content;
	message.doc = move(doc);
	*m = message;
	return true;
}

void openai_message_clear(struct openai_message *m)
{
	json_doc_free(m->doc);
	m->doc = NULL;
}

/* The text has been parsed, so its spans are there. */
struct openai_blocks openai_blocks(const struct openai_message *m)
{
	struct openai_blocks each = { .message = m, .values = json_each(m->content) };
	struct json_span span;
	struct err why;

	if (m->is_text || !json_span_find(m->json, JSON_STEPS(SV("content")), &span, &why) ||
	    !json_span_each(&each.spans, m->json, span, &why))
		each.values = json_each((struct json){ .val = NULL });
	return each;
}

bool openai_blocks_next(struct openai_blocks *each, struct openai_block *block)
{
	struct json_item item;
	struct err why;

	if (!json_next(&each->values, NULL, &block->root) ||
	    !json_span_next(&each->spans, &item, &why))
		return false;
	block->json = json_span_sv(each->message->json, item.value);
	block->type = json_str_or(json_get(block->root, "type"), SV_EMPTY);
	return true;
}

struct sv openai_block_input(const struct openai_block *block)
{
	struct json_span span;
	struct err why;

	if (!json_span_find(block->json, JSON_STEPS(SV("input")), &span, &why))
		return SV("{}");
	return json_span_sv(block->json, span);
}

/* Parts. */

void openai_parts_clear(struct openai_parts *parts)
{
	vec_clear(&parts->list);
}

static void openai_part_add(struct openai_parts *parts, enum openai_part_kind kind, struct sv text,
			    struct sv name)
{
	struct openai_part part = { .kind = kind, .text = text, .name = name };

	vec_push(&parts->list, part);
}

void openai_parts_text(struct openai_parts *parts, struct sv text)
{
	openai_part_add(parts, OPENAI_TEXT, text, SV_EMPTY);
}

/* The URL of a source, its bytes in it if need be; empty: it cannot be expressed. */
static struct sv openai_part_source_url(struct arena *arena, struct json source)
{
	struct sv type = json_str_or(json_get(source, "type"), SV_EMPTY);
	struct sv media = json_str_or(json_get(source, "media_type"), SV_EMPTY);
	struct sv data = json_str_or(json_get(source, "data"), SV_EMPTY);

	if (sv_is(type, "url"))
		return json_str_or(json_get(source, "url"), SV_EMPTY);
	if (!sv_is(type, "base64") || media.len == 0)
		return SV_EMPTY;
	return arena_printf(arena, "data:%.*s;base64,%.*s", SV_ARG(media), SV_ARG(data));
}

/* Replaces something by a text that says what is missing, and tells the user why. */
static void openai_part_add_missing(struct openai_parts *parts, struct sv what, const char *why)
{
	defer(str_clear) struct str name = STR_INIT;

	wire_printable(&name, what, 80);
	openai_parts_text(parts, arena_printf(parts->arena, "[%s omitted: %s]", str_c(&name), why));
	openai_note(parts->notes, "omitted %s: %s", str_c(&name), why);
}

static void openai_part_add_image(struct openai_parts *parts, struct json block)
{
	struct sv url = openai_part_source_url(parts->arena, json_get(block, "source"));

	if (!parts->can_images)
		openai_part_add_missing(parts, SV("an image"),
					"this model does not support images");
	else if (url.len == 0)
		openai_part_add_missing(parts, SV("an image"),
					"this provider does not support its source");
	else
		openai_part_add(parts, OPENAI_IMAGE, url, SV_EMPTY);
}

/* Documents of plain text are text, under their title. */
static void openai_part_add_document(struct openai_parts *parts, struct json block)
{
	struct json source = json_get(block, "source");
	struct sv title = json_str_or(json_get(block, "title"), SV_EMPTY);
	struct sv type = json_str_or(json_get(source, "type"), SV_EMPTY);
	struct sv url = SV_EMPTY;

	if (sv_is(type, "text") || sv_is(type, "content")) {
		if (title.len)
			openai_parts_text(parts, title);
		openai_parts_content(parts,
				     json_get(source, sv_is(type, "text") ? "data" : "content"));
		return;
	}
	if (parts->can_files && sv_is(type, "base64"))
		url = openai_part_source_url(parts->arena, source);
	if (url.len)
		openai_part_add(parts, OPENAI_FILE, url, title.len ? title : SV("document.pdf"));
	else
		openai_part_add_missing(parts, title.len ? title : SV("a document"),
					"this provider does not support this document type");
}

void openai_parts_block(struct openai_parts *parts, struct json block)
{
	struct sv type = json_str_or(json_get(block, "type"), SV("a block without a type"));

	if (sv_is(type, "text"))
		openai_parts_text(parts, json_str_or(json_get(block, "text"), SV_EMPTY));
	else if (sv_is(type, "image"))
		openai_part_add_image(parts, block);
	else if (sv_is(type, "document"))
		openai_part_add_document(parts, block);
	else
		openai_part_add_missing(parts, type, "this provider does not support it");
}

void openai_parts_content(struct openai_parts *parts, struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;
	struct sv text;

	if (json_str(content, &text))
		openai_parts_text(parts, text);
	while (json_is(content, JSON_ARRAY) && json_next(&it, NULL, &block))
		openai_parts_block(parts, block);
}

bool openai_parts_has(const struct openai_parts *parts, enum openai_part_kind kind)
{
	for (size_t i = 0; i < parts->list.n; i++)
		if (parts->list.at[i].kind == kind)
			return true;
	return false;
}

void openai_parts_join(const struct openai_parts *parts, const char *stand_in, struct str *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < parts->list.n; i++) {
		const struct openai_part *part = &parts->list.at[i];

		if (out->len > start)
			str_adds(out, "\n\n");
		str_add(out, part->kind == OPENAI_TEXT ? part->text : sv_cstr(stand_in));
	}
}
