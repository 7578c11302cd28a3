/* The Anthropic Messages wire, as the service writes it. */
#include "model/script/script_wire.h"

/* --- events -------------------------------------------------------------- */

static void script_anthropic_open_event(struct render *r, struct jw *w, const char *type)
{
	str_addf(&r->play->bytes, "event: %s\ndata: ", type);
	jw_init(w, &r->play->bytes, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", sv_cstr(type));
}

static void script_anthropic_close_event(struct render *r, struct jw *w)
{
	jw_end(w);
	jw_done(w);
	str_adds(&r->play->bytes, "\n\n");
	render_event(r);
}

static void script_anthropic_put_output(struct jw *w, const struct script_usage *u, int64_t output)
{
	jw_put_int(w, "output_tokens", output);
	if (!u->thinking)
		return;
	jw_put_object(w, "output_tokens_details");
	jw_put_int(w, "thinking_tokens", min_of(u->thinking, output));
	jw_end(w);
}

static void script_anthropic_put_usage(struct jw *w, const struct script_usage *u, int64_t output)
{
	jw_put_object(w, "usage");
	jw_put_int(w, "input_tokens", u->input);
	jw_put_int(w, "cache_creation_input_tokens", u->cache_write + u->cache_write_1h);
	jw_put_int(w, "cache_read_input_tokens", u->cache_read);
	jw_put_object(w, "cache_creation");
	jw_put_int(w, "ephemeral_5m_input_tokens", u->cache_write);
	jw_put_int(w, "ephemeral_1h_input_tokens", u->cache_write_1h);
	jw_end(w);
	script_anthropic_put_output(w, u, output);
	jw_end(w);
}

/* The members of a message up to its content. */
static void script_anthropic_put_opening(struct render *r, struct jw *w)
{
	jw_put_strf(w, "id", "msg_script_%04lld", (long long)r->number);
	jw_put_str(w, "type", SV("message"));
	jw_put_str(w, "role", SV("assistant"));
	jw_put_str(w, "model", render_model(r));
	jw_put_array(w, "content");
}

static void script_anthropic_begin(struct render *r)
{
	struct jw w;

	script_anthropic_open_event(r, &w, "message_start");
	jw_put_object(&w, "message");
	script_anthropic_put_opening(r, &w);
	jw_end(&w);
	jw_put_null(&w, "stop_reason");
	jw_put_null(&w, "stop_sequence");
	script_anthropic_put_usage(&w, &r->usage, 1);
	jw_end(&w);
	script_anthropic_close_event(r, &w);
}

static void script_anthropic_put_stop(struct jw *w, const struct render *r)
{
	jw_put_str(w, "stop_reason", r->stop);
	jw_put_null(w, "stop_sequence");
	if (r->reply->stop_details.len)
		jw_put_raw(w, "stop_details", r->reply->stop_details);
}

static void script_anthropic_end(struct render *r)
{
	struct jw w;

	script_anthropic_open_event(r, &w, "message_delta");
	jw_put_object(&w, "delta");
	script_anthropic_put_stop(&w, r);
	jw_end(&w);
	jw_put_object(&w, "usage");
	script_anthropic_put_output(&w, &r->usage, r->usage.output);
	jw_end(&w);
	script_anthropic_close_event(r, &w);
	script_anthropic_open_event(r, &w, "message_stop");
	script_anthropic_close_event(r, &w);
}

/* --- blocks -------------------------------------------------------------- */

/* Writes the start of a streamed block, or a whole block. */
static void script_anthropic_put_block(struct render *r, struct jw *w,
				       const struct script_step *step, bool whole)
{
	defer(str_clear) struct str text = STR_INIT;

	if (step->kind == SCRIPT_BLOCK) {
		script_put_json(w, step->text);
		return;
	}
	if (whole)
		script_step_text(&text, step);
	jw_object(w);
	if (step->kind == SCRIPT_TOOL) {
		jw_put_str(w, "type", SV("tool_use"));
		jw_put_strf(w, "id", "toolu_script_%04lld_%zu", (long long)r->number, ++r->tools);
		jw_put_str(w, "name", step->name);
		jw_key(w, SV("input"));
		if (whole)
			script_put_json(w, step->text);
		else
			jw_raw(w, SV("{}"));
	} else if (step->kind == SCRIPT_THINKING) {
		jw_put_str(w, "type", SV("thinking"));
		jw_put_str(w, "thinking", sv_of(&text));
		jw_put_str(w, "signature", whole ? step->name : SV_EMPTY);
	} else {
		jw_put_str(w, "type", SV("text"));
		jw_put_str(w, "text", sv_of(&text));
	}
	jw_end(w);
}

static void script_anthropic_delta(struct render *r, const char *type, const char *key,
				   struct sv piece)
{
	struct jw w;

	script_anthropic_open_event(r, &w, "content_block_delta");
	jw_put_uint(&w, "index", r->blocks);
	jw_put_object(&w, "delta");
	jw_put_str(&w, "type", sv_cstr(type));
	jw_put_str(&w, key, piece);
	jw_end(&w);
	script_anthropic_close_event(r, &w);
}

static void script_anthropic_deltas(struct render *r, const struct script_step *step)
{
	struct script_pieces pieces = { .step = step };
	struct sv piece;

	if (step->kind == SCRIPT_TOOL)
		script_anthropic_delta(r, "input_json_delta", "partial_json", SV_EMPTY);
	while (step->kind != SCRIPT_BLOCK && script_piece(&pieces, &piece)) {
		if (step->kind == SCRIPT_TEXT)
			script_anthropic_delta(r, "text_delta", "text", piece);
		else if (step->kind == SCRIPT_THINKING)
			script_anthropic_delta(r, "thinking_delta", "thinking", piece);
		else
			script_anthropic_delta(r, "input_json_delta", "partial_json", piece);
	}
	if (step->kind == SCRIPT_THINKING)
		script_anthropic_delta(r, "signature_delta", "signature", step->name);
}

static void script_anthropic_content(struct render *r, const struct script_step *step)
{
	struct jw w;

	script_anthropic_open_event(r, &w, "content_block_start");
	jw_put_uint(&w, "index", r->blocks);
	jw_key(&w, SV("content_block"));
	script_anthropic_put_block(r, &w, step, false);
	script_anthropic_close_event(r, &w);
	script_anthropic_deltas(r, step);
	script_anthropic_open_event(r, &w, "content_block_stop");
	jw_put_uint(&w, "index", r->blocks);
	script_anthropic_close_event(r, &w);
	r->blocks++;
}

/* --- wholes -------------------------------------------------------------- */

static void script_anthropic_whole(struct render *r, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	script_anthropic_put_opening(r, &w);
	for (size_t i = 0; i < r->reply->steps.n; i++)
		if (r->reply->steps.at[i].kind <= SCRIPT_BLOCK)
			script_anthropic_put_block(r, &w, &r->reply->steps.at[i], true);
	jw_end(&w);
	script_anthropic_put_stop(&w, r);
	script_anthropic_put_usage(&w, &r->usage, r->usage.output);
	jw_end(&w);
	jw_done(&w);
}

static void script_anthropic_put_error(struct jw *w, struct sv type, struct sv text)
{
	jw_put_object(w, "error");
	jw_put_str(w, "type", type);
	jw_put_str(w, "message", text);
	jw_end(w);
}

static void script_anthropic_error(struct render *r, const struct script_step *step)
{
	struct jw w;

	script_anthropic_open_event(r, &w, "error");
	script_anthropic_put_error(&w, step->name, step->text);
	script_anthropic_close_event(r, &w);
}

static void script_anthropic_refusal(struct str *out, __attribute__((unused)) int status,
				     struct sv type, struct sv text)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("error"));
	script_anthropic_put_error(&w, type, text);
	jw_end(&w);
	jw_done(&w);
}

const struct script_wire_type script_anthropic = {
	.id_header = "request-id",
	.begin = script_anthropic_begin,
	.content = script_anthropic_content,
	.error = script_anthropic_error,
	.end = script_anthropic_end,
	.whole = script_anthropic_whole,
	.refusal = script_anthropic_refusal,
};
