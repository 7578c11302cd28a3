/* The OpenAI Responses wire: a list of output items, each with events for its start, its growth and the
 * complete item. Blocks of the Anthropic wire cannot be expressed. */
#include "model/script/script_openai.h"

static void script_responses_open_event(struct render *r, struct jw *w, const char *type)
{
	str_addf(&r->play->bytes, "event: %s\ndata: ", type);
	jw_init(w, &r->play->bytes, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", sv_cstr(type));
	jw_put_int(w, "sequence_number", r->events++);
}

static void script_responses_close_event(struct render *r, struct jw *w)
{
	jw_end(w);
	jw_done(w);
	str_adds(&r->play->bytes, "\n\n");
	render_event(r);
}

/* --- items --------------------------------------------------------------- */

static const char *script_responses_id_prefix(const struct script_step *step)
{
	if (step->kind == SCRIPT_TOOL)
		return "fc";
	return step->kind == SCRIPT_THINKING ? "rs" : "msg";
}

static void script_responses_put_item_id(struct render *r, struct jw *w, const char *key,
					 const struct script_step *step)
{
	jw_put_strf(w, key, "%s_script_%04lld_%zu", script_responses_id_prefix(step),
		    (long long)r->number, r->blocks + 1);
}

static void script_responses_put_part(struct jw *w, const struct script_step *step, struct sv text)
{
	jw_object(w);
	if (step->kind == SCRIPT_THINKING) {
		jw_put_str(w, "type", SV("summary_text"));
		jw_put_str(w, "text", text);
	} else {
		jw_put_str(w, "type", SV("output_text"));
		jw_put_str(w, "text", text);
		jw_put_raw(w, "annotations", SV("[]"));
	}
	jw_end(w);
}

static void script_responses_put_call(struct render *r, struct jw *w,
				      const struct script_step *step, struct sv text)
{
	jw_put_str(w, "type", SV("function_call"));
	jw_put_strf(w, "call_id", "call_script_%04lld_%zu", (long long)r->number, r->tools + 1);
	jw_put_str(w, "name", step->name);
	jw_put_str(w, "arguments", text);
}

/* Writes item number `r->blocks` with the text that was sent for it so far. */
static void script_responses_put_item(struct render *r, struct jw *w,
				      const struct script_step *step, struct sv text, bool done)
{
	bool thinks = step->kind == SCRIPT_THINKING;

	jw_object(w);
	script_responses_put_item_id(r, w, "id", step);
	if (step->kind == SCRIPT_TOOL) {
		script_responses_put_call(r, w, step, text);
	} else {
		jw_put_str(w, "type", thinks ? SV("reasoning") : SV("message"));
		if (!thinks)
			jw_put_str(w, "role", SV("assistant"));
		jw_put_array(w, thinks ? "summary" : "content");
		if (done)
			script_responses_put_part(w, step, text);
		jw_end(w);
	}
	if (!thinks)
		jw_put_str(w, "status", done ? SV("completed") : SV("in_progress"));
	jw_end(w);
}

static void script_responses_item_event(struct render *r, const char *type,
					const struct script_step *step, struct sv text, bool done)
{
	struct jw w;

	script_responses_open_event(r, &w, type);
	jw_put_uint(&w, "output_index", r->blocks);
	jw_key(&w, SV("item"));
	script_responses_put_item(r, &w, step, text, done);
	script_responses_close_event(r, &w);
}

/* The events inside an item, which differ only in their names. */
struct names {
	const char *part_added, *delta, *done, *part_done;
	const char *part_index, *text; /* members */
};

static const struct names *names_of(const struct script_step *step)
{
	static const struct names text = {
		"response.content_part.added",
		"response.output_text.delta",
		"response.output_text.done",
		"response.content_part.done",
		"content_index",
		"text",
	};
	static const struct names thinking = {
		"response.reasoning_summary_part.added",
		"response.reasoning_summary_text.delta",
		"response.reasoning_summary_text.done",
		"response.reasoning_summary_part.done",
		"summary_index",
		"text",
	};
	static const struct names call = {
		NULL,
		"response.function_call_arguments.delta",
		"response.function_call_arguments.done",
		NULL,
		NULL,
		"arguments",
	};

	if (step->kind == SCRIPT_TOOL)
		return &call;
	return step->kind == SCRIPT_THINKING ? &thinking : &text;
}

static void script_responses_open_inner(struct render *r, struct jw *w,
					const struct script_step *step, const char *type)
{
	const struct names *names = names_of(step);

	script_responses_open_event(r, w, type);
	script_responses_put_item_id(r, w, "item_id", step);
	jw_put_uint(w, "output_index", r->blocks);
	if (names->part_index)
		jw_put_int(w, names->part_index, 0);
}

static void script_responses_part_event(struct render *r, const struct script_step *step,
					const char *type, struct sv text)
{
	struct jw w;

	if (!type)
		return;
	script_responses_open_inner(r, &w, step, type);
	jw_key(&w, SV("part"));
	script_responses_put_part(&w, step, text);
	script_responses_close_event(r, &w);
}

static void script_responses_text_event(struct render *r, const struct script_step *step,
					const char *type, const char *key, struct sv text)
{
	struct jw w;

	script_responses_open_inner(r, &w, step, type);
	jw_put_str(&w, key, text);
	script_responses_close_event(r, &w);
}

static void script_responses_content(struct render *r, const struct script_step *step)
{
	defer(str_clear) struct str text = STR_INIT;
	const struct names *names = names_of(step);
	struct script_pieces pieces = { .step = step };
	struct sv piece;

	if (step->kind == SCRIPT_BLOCK)
		return;
	script_step_text(&text, step);
	script_responses_item_event(r, "response.output_item.added", step, SV_EMPTY, false);
	script_responses_part_event(r, step, names->part_added, SV_EMPTY);
	while (script_piece(&pieces, &piece))
		script_responses_text_event(r, step, names->delta, "delta", piece);
	script_responses_text_event(r, step, names->done, names->text, sv_of(&text));
	script_responses_part_event(r, step, names->part_done, sv_of(&text));
	script_responses_item_event(r, "response.output_item.done", step, sv_of(&text), true);
	r->blocks++;
	r->tools += step->kind == SCRIPT_TOOL;
}

/* --- the response -------------------------------------------------------- */

static void script_responses_put_usage(struct jw *w, const struct script_usage *u)
{
	jw_put_object(w, "usage");
	jw_put_int(w, "input_tokens", script_prompt_tokens(u));
	jw_put_object(w, "input_tokens_details");
	jw_put_int(w, "cached_tokens", u->cache_read);
	jw_end(w);
	jw_put_int(w, "output_tokens", u->output);
	jw_put_object(w, "output_tokens_details");
	jw_put_int(w, "reasoning_tokens", u->thinking);
	jw_end(w);
	jw_put_int(w, "total_tokens", script_prompt_tokens(u) + u->output);
	jw_end(w);
}

static void script_responses_put_output(struct render *r, struct jw *w)
{
	jw_put_array(w, "output");
	r->blocks = r->tools = 0;
	for (size_t i = 0; i < r->reply->steps.n; i++) {
		const struct script_step *step = &r->reply->steps.at[i];
		defer(str_clear) struct str text = STR_INIT;

		if (step->kind >= SCRIPT_BLOCK)
			continue;
		script_step_text(&text, step);
		script_responses_put_item(r, w, step, sv_of(&text), true);
		r->blocks++;
		r->tools += step->kind == SCRIPT_TOOL;
	}
	jw_end(w);
}

/* Returns why the response is incomplete, or NULL. */
static const char *script_responses_incomplete(const struct render *r)
{
	if (sv_is(r->stop, "max_tokens"))
		return "max_output_tokens";
	return sv_is(r->stop, "refusal") ? "content_filter" : NULL;
}

static void script_responses_put_response(struct render *r, struct jw *w, bool done)
{
	const char *why = script_responses_incomplete(r);

	jw_object(w);
	jw_put_strf(w, "id", "resp_script_%04lld", (long long)r->number);
	jw_put_str(w, "object", SV("response"));
	jw_put_int(w, "created_at", 0);
	jw_put_str(w, "model", render_model(r));
	if (!done) {
		jw_put_str(w, "status", SV("in_progress"));
		jw_put_raw(w, "output", SV("[]"));
	} else {
		jw_put_str(w, "status", why ? SV("incomplete") : SV("completed"));
		if (why) {
			jw_put_object(w, "incomplete_details");
			jw_put_str(w, "reason", sv_cstr(why));
			jw_end(w);
		}
		script_responses_put_output(r, w);
		script_responses_put_usage(w, &r->usage);
	}
	jw_end(w);
}

static void script_responses_response_event(struct render *r, const char *type, bool done)
{
	struct jw w;

	script_responses_open_event(r, &w, type);
	jw_key(&w, SV("response"));
	script_responses_put_response(r, &w, done);
	script_responses_close_event(r, &w);
}

static void script_responses_begin(struct render *r)
{
	script_responses_response_event(r, "response.created", false);
	script_responses_response_event(r, "response.in_progress", false);
}

static void script_responses_end(struct render *r)
{
	script_responses_response_event(
		r, script_responses_incomplete(r) ? "response.incomplete" : "response.completed",
		true);
}

static void script_responses_whole(struct render *r, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	script_responses_put_response(r, &w, true);
	jw_done(&w);
}

static void script_responses_error(struct render *r, const struct script_step *step)
{
	struct jw w;

	script_responses_open_event(r, &w, "error");
	jw_put_str(&w, "code", step->name);
	jw_put_str(&w, "message", step->text);
	jw_put_null(&w, "param");
	script_responses_close_event(r, &w);
}

const struct script_wire_type script_responses = {
	.id_header = "x-request-id",
	.begin = script_responses_begin,
	.content = script_responses_content,
	.error = script_responses_error,
	.end = script_responses_end,
	.whole = script_responses_whole,
	.refusal = script_openai_refusal,
};
