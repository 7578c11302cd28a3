/* Writes the body of a Messages request. The parts that stay the same from turn to turn come first
 * (tools, system prompt, messages so far), then those that may differ, so that two consecutive
 * requests share as long a prefix as possible. */
#include "model/catalogue/effort.h"
#include "model/wire/cache_marks.h"
#include "model/wire/wire.h"
#include "text/json/json_span.h"

enum { LEAST_BUDGET = 1024 };

/* What is requested, given the abilities of the model. */
struct plan {
	struct model_info info;
	int64_t max_tokens;
	enum model_thinking thinking;
	int64_t budget;
	const char *display; /* NULL: not sent; likewise */
	const char *effort;
};

static bool anthropic_encode_can(const struct plan *plan, enum model_ability ability)
{
	return model_may(&plan->info, ability);
}

static int64_t plan_output(const struct model_config *config, const struct model_info *info,
			   const struct model_request *request)
{
	int64_t wanted = request->max_tokens;

	if (wanted <= 0)
		wanted = config->max_output > 0 ? config->max_output : info->default_output;
	return info->known ? min_of(wanted, info->max_output) : wanted;
}

/* Whether the model is forced to call a tool; then the API does not allow thinking. */
static bool is_forced(const struct model_request *request)
{
	struct json_span span;
	struct err why;
	struct sv type;

	if (request->tool_choice.len == 0 ||
	    !json_span_find(request->tool_choice, JSON_STEPS(SV("type")), &span, &why))
		return false;
	type = json_span_sv(request->tool_choice, span);
	return sv_is(type, "\"any\"") || sv_is(type, "\"tool\"");
}

/* Returns the wanted kind of thinking, or else the one that the model supports. */
static enum model_thinking anthropic_encode_fit_thinking(const struct plan *plan,
							 enum model_thinking wanted)
{
	bool adaptive = anthropic_encode_can(plan, MODEL_THINKS_ADAPTIVE),
	     budget = anthropic_encode_can(plan, MODEL_THINKS);

	if (wanted == MODEL_THINK_OFF || (!adaptive && !budget))
		return MODEL_THINK_OFF;
	if (wanted == MODEL_THINK_ADAPTIVE)
		return adaptive ? MODEL_THINK_ADAPTIVE : MODEL_THINK_BUDGET;
	return budget ? MODEL_THINK_BUDGET : MODEL_THINK_ADAPTIVE;
}

static void plan_thinking(struct plan *plan, const struct model_config *config,
			  const struct model_request *request)
{
	int64_t most = plan->max_tokens - 1;

	if (is_forced(request))
		return;
	plan->thinking = anthropic_encode_fit_thinking(plan, request->thinking);
	if (plan->thinking != MODEL_THINK_BUDGET)
		return;
	if (config->max_thinking > 0)
		most = min_of(most, config->max_thinking);
	plan->budget = request->thinking_budget > 0 ? min_of(request->thinking_budget, most) : most;
	if (plan->budget < LEAST_BUDGET)
		plan->thinking = MODEL_THINK_OFF;
}

static struct plan anthropic_encode_make_plan(const struct model_config *config,
					      const struct model_table *table,
					      const struct model_request *request)
{
	struct plan plan = { .info = model_info(table, request->model) };

	plan.max_tokens = plan_output(config, &plan.info, request);
	plan_thinking(&plan, config, request);
	plan.display = model_display_name(request->display);
	if (anthropic_encode_can(&plan, MODEL_TAKES_EFFORT))
		plan.effort = model_effort_name(request->effort);
	return plan;
}

void anthropic_notes(const struct model_config *config, const struct model_table *table,
		     const struct model_request *request, wire_event_fn *note, void *arg)
{
	struct plan plan = anthropic_encode_make_plan(config, table, request);

	if (request->thinking != MODEL_THINK_OFF && !anthropic_encode_can(&plan, MODEL_THINKS) &&
	    !anthropic_encode_can(&plan, MODEL_THINKS_ADAPTIVE))
		note(arg,
		     &(struct model_event){ .kind = MODEL_NOTE,
					    .text = SV("this model does not support thinking") });
	if (request->effort != MODEL_EFFORT_DEFAULT && !plan.effort)
		note(arg, &(struct model_event){
				  .kind = MODEL_NOTE,
				  .text = SV("this model does not support reasoning effort") });
}

