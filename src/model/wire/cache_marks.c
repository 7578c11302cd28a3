#include "model/wire/cache_marks.h"

#include "text/json/json_span.h"

enum { MOST_MARKS = 4, LOOK_BACK = 16 };

static const struct sv controls[][2] = {
	[MODEL_CACHE_5M] = { SV_INIT(",\"cache_control\":{\"type\":\"ephemeral\"}"),
			     SV_INIT(",\"cache_control\":{\"type\":\"ephemeral\"}}]") },
	[MODEL_CACHE_1H] = { SV_INIT(",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}"),
			     SV_INIT(",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}}"
				     "]") },
	[MODEL_CACHE_OFF] = { SV_INIT(""), SV_INIT("") },
};

/* How many members "cache_control" a JSON text has. The quotes around the word
 * cannot be part of a longer string, where they would be escaped. */
static size_t cache_marks_count(struct sv json)
{
	struct sv word = SV("\"cache_control\"");
	size_t n = 0, at;

	while ((at = sv_find(json, word)) != SIZE_MAX) {
		json = sv_skip(json, at + word.len);
		n += sv_starts(sv_trim(sv_slice(json, 0, 16)), SV(":"));
	}
	return n;
}

static size_t cache_marks_count_all(const struct model_request *request)
{
	size_t n = 0;

	for (size_t i = 0; i < request->ntools; i++)
		n += cache_marks_count(request->tools[i]);
	for (size_t i = 0; i < request->nmessages; i++)
		n += cache_marks_count(request->messages[i]);
	return n;
}

/* Marks an object just before its closing brace. */
static void cache_marks_mark_object(struct cache_mark *out, struct json_span object,
				    enum model_cache cache)
{
	out->wanted = true;
	out->open = out->close = object.to - 1;
	out->after = controls[cache][0];
}

/* Content that is a string becomes a text block. */
static void cache_marks_mark_string(struct cache_mark *out, struct json_span text,
				    enum model_cache cache)
{
	if (text.to - text.from <= 2)
		return; /* the service refuses to cache nothing */
	out->wanted = true;
	out->open = text.from;
	out->close = text.to;
	out->before = SV("[{\"type\":\"text\",\"text\":");
	out->after = controls[cache][1];
}

/* Whether the service lets this block carry a mark. */
static bool cache_marks_may_carry(struct sv json)
{
	static const char *const types[] = { "\"image\"", "\"document\"", "\"tool_result\"",
					     "\"tool_use\"", "\"search_result\"" };
	struct json_span span;
	struct err why;
	struct sv type, text;

	if (!sv_starts(json, SV("{")) || !json_span_find(json, JSON_STEPS(SV("type")), &span, &why))
		return false;
	type = json_span_sv(json, span);
	if (sv_is(type, "\"text\"")) {
		text = json_span_find(json, JSON_STEPS(SV("text")), &span, &why)
			       ? json_span_sv(json, span)
			       : SV_EMPTY;
		return text.len > 2;
	}
	for (size_t i = 0; i < countof(types); i++)
		if (sv_is(type, types[i]))
			return true;
	return false;
}

/* Marks the last block of the message that may carry it. One that has a mark of
 * its own already is marked well enough. */
static bool cache_marks_mark_message(struct cache_mark *out, struct sv message,
				     enum model_cache cache, struct err *err)
{
	struct json_span content, last = { 0, 0 };
	struct json_span_iter it;
	struct json_item item;

	if (!json_span_find(message, JSON_STEPS(SV("content")), &content, err))
		return false;
	if (message.ptr[content.from] == '"') {
		cache_marks_mark_string(out, content, cache);
		return true;
	}
	if (!json_span_each(&it, message, content, err))
		return false;
	while (json_span_next(&it, &item, err) && !it.done)
		if (cache_marks_may_carry(json_span_sv(message, item.value)))
			last = item.value;
	if (!it.done)
		return false;
	if (last.to && cache_marks_count(json_span_sv(message, last)) == 0)
		cache_marks_mark_object(out, last, cache);
	return true;
}

static bool has_role(struct sv message, const char *role)
{
	struct json_span span;
	struct err why;

	return json_span_find(message, JSON_STEPS(SV("role")), &span, &why) &&
	       sv_is(json_span_sv(message, span), role);
}

/* Returns the message that was the tail one request ago: the last user message before the last
 * response. The service looks back only twenty blocks from a mark, so after many parallel calls it
 * would not find that place by itself. */
static size_t cache_marks_find_old_tail(const struct model_request *request)
{
	bool answered = false;

	for (size_t back = 2; back <= min_of(request->nmessages, (size_t)LOOK_BACK); back++) {
		size_t i = request->nmessages - back;

		if (answered && has_role(request->messages[i], "\"user\""))
			return i;
		answered |= has_role(request->messages[i], "\"assistant\"");
	}
	return SIZE_MAX;
}

static bool cache_marks_mark_tool(struct cache_marks *out, const struct model_request *request,
				  struct err *err)
{
	size_t i = request->nbuiltin - 1;
	struct json_span span;

	if (!json_span_root(request->tools[i], &span, err))
		return err_context(err, "tool %zu", i);
	if (cache_marks_count(request->tools[i]))
		return true;
	out->tool = i;
	cache_marks_mark_object(&out->tool_mark, span, request->cache);
	return true;
}

static bool cache_marks_mark_tail(struct cache_mark *out, const struct model_request *request,
				  size_t i, struct err *err)
{
	return cache_marks_mark_message(out, request->messages[i], request->cache, err) ||
	       err_context(err, "message %zu", i);
}

/* In the order of their worth: the moving tail pays in every turn, the end of the
 * system when a conversation begins, the tools when the system changed. */
bool cache_marks_plan(struct cache_marks *out, const struct model_request *request,
		      bool model_caches, struct err *err)
{
	size_t taken = cache_marks_count_all(request),
	       left = MOST_MARKS - min_of(taken, (size_t)MOST_MARKS);

	BUG_ON(request->nbuiltin > request->ntools);
	*out = (struct cache_marks){ .tool = SIZE_MAX, .tail = SIZE_MAX, .old_tail = SIZE_MAX };
	if (request->cache == MODEL_CACHE_OFF || !model_caches)
		return true;
	if (left > 0 && request->nmessages) {
		out->tail = request->nmessages - 1;
		if (!cache_marks_mark_tail(&out->tail_mark, request, out->tail, err))
			return false;
		left -= out->tail_mark.wanted;
	}
	if (left > 0 && request->nsystem) {
		out->system = controls[request->cache][0];
		left--;
	}
	if (left > 0 && request->nbuiltin) {
		if (!cache_marks_mark_tool(out, request, err))
			return false;
		left -= out->tool_mark.wanted;
	}
	out->old_tail = left > 0 ? cache_marks_find_old_tail(request) : SIZE_MAX;
	return out->old_tail == SIZE_MAX ||
	       cache_marks_mark_tail(&out->old_tail_mark, request, out->old_tail, err);
}

void cache_marks_write(struct wire *out, struct sv json, const struct cache_mark *mark)
{
	if (!mark->wanted) {
		wire_body(out, json);
		return;
	}
	wire_body(out, sv_slice(json, 0, mark->open));
	wire_body(out, mark->before);
	wire_body(out, sv_slice(json, mark->open, mark->close));
	wire_body(out, mark->after);
	wire_body(out, sv_skip(json, mark->close));
}
