/* Each of the three wires has its own format of a conversation, but all are lists of items that are
 * either the model's or not. Reading restarts after each item of the model, so that only the tail
 * remains in the end. */
#include "model/script/script_request.h"

#include "base/limits.h"

static void script_request_add_line(struct str *out, struct sv text)
{
	if (out->len)
		str_addc(out, '\n');
	str_add(out, text);
}

/* A text, or a list of parts of which those with a "text" count. */
static void script_request_add_content(struct str *out, struct json content)
{
	struct json_iter it = json_each(content);
	struct json part;
	struct sv text;

	if (json_str(content, &text))
		script_request_add_line(out, text);
	if (!json_is(content, JSON_ARRAY))
		return;
	while (json_next(&it, NULL, &part))
		if (json_str(json_get(part, "text"), &text))
			script_request_add_line(out, text);
}

static void script_request_new_tail(struct script_request *r)
{
	str_truncate(&r->prompt, 0);
	str_truncate(&r->results, 0);
	str_truncate(&r->errors, 0);
	r->result_of.of.n = 0;
}

/* --- tool calls ---------------------------------------------------------- */

/* The calls of the model's last items: ids and names, in turn. */
struct calls {
	VEC(struct sv) of;
};

static void script_request_add_call(struct calls *calls, struct json id, struct json name)
{
	if (calls->of.n >= 2 * LIMIT_MODEL_CALLS)
		return;
	vec_push(&calls->of, json_str_or(id, SV_EMPTY));
	vec_push(&calls->of, json_str_or(name, SV_EMPTY));
}

static void script_request_add_result(struct script_request *r, const struct calls *calls,
				      struct json id, struct json content, bool failed)
{
	struct sv wanted = json_str_or(id, SV_EMPTY);

	script_request_add_content(&r->results, content);
	if (failed)
		script_request_add_content(&r->errors, content);
	for (size_t i = 0; i + 1 < calls->of.n; i += 2)
		if (sv_eq(calls->of.at[i], wanted)) {
			vec_push(&r->result_of.of, calls->of.at[i + 1]);
			return;
		}
}

/* --- Anthropic Messages -------------------------------------------------- */

static void script_request_read_user_blocks(struct script_request *r, const struct calls *calls,
					    struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;

	script_request_add_content(&r->prompt, content);
	if (!json_is(content, JSON_ARRAY))
		return;
	while (json_next(&it, NULL, &block))
		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_result"))
			script_request_add_result(r, calls, json_get(block, "tool_use_id"),
						  json_get(block, "content"),
						  json_bool_or(json_get(block, "is_error"), false));
}

static void script_request_read_tool_uses(struct calls *calls, struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;

	if (!json_is(content, JSON_ARRAY))
		return;
	while (json_next(&it, NULL, &block))
		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_use"))
			script_request_add_call(calls, json_get(block, "id"),
						json_get(block, "name"));
}

static void script_request_read_message(struct script_request *r, struct calls *calls,
					struct json message)
{
	struct json content = json_get(message, "content");

	if (!sv_is(json_str_or(json_get(message, "role"), SV_EMPTY), "assistant")) {
		script_request_read_user_blocks(r, calls, content);
		return;
	}
	script_request_new_tail(r);
	calls->of.n = 0;
	script_request_read_tool_uses(calls, content);
}

/* --- OpenAI Chat Completions --------------------------------------------- */

static void script_request_read_chat_calls(struct calls *calls, struct json list)
{
	struct json_iter it = json_each(list);
	struct json call;

	calls->of.n = 0;
	if (!json_is(list, JSON_ARRAY))
		return;
	while (json_next(&it, NULL, &call))
		script_request_add_call(calls, json_get(call, "id"),
					json_path(call, "function.name"));
}

static void script_request_read_chat_message(struct script_request *r, struct calls *calls,
					     struct json message)
{
	struct sv role = json_str_or(json_get(message, "role"), SV_EMPTY);
	struct json content = json_get(message, "content");

