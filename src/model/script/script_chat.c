/* The OpenAI Chat Completions wire. Thinking is sent as `reasoning_content`, as local servers do.
 * Blocks of the Anthropic wire cannot be expressed. */
#include "model/script/script_openai.h"

static const char *script_chat_finish_reason(const struct render *r)
{
	if (sv_is(r->stop, "tool_use"))
		return "tool_calls";
	if (sv_is(r->stop, "max_tokens"))
		return "length";
	if (sv_is(r->stop, "refusal"))
		return "content_filter";
	return "stop";
}

static void script_chat_put_opening(struct render *r, struct jw *w, const char *object)
{
	jw_put_strf(w, "id", "chatcmpl-script-%04lld", (long long)r->number);
	jw_put_str(w, "object", sv_cstr(object));
	jw_put_int(w, "created", 0);
	jw_put_str(w, "model", render_model(r));
}

static void script_chat_put_usage(struct jw *w, const struct script_usage *u)
{
	jw_put_object(w, "usage");
	jw_put_int(w, "prompt_tokens", script_prompt_tokens(u));
	jw_put_int(w, "completion_tokens", u->output);
	jw_put_int(w, "total_tokens", script_prompt_tokens(u) + u->output);
	jw_put_object(w, "prompt_tokens_details");
	jw_put_int(w, "cached_tokens", u->cache_read);
	jw_end(w);
	if (u->thinking) {
		jw_put_object(w, "completion_tokens_details");
		jw_put_int(w, "reasoning_tokens", u->thinking);
		jw_end(w);
	}
	jw_end(w);
}

/* --- chunks -------------------------------------------------------------- */

static void script_chat_close_chunk(struct render *r, struct jw *w)
{
	jw_end(w);
	jw_done(w);
	str_adds(&r->play->bytes, "\n\n");
	render_event(r);
}

/* Writes everything up to the inside of the delta. */
static void script_chat_open_delta(struct render *r, struct jw *w)
{
	str_adds(&r->play->bytes, "data: ");
	jw_init(w, &r->play->bytes, JW_COMPACT);
	jw_object(w);
	script_chat_put_opening(r, w, "chat.completion.chunk");
	jw_put_array(w, "choices");
	jw_object(w);
	jw_put_int(w, "index", 0);
	jw_put_object(w, "delta");
}

static void script_chat_close_delta(struct render *r, struct jw *w, const char *finish)
{
	jw_end(w);
	if (finish)
		jw_put_str(w, "finish_reason", sv_cstr(finish));
	else
		jw_put_null(w, "finish_reason");
	jw_end(w);
	jw_end(w);
	script_chat_close_chunk(r, w);
}

static void script_chat_begin(struct render *r)
{
	struct jw w;

	script_chat_open_delta(r, &w);
	jw_put_str(&w, "role", SV("assistant"));
	jw_put_str(&w, "content", SV_EMPTY);
	script_chat_close_delta(r, &w, NULL);
}

/* A name starts the call. */
static void script_chat_call_delta(struct render *r, const struct script_step *start,
				   struct sv arguments)
{
	struct jw w;

	script_chat_open_delta(r, &w);
	jw_put_array(&w, "tool_calls");
	jw_object(&w);
	jw_put_uint(&w, "index", r->tools);
	if (start) {
		jw_put_strf(&w, "id", "call_script_%04lld_%zu", (long long)r->number, r->tools + 1);
		jw_put_str(&w, "type", SV("function"));
	}
	jw_put_object(&w, "function");
	if (start)
		jw_put_str(&w, "name", start->name);
	jw_put_str(&w, "arguments", arguments);
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	script_chat_close_delta(r, &w, NULL);
}

static void script_chat_text_delta(struct render *r, const char *key, struct sv piece)
{
	struct jw w;

	script_chat_open_delta(r, &w);
	jw_put_str(&w, key, piece);
	script_chat_close_delta(r, &w, NULL);
}

