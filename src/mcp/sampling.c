#include "mcp/sampling.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "text/json/json_write.h"

void mcp_sample_clear(struct mcp_sample *sample)
{
	vec_clear(&sample->messages);
	vec_clear(&sample->tools);
	vec_clear(&sample->hints);
	arena_clear(&sample->arena);
}

static struct sv mcp_sample_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* --- what the server sends ------------------------------------------------------------- */

static bool mcp_sample_put_block(struct jw *w, struct json block, struct str *prompt,
				 struct err *err);

/* Content is one block or a list of them. */
static bool mcp_sample_put_blocks(struct jw *w, struct json content, struct str *prompt,
				  struct err *err)
{
	struct json_iter it = json_each(content);
	struct json block;

	if (!json_is(content, JSON_ARRAY))
		return mcp_sample_put_block(w, content, prompt, err);
	while (json_next(&it, NULL, &block))
		if (!mcp_sample_put_block(w, block, prompt, err))
			return false;
	return true;
}

static void mcp_sample_put_image(struct jw *w, struct json block)
{
	jw_put_object(w, "source");
	jw_put_str(w, "type", SV("base64"));
	jw_put_str(w, "media_type", mcp_sample_text(block, "mimeType"));
	jw_put_str(w, "data", mcp_sample_text(block, "data"));
	jw_end(w);
}

static bool mcp_sample_put_result(struct jw *w, struct json block, struct str *prompt,
				  struct err *err)
{
	jw_put_str(w, "tool_use_id", mcp_sample_text(block, "toolUseId"));
	jw_put_bool(w, "is_error", json_bool_or(json_get(block, "isError"), false));
	jw_put_array(w, "content");
	if (!mcp_sample_put_blocks(w, json_get(block, "content"), prompt, err))
		return false;
	jw_end(w);
	return true;
}

static bool mcp_sample_put_block(struct jw *w, struct json block, struct str *prompt,
				 struct err *err)
{
	struct sv type = mcp_sample_text(block, "type");
	bool is_text = sv_is(type, "text"), is_image = sv_is(type, "image");
	bool is_call = sv_is(type, "tool_use"), is_result = sv_is(type, "tool_result");

	if (!is_text && !is_image && !is_call && !is_result)
		return err_set(err, ERR_UNSUPPORTED, "awl cannot send content of type '%.*s'",
			       SV_ARG(sv_slice(type, 0, 40)));
	jw_object(w);
	jw_put_str(w, "type", type);
	if (is_text) {
		jw_put_str(w, "text", mcp_sample_text(block, "text"));
		str_addf(prompt, "%s%.*s", prompt->len ? "\n" : "",
			 SV_ARG(mcp_sample_text(block, "text")));
	} else if (is_image) {
		mcp_sample_put_image(w, block);
	} else if (is_call) {
		jw_put_str(w, "id", mcp_sample_text(block, "id"));
		jw_put_str(w, "name", mcp_sample_text(block, "name"));
		jw_put_value(w, "input", json_get(block, "input"));
	} else if (!mcp_sample_put_result(w, block, prompt, err)) {
		return false;
	}
	jw_end(w);
	return true;
}

static bool mcp_sample_add_message(struct mcp_sample *out, struct json message, struct str *prompt,
				   struct err *err)
{
	struct sv role = mcp_sample_text(message, "role");
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (!sv_is(role, "user") && !sv_is(role, "assistant"))
		return err_set(err, ERR_INVALID, "a message has the role '%.*s'",
			       SV_ARG(sv_slice(role, 0, 40)));
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", role);
	jw_put_array(&w, "content");
	if (!mcp_sample_put_blocks(&w, json_get(message, "content"), prompt, err))
		return false;
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	vec_push(&out->messages, arena_dup(&out->arena, sv_of(&json)));
	return true;
}

static void mcp_sample_add_tool(struct mcp_sample *out, struct json tool)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", mcp_sample_text(tool, "name"));
	jw_put_str(&w, "description", mcp_sample_text(tool, "description"));
	if (json_is(json_get(tool, "inputSchema"), JSON_OBJECT))
		jw_put_value(&w, "input_schema", json_get(tool, "inputSchema"));
	else
		jw_put_raw(&w, "input_schema", SV("{\"type\":\"object\"}"));
	jw_end(&w);
	jw_done(&w);
	vec_push(&out->tools, arena_dup(&out->arena, sv_of(&json)));
}

static struct sv mcp_sample_choice(struct json params)
{
	struct sv mode = json_str_or(json_path(params, "toolChoice.mode"), SV_EMPTY);

	return sv_is(mode, "required") ? SV("{\"type\":\"any\"}")
	       : sv_is(mode, "none")   ? SV("{\"type\":\"none\"}")
				       : SV_EMPTY;
}

/* Services refuse a text without anything in it, and more than four texts. */
static void mcp_sample_read_stops(struct mcp_sample *out, struct json list)
{
	enum { STOPS_MOST = 4, STOP_BYTES = 200 };
	defer(str_clear) struct str json = STR_INIT;
	struct json_iter it = json_each(list);
	struct json item;
	struct jw w;
	size_t n = 0;

	jw_init(&w, &json, JW_COMPACT);
	jw_array(&w);
	while (!it.keyed && n < STOPS_MOST && json_next(&it, NULL, &item)) {
		struct sv text = json_str_or(item, SV_EMPTY);

		if (!sv_trim(text).len || text.len > STOP_BYTES)
			continue;
		jw_str(&w, text);
		n++;
	}
	jw_end(&w);
	jw_done(&w);
	if (n)
		out->stops = arena_dup(&out->arena, sv_of(&json));
}

