#include "core/toolset/deferred.h"

#include "proto/message.h"
#include "store/transcript/transcript.h"
#include "text/json/json_write.h"

/* How the text begins that says what became of a call; its id follows in brackets. */
#define DEFERRED_OVER "The call that was deferred is over"

typedef VEC(struct sv) deferred_ids;

/* A text tells of one call; texts of older versions do not say of which, and there was only one. */
static void deferred_forget(deferred_ids *ids, struct sv text)
{
	struct sv rest = sv_skip(text, strlen(DEFERRED_OVER)), id;

	if (!sv_starts(rest, SV(" ("))) {
		ids->n = 0;
		return;
	}
	rest = sv_skip(rest, 2);
	sv_cut(&rest, ')', &id);
	for (size_t i = 0; i < ids->n; i++)
		if (sv_eq(ids->at[i], id)) {
			vec_remove(ids, i);
			return;
		}
}

static bool deferred_is_result(struct sv text, struct sv id, struct sv lost)
{
	return sv_eq(text, SV(DEFERRED_RESULT)) ||
	       (lost.len && sv_eq(id, lost) && sv_eq(text, SV(TRANSCRIPT_MISSING_RESULT)));
}

/* The ids of the calls that a message of the user's side says are deferred or lost, and not over. */
static void deferred_read_ids(deferred_ids *ids, struct json message, struct sv lost)
{
	struct json_iter it = json_each(json_get(message, "content"));
	struct json block;

	while (json_next(&it, NULL, &block)) {
		defer(str_clear) struct str text = STR_INIT;
		struct sv note = json_str_or(json_get(block, "text"), SV_EMPTY);
		struct sv id = json_str_or(json_get(block, "tool_use_id"), SV_EMPTY);

		if (sv_starts(note, SV(DEFERRED_OVER)))
			deferred_forget(ids, note);
		content_text(&text, json_get(block, "content"));
		if (json_bool_or(json_get(block, "is_error"), false) &&
		    deferred_is_result(sv_of(&text), id, lost))
			vec_push(ids, id);
	}
}

static bool deferred_is_in(const deferred_ids *ids, struct json block)
{
	struct sv id = json_str_or(json_get(block, "id"), SV_EMPTY);

	for (size_t i = 0; i < ids->n; i++)
		if (id.len && sv_eq(ids->at[i], id))
			return true;
	return false;
}

static size_t deferred_copy(const deferred_ids *ids, struct json message, struct sv **blocks,
			    struct arena *arena)
{
	struct json content = json_get(message, "content"), block;
	struct json_iter it = json_each(content);
	size_t n = 0;

	*blocks = arena_calloc(arena, json_len(content) + 1, sizeof(**blocks));
	while (json_next(&it, NULL, &block)) {
		defer(str_clear) struct str text = STR_INIT;
		struct jw w;

		if (!deferred_is_in(ids, block))
			continue;
		jw_init(&w, &text, JW_COMPACT);
		jw_value(&w, block);
		jw_done(&w);
		(*blocks)[n++] = arena_dup(arena, sv_of(&text));
	}
	return n;
}

size_t deferred_find(const struct history *history, struct sv lost, struct sv **blocks,
		     struct arena *arena)
{
	size_t n = history->messages.n, found;
	const struct history_message *last = n > 1 ? &history->messages.at[n - 1] : NULL;
	defer(json_doc_freep) struct json_doc *results = NULL, *response = NULL;
	deferred_ids ids = VEC_INIT;
	struct err err = ERR_INIT;

	if (!last || last->assistant ||
	    (!lost.len && sv_find(sv_of(&last->json), SV(DEFERRED_RESULT)) == SIZE_MAX))
		return 0;
	results = json_parse(sv_of(&last->json), 0, &err);
	response = json_parse(sv_of(&last[-1].json), 0, &err);
	deferred_read_ids(&ids, json_root(results), lost);
	found = deferred_copy(&ids, json_root(response), blocks, arena);
	vec_clear(&ids);
	return found;
}

bool deferred_is_lost(const struct history *history, struct sv id, struct str *name)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv *blocks;
	size_t n = id.len ? deferred_find(history, id, &blocks, &arena) : 0;

	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc = json_parse(blocks[i], 0, &err);

		if (!sv_eq(json_str_or(json_get(json_root(doc), "id"), SV_EMPTY), id))
			continue;
		str_add(name, json_str_or(json_get(json_root(doc), "name"), SV_EMPTY));
		return true;
	}
	return false;
}

void deferred_write(struct str *content, const struct call *call)
{
	const struct tool_result *result = &call->run.result;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s (%s). %s:\n%s", DEFERRED_OVER, str_c(&call->id),
		 result->is_error ? "It failed" : "This is its result", str_c(&result->text));
	block_text(content, sv_of(&text));
	if (result->blocks.len)
		str_addf(content, ",%s", str_c(&result->blocks));
}
