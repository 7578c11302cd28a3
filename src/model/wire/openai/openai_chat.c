/* Chat Completions: the format of most other servers, hosted or local. It has no cache marks and no
 * way to count tokens. */
#include "model/wire/openai/openai_chat.h"

static void openai_chat_put_settings(struct openai_body *b, const struct openai_plan *plan,
				     const struct model_request *request, bool is_openai)
{
	bool new_name = plan->reasons != request->other_limit;

	if (openai_body_key(b, new_name ? "max_completion_tokens" : "max_tokens"))
		jw_int(&b->w, plan->max_tokens);
	if (request->stops.len && openai_body_key(b, "stop"))
		jw_raw(&b->w, request->stops);
	if (is_openai) /* other servers may refuse a member that they do not know */
		openai_put_cache_key(b, request);
	if (plan->effort && openai_body_key(b, "reasoning_effort"))
		jw_str(&b->w, sv_cstr(plan->effort));
	if (request->whole)
		return;
	if (openai_body_key(b, "stream"))
		jw_bool(&b->w, true);
	if (openai_body_key(b, "stream_options")) {
		jw_object(&b->w);
		jw_put_bool(&b->w, "include_usage", true);
		jw_end(&b->w);
	}
}

static bool openai_chat_put_body(struct wire *out, const struct openai_plan *plan,
				 const struct model_config *config,
				 const struct model_request *request, struct openai_notes *notes,
				 struct err *err)
{
	defer(openai_body_clear) struct openai_body b = { .json = STR_INIT };
	bool can_images = model_may(&plan->info, MODEL_SEES);

	if (!openai_body_init(&b, config, request, err) ||
	    !openai_tools(&b, config, request, true, notes, err))
		return false;
	if (openai_body_key(&b, "messages") &&
	    !openai_chat_messages(&b.w, &out->arena, request, can_images, notes, err))
		return false;
	openai_chat_put_settings(&b, plan, request, openai_is_first_party(config));
	return openai_body_end(&b, out, err);
}

static bool openai_chat_encode(struct wire *out, const struct model_config *config,
			       const struct model_table *table, const struct model_request *request,
			       wire_event_fn *note, void *arg, struct err *err)
{
	defer(openai_notes_clear) struct openai_notes notes = { .note = note,
								.arg = arg,
								.arena = &out->arena };
	struct openai_plan plan = openai_plan(config, table, request, &notes);

	return openai_head(out, config, "/chat/completions", err) &&
	       openai_chat_put_body(out, &plan, config, request, &notes, err);
}

const struct provider provider_openai_chat = {
	.name = "openai-chat",
	.encode = openai_chat_encode,
	.sign = openai_sign,
	.framing = WIRE_SSE,
	.decoder = openai_chat_decoder,
	.classify = openai_classify,
	.encode_count = NULL, /* some servers can, each in its own way */
	.encode_listing = openai_listing,
};