static void script_chat_content(struct render *r, const struct script_step *step)
{
	struct script_pieces pieces = { .step = step };
	struct sv piece;

	if (step->kind == SCRIPT_BLOCK)
		return;
	if (step->kind == SCRIPT_TOOL)
		script_chat_call_delta(r, step, SV_EMPTY);
	while (script_piece(&pieces, &piece)) {
		if (step->kind == SCRIPT_TOOL)
			script_chat_call_delta(r, NULL, piece);
		else if (step->kind == SCRIPT_THINKING)
			script_chat_text_delta(r, "reasoning_content", piece);
		else
			script_chat_text_delta(r, "content", piece);
	}
	r->tools += step->kind == SCRIPT_TOOL;
}

static void script_chat_end(struct render *r)
{
	struct jw w;

	script_chat_open_delta(r, &w);
	script_chat_close_delta(r, &w, script_chat_finish_reason(r));
	if (r->request->wants_usage) {
		str_adds(&r->play->bytes, "data: ");
		jw_init(&w, &r->play->bytes, JW_COMPACT);
		jw_object(&w);
		script_chat_put_opening(r, &w, "chat.completion.chunk");
		jw_put_raw(&w, "choices", SV("[]"));
		script_chat_put_usage(&w, &r->usage);
		script_chat_close_chunk(r, &w);
	}
	str_adds(&r->play->bytes, "data: [DONE]\n\n");
	render_event(r);
}

/* --- wholes -------------------------------------------------------------- */

/* Writes the joined text of all steps of this kind under `key`, unless it is empty. */
static void script_chat_put_text(struct render *r, struct jw *w, enum script_step_kind kind,
				 const char *key)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < r->reply->steps.n; i++)
		if (r->reply->steps.at[i].kind == kind)
			script_step_text(&text, &r->reply->steps.at[i]);
	if (text.len)
		jw_put_str(w, key, sv_of(&text));
}

static void script_chat_put_calls(struct render *r, struct jw *w)
{
	bool any = false;

	for (size_t i = 0; i < r->reply->steps.n; i++) {
		const struct script_step *step = &r->reply->steps.at[i];

		if (step->kind != SCRIPT_TOOL)
			continue;
		if (!any)
			jw_put_array(w, "tool_calls");
		any = true;
		jw_object(w);
		jw_put_strf(w, "id", "call_script_%04lld_%zu", (long long)r->number, ++r->tools);
		jw_put_str(w, "type", SV("function"));
		jw_put_object(w, "function");
		jw_put_str(w, "name", step->name);
		jw_put_str(w, "arguments", step->text);
		jw_end(w);
		jw_end(w);
	}
	if (any)
		jw_end(w);
}

static void script_chat_whole(struct render *r, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	script_chat_put_opening(r, &w, "chat.completion");
	jw_put_array(&w, "choices");
	jw_object(&w);
	jw_put_int(&w, "index", 0);
	jw_put_object(&w, "message");
	jw_put_str(&w, "role", SV("assistant"));
	script_chat_put_text(r, &w, SCRIPT_THINKING, "reasoning_content");
	script_chat_put_text(r, &w, SCRIPT_TEXT, "content");
	script_chat_put_calls(r, &w);
	jw_end(&w);
	jw_put_str(&w, "finish_reason", sv_cstr(script_chat_finish_reason(r)));
	jw_end(&w);
	jw_end(&w);
	script_chat_put_usage(&w, &r->usage);
	jw_end(&w);
	jw_done(&w);
}

void script_openai_refusal(struct str *out, int status, struct sv type, struct sv text)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "error");
	jw_put_str(&w, "message", text);
	jw_put_str(&w, "type", type);
	jw_put_null(&w, "param");
	jw_put_int(&w, "code", status);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void script_chat_error(struct render *r, const struct script_step *step)
{
	str_adds(&r->play->bytes, "data: ");
	script_openai_refusal(&r->play->bytes, 500, step->name, step->text);
	str_adds(&r->play->bytes, "\n\n");
	render_event(r);
}

const struct script_wire_type script_chat = {
	.id_header = "x-request-id",
	.begin = script_chat_begin,
	.content = script_chat_content,
	.error = script_chat_error,
	.end = script_chat_end,
	.whole = script_chat_whole,
	.refusal = script_openai_refusal,
};