	if (sv_is(role, "system") || sv_is(role, "developer")) {
		script_request_add_content(&r->system, content);
	} else if (sv_is(role, "tool")) {
		script_request_add_result(r, calls, json_get(message, "tool_call_id"), content,
					  false);
	} else if (sv_is(role, "assistant")) {
		script_request_new_tail(r);
		script_request_read_chat_calls(calls, json_get(message, "tool_calls"));
	} else {
		script_request_add_content(&r->prompt, content);
	}
}

/* --- OpenAI Responses ---------------------------------------------------- */

static void script_request_read_item(struct script_request *r, struct calls *calls,
				     struct json item)
{
	struct sv type = json_str_or(json_get(item, "type"), SV("message"));

	if (sv_is(type, "message")) {
		script_request_read_chat_message(r, calls, item);
	} else if (sv_is(type, "function_call")) {
		if (r->result_of.of.n || r->results.len || r->prompt.len) {
			script_request_new_tail(r);
			calls->of.n = 0;
		}
		script_request_add_call(calls, json_get(item, "call_id"), json_get(item, "name"));
	} else if (sv_is(type, "function_call_output")) {
		script_request_add_result(r, calls, json_get(item, "call_id"),
					  json_get(item, "output"), false);
	}
}

/* --- all of them --------------------------------------------------------- */

typedef void item_fn(struct script_request *r, struct calls *calls, struct json item);

static const struct wire_names {
	const char *items, *system, *tool_name;
	item_fn *read;
} wires[] = {
	[SCRIPT_ANTHROPIC] = { "messages", "system", "name", script_request_read_message },
	[SCRIPT_CHAT] = { "messages", NULL, "function.name", script_request_read_chat_message },
	[SCRIPT_RESPONSES] = { "input", "instructions", "name", script_request_read_item },
};

static void script_request_read_tools(struct script_request *r, struct json tools)
{
	struct json_iter it = json_each(tools);
	struct json tool;
	struct sv name;

	if (!json_is(tools, JSON_ARRAY))
		return;
	while (json_next(&it, NULL, &tool))
		if (json_str(json_path(tool, wires[r->wire].tool_name), &name))
			vec_push(&r->tools.of, name);
}

static void script_request_read_all(struct script_request *r, struct json root)
{
	const struct wire_names *names = &wires[r->wire];
	struct calls calls = { .of = VEC_INIT };
	struct json items = json_get(root, names->items), item;
	struct json_iter it = json_each(items);

	r->stream = json_bool_or(json_get(root, "stream"), false);
	r->wants_usage = json_bool_or(json_path(root, "stream_options.include_usage"), false);
	r->model = json_str_or(json_get(root, "model"), SV_EMPTY);
	if (names->system)
		script_request_add_content(&r->system, json_get(root, names->system));
	script_request_read_tools(r, json_get(root, "tools"));
	if (!json_is(items, JSON_ARRAY))
		script_request_add_content(&r->prompt,
					   items); /* the Responses API also accepts a text */
	else
		while (json_next(&it, NULL, &item))
			names->read(r, &calls, item);
	vec_clear(&calls.of);
}

bool script_request_read(struct script_request *out, enum script_wire wire,
			 const struct server_request *http, struct err *err)
{
	struct script_request r = { .http = http, .wire = wire };
	const char *items = wires[wire].items;

	r.doc = json_parse(http->body, 0, err);
	if (!r.doc)
		return err_context(err, "the body is not valid JSON");
	if (!json_exists(json_get(json_root(r.doc), items))) {
		json_doc_free(r.doc);
		return err_set(err, ERR_INVALID, "the body has no \"%s\"", items);
	}
	script_request_read_all(&r, json_root(r.doc));
	*out = r;
	return true;
}

void script_request_clear(struct script_request *r)
{
	json_doc_free(r->doc);
	str_clear(&r->system);
	str_clear(&r->prompt);
	str_clear(&r->results);
	str_clear(&r->errors);
	vec_clear(&r->tools.of);
	vec_clear(&r->result_of.of);
}
