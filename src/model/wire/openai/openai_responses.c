/* The Responses API without its memory: the server stores nothing, so the encrypted reasoning of
 * earlier turns travels with the messages. */
#include "model/wire/openai/openai_responses.h"

/* Only reasoning models accept these. A summary is requested only if the user wants to see
 * thinking, because some accounts may not have one. */
static void responses_put_reasoning(struct openai_body *b, const struct openai_plan *plan,
				    const struct model_request *request)
{
	bool summary = plan->reasons && request->thinking != MODEL_THINK_OFF;

	if ((plan->effort || summary) && openai_body_key(b, "reasoning")) {
		jw_object(&b->w);
		if (plan->effort)
			jw_put_str(&b->w, "effort", sv_cstr(plan->effort));
		if (summary)
			jw_put_str(&b->w, "summary", SV("auto"));
		jw_end(&b->w);
	}
	if (plan->reasons && openai_body_key(b, "include")) {
		jw_array(&b->w);
		jw_str(&b->w, SV("reasoning.encrypted_content"));
		jw_end(&b->w);
	}
}

static void responses_put_settings(struct openai_body *b, const struct openai_plan *plan,
				   const struct model_request *request)
{
	if (openai_body_key(b, "max_output_tokens"))
		jw_int(&b->w, plan->max_tokens);
	responses_put_reasoning(b, plan, request);
	openai_put_cache_key(b, request);
	if (openai_body_key(b, "store"))
		jw_bool(&b->w, false);
	if (!request->whole && openai_body_key(b, "stream"))
		jw_bool(&b->w, true);
}

static bool responses_put_body(struct wire *out, const struct openai_plan *plan,
			       const struct model_config *config,
			       const struct model_request *request, struct openai_notes *notes,
			       struct err *err)
{
	defer(openai_body_clear) struct openai_body b = { .json = STR_INIT };
	bool can_images = model_may(&plan->info, MODEL_SEES);
	struct sv system = openai_system(&out->arena, request);

	if (!openai_body_init(&b, config, request, err))
		return false;
	if (system.len && openai_body_key(&b, "instructions"))
		jw_str(&b.w, system);
	if (!openai_tools(&b, config, request, false, notes, err))
		return false;
	if (request->stops.len)
		openai_note(notes, "this provider does not support stop sequences");
	if (openai_body_key(&b, "input") &&
	    !openai_responses_input(&b.w, &out->arena, request, can_images, notes, err))
		return false;
	responses_put_settings(&b, plan, request);
	return openai_body_end(&b, out, err);
}

static bool responses_encode(struct wire *out, const struct model_config *config,
			     const struct model_table *table, const struct model_request *request,
			     wire_event_fn *note, void *arg, struct err *err)
{
	defer(openai_notes_clear) struct openai_notes notes = { .note = note,
								.arg = arg,
								.arena = &out->arena };
	struct openai_plan plan = openai_plan(config, table, request, &notes);

	return openai_head(out, config, "/responses", err) &&
	       responses_put_body(out, &plan, config, request, &notes, err);
}

const struct provider provider_openai_responses = {
	.name = "openai-responses",
	.encode = responses_encode,
	.sign = openai_sign,
	.framing = WIRE_SSE,
	.decoder = openai_responses_decoder,
	.classify = openai_classify,
	.encode_count = NULL,
	.encode_listing = openai_listing,
};
