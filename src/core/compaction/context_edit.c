#include "core/compaction/context_edit.h"

#include "base/map.h"
#include "base/utf8.h"
#include "proto/message.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

#define DROPPED_MARK "[Dropped by the user: piece "

enum { NAME_BYTES = 60 };

/* --- listing ---------------------------------------------------------------------------------------- */

void context_pieces_clear(context_pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		str_clear(&pieces->at[i].name);
	vec_clear(pieces);
}

static struct sv context_edit_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* The text in a block, or in the result that it is. */
static void context_edit_words(struct str *out, struct json block)
{
	struct json content = json_get(block, "content");

	if (json_exists(content))
		content_text(out, content);
	else
		str_add(out, context_edit_text(block, "text"));
}

static void context_edit_name(struct str *out, struct sv text)
{
	struct sv line = SV_EMPTY;

	text = sv_trim(text);
	(void)sv_cut_line(&text, &line);
	str_add(out, utf8_prefix(line, NAME_BYTES));
	if (text.len || line.len > NAME_BYTES)
		str_adds(out, "...");
}

static const char *context_edit_kind(struct json block)
{
	static const char *const kinds[][2] = { { "text", "text" },
						{ "tool_use", "call" },
						{ "tool_result", "result" },
						{ "image", "image" },
						{ "document", "document" },
						{ "thinking", "thinking" },
						{ "redacted_thinking", "thinking" } };

	for (size_t i = 0; i < countof(kinds); i++)
		if (sv_is(context_edit_text(block, "type"), kinds[i][0]))
			return kinds[i][1];
	return "other";
}

static bool context_edit_is_dropped(struct json block, size_t *number)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest;
	int64_t n;

	context_edit_words(&text, block);
	rest = sv_of(&text);
	if (!sv_starts(rest, SV(DROPPED_MARK)))
		return false;
	rest = sv_skip(rest, strlen(DROPPED_MARK));
	if (!sv_to_int(sv_slice(rest, 0, sv_find_char(rest, ']')), &n) || n < 0)
		return false;
	*number = (size_t)n;
	return true;
}

static bool context_edit_may_drop(const char *kind)
{
	return strcmp(kind, "call") != 0 && strcmp(kind, "thinking") != 0 &&
	       strcmp(kind, "other") != 0;
}

static void context_edit_describe(struct context_piece *piece, struct json block,
				  const struct map *tools)
{
	defer(str_clear) struct str text = STR_INIT;
	const char *tool = map_get(tools, context_edit_text(block, "tool_use_id"));
	size_t number;

	piece->kind = context_edit_kind(block);
	piece->may_drop = context_edit_may_drop(piece->kind);
	piece->is_dropped = context_edit_is_dropped(block, &number);
	context_edit_words(&text, block);
	if (tool)
		str_addf(&piece->name, "%s: ", tool);
	str_add(&piece->name, context_edit_text(block, "name"));
	context_edit_name(&piece->name, sv_of(&text));
}

static void context_list_message(const struct history_message *m, size_t number, struct map *tools,
				 struct arena *arena, context_pieces *out)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&m->json), 0, &ignored);
	struct json_iter it = json_each(json_get(json_root(doc), "content"));
	struct json block;

	for (size_t n = 1; json_next(&it, NULL, &block); n++) {
		struct context_piece *piece = vec_add(out);
		defer(str_clear) struct str json = STR_INIT;
		struct jw w;

		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, block);
		*piece = (struct context_piece){
			.message = number,
			.block = n,
			.assistant = m->assistant,
			.bytes = json.len,
			.weight = history_weigh(sv_of(&json)),
		};
		context_edit_describe(piece, block, tools);
		if (strcmp(piece->kind, "call") == 0)
			map_put(tools, context_edit_text(block, "id"),
				(void *)arena_dup(arena, context_edit_text(block, "name")).ptr);
	}
}

void context_list(const struct history *h, context_pieces *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct map tools = { 0 };

	for (size_t i = 0; i < h->messages.n; i++)
		context_list_message(&h->messages.at[i], i + 1, &tools, &arena, out);
	map_clear(&tools);
}

/* --- dropping --------------------------------------------------------------------------------------- */

void context_drops_clear(struct context_drops *drops)
{
	for (size_t i = 0; i < drops->list.n; i++)
		str_clear(&drops->list.at[i].original);
	vec_clear(&drops->list);
}

/* Write what stands in the place of a block. */
static void context_edit_placeholder(struct jw *w, struct json block, size_t number)
{
	bool is_result = strcmp(context_edit_kind(block), "result") == 0;

	jw_object(w);
	jw_put_str(w, "type", is_result ? SV("tool_result") : SV("text"));
	if (is_result)
		jw_put_str(w, "tool_use_id", context_edit_text(block, "tool_use_id"));
	jw_put_strf(w, is_result ? "content" : "text", DROPPED_MARK "%zu]", number);
	jw_end(w);
}

static bool context_edit_drop_block(struct context_drops *drops, struct jw *w, struct json block)
{
	size_t number;
	struct jw copy;
	struct context_dropped *dropped;

	if (!context_edit_may_drop(context_edit_kind(block)) ||
	    context_edit_is_dropped(block, &number))
		return false;
	dropped = vec_add(&drops->list);
	dropped->number = ++drops->last;
	jw_init(&copy, &dropped->original, JW_COMPACT);
	jw_value(&copy, block);
	jw_done(&copy);
	context_edit_placeholder(w, block, dropped->number);
	return true;
}

static bool context_edit_restore_block(struct context_drops *drops, struct jw *w, struct json block)
{
	size_t number;

	if (!context_edit_is_dropped(block, &number))
		return false;
	for (size_t i = 0; i < drops->list.n; i++) {
		if (drops->list.at[i].number != number)
			continue;
		jw_raw(w, sv_of(&drops->list.at[i].original));
		str_clear(&drops->list.at[i].original);
		vec_remove(&drops->list, i);
		return true;
	}
	return false;
}

typedef bool context_edit_fn(struct context_drops *drops, struct jw *w, struct json block);

/* Rewrite a message; blocks that `edit` leaves alone keep their bytes as far as JSON has only one spelling
 * for them. */
static size_t context_edit(struct history *h, struct context_drops *drops, size_t message,
			   size_t block, context_edit_fn *edit)
{
	struct history_message *m = &h->messages.at[message - 1];
	struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&m->json), 0, &ignored);
	struct json_iter it = json_each(json_get(json_root(doc), "content"));
	struct json value;
	size_t changed = 0;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", m->assistant ? SV("assistant") : SV("user"));
	jw_put_array(&w, "content");
	for (size_t n = 1; json_next(&it, NULL, &value); n++) {
		if ((!block || block == n) && edit(drops, &w, value))
			changed++;
		else
			jw_value(&w, value);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	if (changed) {
		str_clear(&m->json);
		m->json = text;
		history_recount(h);
	} else {
		str_clear(&text);
	}
	return changed;
}

size_t context_drop(struct history *h, struct context_drops *drops, size_t message, size_t block)
{
	return message && message <= h->messages.n
		       ? context_edit(h, drops, message, block, context_edit_drop_block)
		       : 0;
}

size_t context_restore(struct history *h, struct context_drops *drops, size_t message, size_t block)
{
	return message && message <= h->messages.n
		       ? context_edit(h, drops, message, block, context_edit_restore_block)
		       : 0;
}