static void mcp_sample_read_preferences(struct mcp_sample *out, struct json preferences)
{
	enum { HINTS_MOST = 10 };
	struct json_iter it = json_each(json_get(preferences, "hints"));
	double smart = json_real_or(json_get(preferences, "intelligencePriority"), 0);
	struct json hint;

	while (!it.keyed && out->hints.n < HINTS_MOST && json_next(&it, NULL, &hint)) {
		struct sv name = mcp_sample_text(hint, "name");

		if (name.len)
			vec_push(&out->hints, arena_dup(&out->arena, name));
	}
	out->wants_small = json_real_or(json_get(preferences, "speedPriority"), 0) > smart ||
			   json_real_or(json_get(preferences, "costPriority"), 0) > smart;
}

/* Whether the name of a model has each word of the hint: "claude-3-haiku" is fine for any haiku of claude, because
 * numbers, which age, do not count. */
static bool mcp_sample_fits(struct sv model, struct sv hint)
{
	struct sv word;
	bool has_words = false;

	while (sv_cut(&hint, '-', &word)) {
		if (!word.len || ascii_is_digit(word.ptr[0]))
			continue;
		has_words = true;
		if (sv_find_nocase(model, word) == SIZE_MAX)
			return false;
	}
	return has_words;
}

struct sv mcp_sample_choose(const struct mcp_sample *sample, struct sv model, struct sv small)
{
	for (size_t i = 0; i < sample->hints.n; i++) {
		if (mcp_sample_fits(model, sample->hints.at[i]))
			return model;
		if (mcp_sample_fits(small, sample->hints.at[i]))
			return small;
	}
	return sample->wants_small ? small : model;
}

bool mcp_sample_read(struct mcp_sample *out, struct json params, struct err *err)
{
	defer(str_clear) struct str prompt = STR_INIT;
	struct json_iter messages = json_each(json_get(params, "messages"));
	struct json_iter tools = json_each(json_get(params, "tools"));
	int64_t wanted = json_int_or(json_get(params, "maxTokens"), LIMIT_MCP_SAMPLE_TOKENS);
	struct json item;

	while (!messages.keyed && json_next(&messages, NULL, &item))
		if (!mcp_sample_add_message(out, item, &prompt, err))
			return false;
	while (!tools.keyed && json_next(&tools, NULL, &item))
		mcp_sample_add_tool(out, item);
	if (!out->messages.n)
		return err_set(err, ERR_INVALID, "the server sent no messages");
	out->system = arena_dup(&out->arena, mcp_sample_text(params, "systemPrompt"));
	out->prompt = arena_dup(&out->arena, sv_of(&prompt));
	mcp_sample_read_stops(out, json_get(params, "stopSequences"));
	mcp_sample_read_preferences(out, json_get(params, "modelPreferences"));
	out->tool_choice = out->tools.n ? mcp_sample_choice(params) : SV_EMPTY;
	out->max_tokens = wanted < 1 ? 1 : min_of(wanted, (int64_t)LIMIT_MCP_SAMPLE_TOKENS);
	return true;
}

/* --- what it gets ------------------------------------------------------------------------ */

/* Thoughts and everything else that only the model's service understands stays here. */
static bool mcp_sample_is_content(struct json block)
{
	struct sv type = mcp_sample_text(block, "type");

	return sv_is(type, "text") || sv_is(type, "tool_use");
}

static void mcp_sample_put_answer(struct jw *w, struct json block)
{
	struct sv type = mcp_sample_text(block, "type");

	jw_object(w);
	jw_put_str(w, "type", type);
	if (sv_is(type, "text")) {
		jw_put_str(w, "text", mcp_sample_text(block, "text"));
	} else {
		jw_put_str(w, "id", mcp_sample_text(block, "id"));
		jw_put_str(w, "name", mcp_sample_text(block, "name"));
		jw_put_value(w, "input", json_get(block, "input"));
	}
	jw_end(w);
}

static void mcp_sample_put_content(struct jw *w, struct json blocks)
{
	struct json_iter count = json_each(blocks), it = count;
	struct json block;
	size_t n = 0;

	while (json_next(&count, NULL, &block))
		n += mcp_sample_is_content(block);
	jw_key(w, SV("content"));
	if (n != 1)
		jw_array(w);
	while (json_next(&it, NULL, &block))
		if (mcp_sample_is_content(block))
			mcp_sample_put_answer(w, block);
	if (n != 1)
		jw_end(w);
}

void mcp_sample_write(struct str *out, struct json blocks, struct sv model, struct sv stop)
{
	static const struct {
		const char *theirs, *ours;
	} stops[] = { { "end_turn", "endTurn" },
		      { "stop_sequence", "stopSequence" },
		      { "max_tokens", "maxTokens" },
		      { "tool_use", "toolUse" } };
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", SV("assistant"));
	mcp_sample_put_content(&w, blocks);
	jw_put_str(&w, "model", model);
	for (size_t i = 0; i < countof(stops); i++)
		if (sv_is(stop, stops[i].theirs))
			jw_put_str(&w, "stopReason", sv_cstr(stops[i].ours));
	jw_end(&w);
	jw_done(&w);
}