/* Betas. */

static bool anthropic_encode_in_list(struct sv list, struct sv word)
{
	struct sv item;

	while (sv_cut(&list, ',', &item))
		if (sv_eq(sv_trim(item), word))
			return true;
	return false;
}

static void anthropic_encode_add_beta(struct str *out, size_t start, struct sv beta)
{
	if (beta.len == 0 || anthropic_encode_in_list(sv_skip(sv_of(out), start), beta))
		return;
	if (out->len > start)
		str_addc(out, ',');
	str_add(out, beta);
}

static bool anthropic_encode_needs_long_beta(const struct model_table *table, struct sv id)
{
	bool wants_long;
	struct sv bare = model_wire_id(id, &wants_long);

	return wants_long && model_info(table, bare).context < 1000000;
}

void anthropic_betas(struct str *out, const struct model_config *config,
		     const struct model_table *table, const struct model_request *request)
{
	struct plan plan = anthropic_encode_make_plan(config, table, request);
	struct sv own = sv_cstr(config->betas), beta;
	size_t start = out->len;

	if (plan.thinking == MODEL_THINK_BUDGET && request->ntools)
		anthropic_encode_add_beta(out, start, SV("interleaved-thinking-2025-05-14"));
	if (plan.effort && !anthropic_encode_can(&plan, MODEL_THINKS_ADAPTIVE))
		anthropic_encode_add_beta(out, start, SV("effort-2025-11-24"));
	if (anthropic_encode_needs_long_beta(table, request->model))
		anthropic_encode_add_beta(out, start, SV("context-1m-2025-08-07"));
	if (request->cache == MODEL_CACHE_1H)
		anthropic_encode_add_beta(out, start, SV("extended-cache-ttl-2025-04-11"));
	if (request->fast)
		anthropic_encode_add_beta(out, start, SV("fast-mode-2026-02-01"));
	if (request->task_budget)
		anthropic_encode_add_beta(out, start, SV("task-budgets-2026-03-13"));
	while (sv_cut(&own, ',', &beta))
		anthropic_encode_add_beta(out, start, sv_trim(beta));
}

/* The body, member by member. */

struct body {
	struct wire *out;
	struct sv extra; /* the user's own members, which replace ours */
	bool any;
};

static bool has_extra(const struct body *b, struct sv key)
{
	struct json_span span;
	struct err why;

	return b->extra.len && json_span_find(b->extra, JSON_STEPS(key), &span, &why);
}

/* Returns false if the user sets this member. */
static bool anthropic_encode_begin(struct body *b, const char *key)
{
	if (has_extra(b, sv_cstr(key)))
		return false;
	wire_body(b->out, arena_printf(&b->out->arena, "%s\"%s\":", b->any ? "," : "{", key));
	b->any = true;
	return true;
}

static void anthropic_encode_put_raw(struct body *b, const char *key, struct sv json)
{
	if (anthropic_encode_begin(b, key))
		wire_body(b->out, json);
}

static void anthropic_encode_put_text(struct body *b, const char *key, struct sv text)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_str(&w, text);
	anthropic_encode_put_raw(b, key, arena_dup(&b->out->arena, sv_of(&json)));
}

static void anthropic_encode_put_number(struct body *b, const char *key, int64_t n)
{
	anthropic_encode_put_raw(b, key, arena_printf(&b->out->arena, "%lld", (long long)n));
}

static void anthropic_encode_put_tools(struct body *b, const struct model_request *request,
				       const struct cache_marks *marks)
{
	static const struct cache_mark none;

	if (request->ntools == 0 || !anthropic_encode_begin(b, "tools"))
		return;
	for (size_t i = 0; i < request->ntools; i++) {
		wire_body(b->out, i ? SV(",") : SV("["));
		cache_marks_write(b->out, request->tools[i],
				  i == marks->tool ? &marks->tool_mark : &none);
	}
	wire_body(b->out, SV("]"));
}

