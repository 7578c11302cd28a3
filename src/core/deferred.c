#include "core/deferred.h"

#include "proto/message.h"
#include "text/json/json_write.h"

/* How the text begins that says what became of a call. */
#define DEFERRED_OVER "The call that was deferred is over. "

/* The id of the call that a message of the user's side says is deferred; empty: there is none, or it
 * is over. */
static struct sv deferred_id(struct json message)
{
	struct json_iter it = json_each(json_get(message, "content"));
	struct sv id = SV_EMPTY;
	struct json block;

	while (json_next(&it, NULL, &block)) {
		defer(str_clear) struct str text = STR_INIT;

		if (sv_starts(json_str_or(json_get(block, "text"), SV_EMPTY), SV(DEFERRED_OVER)))
			return SV_EMPTY;
		content_text(&text, json_get(block, "content"));
		if (json_bool_or(json_get(block, "is_error"), false) &&
		    sv_eq(sv_of(&text), SV(DEFERRED_RESULT)))
			id = json_str_or(json_get(block, "tool_use_id"), SV_EMPTY);
	}
	return id;
}

/* The only call of a response, if it has this id. */
static bool deferred_call(struct json message, struct sv id, struct json *out)
{
	struct json_iter it = json_each(json_get(message, "content"));
	struct json block;
	size_t n = 0;

	while (json_next(&it, NULL, &block))
		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_use")) {
			*out = block;
			n++;
		}
	return n == 1 && sv_eq(json_str_or(json_get(*out, "id"), SV_EMPTY), id);
}

bool deferred_find(const struct history *history, struct str *block)
{
	size_t n = history->messages.n;
	const struct history_message *last = n > 1 ? &history->messages.at[n - 1] : NULL;
	defer(json_doc_freep) struct json_doc *results = NULL, *response = NULL;
	struct err err = ERR_INIT;
	struct json call;
	struct sv id;
	struct jw w;

	if (!last || last->assistant ||
	    sv_find(sv_of(&last->json), SV(DEFERRED_RESULT)) == SIZE_MAX)
		return false;
	results = json_parse(sv_of(&last->json), 0, &err);
	response = json_parse(sv_of(&last[-1].json), 0, &err);
	id = deferred_id(json_root(results));
	if (!id.len || !deferred_call(json_root(response), id, &call))
		return false;
	jw_init(&w, block, JW_COMPACT);
	jw_value(&w, call);
	jw_done(&w);
	return true;
}

void deferred_write(struct str *content, const struct call *call)
{
	const struct tool_result *result = &call->run.result;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s%s:\n%s", DEFERRED_OVER,
		 result->is_error ? "It failed" : "This is its result", str_c(&result->text));
	block_text(content, sv_of(&text));
	if (result->blocks.len)
		str_addf(content, ",%s", str_c(&result->blocks));
}