/* The API rejects empty texts. */
static void anthropic_encode_put_system(struct body *b, const struct model_request *request,
					const struct cache_marks *marks)
{
	defer(str_clear) struct str json = STR_INIT;

	for (size_t i = 0; i < request->nsystem; i++) {
		struct jw w;

		if (request->system[i].len == 0)
			continue;
		str_adds(&json, json.len ? "},{" : "[{");
		str_adds(&json, "\"type\":\"text\",\"text\":");
		jw_init(&w, &json, JW_COMPACT);
		jw_str(&w, request->system[i]);
	}
	if (json.len == 0)
		return;
	str_add(&json, marks->system);
	str_adds(&json, "}]");
	anthropic_encode_put_raw(b, "system", arena_dup(&b->out->arena, sv_of(&json)));
}

/* Whether a block is thinking that another wire has signed. The API would refuse it. */
static bool anthropic_encode_is_foreign(struct sv message, struct json_span block)
{
	struct sv json = json_span_sv(message, block);
	struct json_span span;
	struct err why;

	return json_span_find(json, JSON_STEPS(SV("signature")), &span, &why) &&
	       sv_starts(json_span_sv(json, span), SV("\"openai-"));
}

/* Writes a message without the thinking of other providers. */
static void anthropic_encode_put_own_blocks(struct body *b, struct sv message)
{
	struct json_span content = { 0, 0 };
	struct json_span_iter it;
	struct json_item item;
	struct err why;
	bool any = false;

	if (!json_span_find(message, JSON_STEPS(SV("content")), &content, &why) ||
	    !json_span_each(&it, message, content, &why)) {
		wire_body(b->out, message);
		return;
	}
	wire_body(b->out, sv_slice(message, 0, content.from + 1));
	while (json_span_next(&it, &item, &why) && !it.done) {
		if (anthropic_encode_is_foreign(message, item.value))
			continue;
		if (any)
			wire_body(b->out, SV(","));
		wire_body(b->out, json_span_sv(message, item.value));
		any = true;
	}
	wire_body(b->out, sv_skip(message, content.to - 1));
}

static void anthropic_encode_put_message(struct body *b, struct sv message,
					 const struct cache_mark *mark)
{
	if (!mark->wanted && sv_find(message, SV("\"openai-")) != SIZE_MAX)
		anthropic_encode_put_own_blocks(b, message);
	else
		cache_marks_write(b->out, message, mark);
}

static void anthropic_encode_put_messages(struct body *b, const struct model_request *request,
					  const struct cache_marks *marks)
{
	static const struct cache_mark none;

	if (!anthropic_encode_begin(b, "messages"))
		return;
	for (size_t i = 0; i < request->nmessages; i++) {
		const struct cache_mark *mark = i == marks->tail       ? &marks->tail_mark
						: i == marks->old_tail ? &marks->old_tail_mark
								       : &none;

		wire_body(b->out, i ? SV(",") : SV("["));
		anthropic_encode_put_message(b, request->messages[i], mark);
	}
	wire_body(b->out, SV("]"));
}

static void anthropic_encode_put_thinking(struct body *b, const struct plan *plan)
{
	defer(str_clear) struct str json = STR_INIT;

	switch (plan->thinking) {
	case MODEL_THINK_OFF: return;
	case MODEL_THINK_ADAPTIVE: str_adds(&json, "{\"type\":\"adaptive\""); break;
	case MODEL_THINK_BUDGET:
		str_addf(&json, "{\"type\":\"enabled\",\"budget_tokens\":%lld",
			 (long long)plan->budget);
		break;
	}
	if (plan->display)
		str_addf(&json, ",\"display\":\"%s\"", plan->display);
	str_addc(&json, '}');
	anthropic_encode_put_raw(b, "thinking", arena_dup(&b->out->arena, sv_of(&json)));
}

static void anthropic_encode_put_output_config(struct body *b, const char *effort,
					       const struct model_request *request)
{
	defer(str_clear) struct str json = STR_INIT;
	int64_t total = request->task_budget, used = request->task_used;

	if (effort)
		str_addf(&json, ",\"effort\":\"%s\"", effort);
	if (total)
		str_addf(&json, ",\"task_budget\":{\"type\":\"tokens\",\"total\":%lld",
			 (long long)total);
	if (total && used)
		str_addf(&json, ",\"remaining\":%lld", (long long)(total - min_of(used, total)));
	if (total)
		str_addc(&json, '}');
	if (json.len)
		anthropic_encode_put_raw(b, "output_config",
					 arena_printf(&b->out->arena, "{%s}", json.ptr + 1));
}

static void anthropic_encode_put_betas(struct body *b, const struct model_config *config,
				       const struct model_table *table,
				       const struct model_request *request)
{
	defer(str_clear) struct str list = STR_INIT, json = STR_INIT;
	struct sv rest, beta;
	struct jw w;

	anthropic_betas(&list, config, table, request);
	if (list.len == 0)
		return;
	rest = sv_of(&list);
	jw_init(&w, &json, JW_COMPACT);
	jw_array(&w);
	while (sv_cut(&rest, ',', &beta))
		jw_str(&w, beta);
	jw_end(&w);
	anthropic_encode_put_raw(b, "anthropic_beta", arena_dup(&b->out->arena, sv_of(&json)));
}

static void anthropic_encode_put_metadata(struct body *b, struct sv user_id)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (user_id.len == 0)
		return;
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "user_id", user_id);
	jw_end(&w);
	anthropic_encode_put_raw(b, "metadata", arena_dup(&b->out->arena, sv_of(&json)));
}

/* Writes the members that may differ between two turns of a conversation. */
static void anthropic_encode_put_settings(struct body *b, const struct plan *plan,
					  const struct model_request *request,
					  struct anthropic_options options)
{
	if (!options.counting)
		anthropic_encode_put_number(b, "max_tokens", plan->max_tokens);
	anthropic_encode_put_thinking(b, plan);
	if (!options.counting)
		anthropic_encode_put_output_config(b, plan->effort, request);
	if (request->tool_choice.len && request->ntools)
		anthropic_encode_put_raw(b, "tool_choice", request->tool_choice);
	if (options.counting)
		return;
	if (request->stops.len)
		anthropic_encode_put_raw(b, "stop_sequences", request->stops);
	anthropic_encode_put_metadata(b, request->user_id);
	if (request->fast)
		anthropic_encode_put_raw(b, "speed", SV("\"fast\""));
	if (options.with_stream && !request->whole)
		anthropic_encode_put_raw(b, "stream", SV("true"));
}

/* Writes the user's own members verbatim. */
static void anthropic_encode_put_extra(struct body *b, struct json_span span)
{
	struct sv inner = sv_trim(sv_slice(b->extra, span.from + 1, span.to - 1));

	if (inner.len == 0)
		return;
	wire_body(b->out, b->any ? SV(",") : SV("{"));
	wire_body(b->out, inner);
	b->any = true;
}

static bool anthropic_encode_check_extra(struct sv extra, struct json_span *span, struct err *err)
{
	if (extra.len == 0)
		return true;
	if (!json_span_root(extra, span, err))
		return err_context(err, "the extra request body");
	if (extra.ptr[span->from] != '{')
		return err_set(err, ERR_INVALID, "the extra request body must be a JSON object");
	return true;
}

bool anthropic_body(struct wire *out, const struct model_config *config,
		    const struct model_table *table, const struct model_request *request,
		    struct anthropic_options options, struct err *err)
{
	struct plan plan = anthropic_encode_make_plan(config, table, request);
	struct body b = { .out = out, .extra = sv_cstr(config->extra_body) };
	struct json_span extra = { 0, 0 };
	struct cache_marks marks;

	if (request->nmessages == 0)
		return err_set(err, ERR_INVALID, "a request needs at least one message");
	if (!anthropic_encode_check_extra(b.extra, &extra, err) ||
	    !cache_marks_plan(&marks, request, anthropic_encode_can(&plan, MODEL_CACHES), err))
		return false;
	if (options.with_model)
		anthropic_encode_put_text(&b, "model", request_wire_id(request));
	if (options.version_in_body)
		anthropic_encode_put_text(&b, "anthropic_version",
					  sv_cstr(options.version_in_body));
	if (options.betas_in_body)
		anthropic_encode_put_betas(&b, config, table, request);
	anthropic_encode_put_tools(&b, request, &marks);
	anthropic_encode_put_system(&b, request, &marks);
	anthropic_encode_put_messages(&b, request, &marks);
	anthropic_encode_put_settings(&b, &plan, request, options);
	anthropic_encode_put_extra(&b, extra);
	wire_body(out, SV("}"));
	return true;
}
