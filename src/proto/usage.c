#include "proto/usage.h"

/* More tokens than this is damage, not use. */
static const int64_t count_max = 1000000000000;
static const double cost_max = 1e8;

static int64_t usage_count(struct json object, const char *key)
{
	int64_t n = json_int_or(json_get(object, key), 0);

	return n > 0 && n < count_max ? n : 0;
}

/* --- a turn -------------------------------------------------------------------- */

void usage_counts_write(struct jw *w, const struct usage_counts *counts)
{
	jw_object(w);
	jw_put_int(w, "input_tokens", counts->input);
	jw_put_int(w, "cache_creation_input_tokens",
		   counts->cache_write_5m + counts->cache_write_1h);
	jw_put_int(w, "cache_read_input_tokens", counts->cache_read);
	jw_put_int(w, "output_tokens", counts->output);
	jw_put_object(w, "output_tokens_details");
	jw_put_int(w, "thinking_tokens", counts->thinking);
	jw_end(w);
	jw_put_object(w, "server_tool_use");
	jw_put_int(w, "web_search_requests", counts->web_searches);
	jw_put_int(w, "web_fetch_requests", 0);
	jw_end(w);
	jw_put_str(w, "service_tier", SV("standard"));
	jw_put_object(w, "cache_creation");
	jw_put_int(w, "ephemeral_1h_input_tokens", counts->cache_write_1h);
	jw_put_int(w, "ephemeral_5m_input_tokens", counts->cache_write_5m);
	jw_end(w);
	jw_put_str(w, "inference_geo", SV_EMPTY);
	jw_put_raw(w, "iterations", SV("[]"));
	jw_put_str(w, "speed", counts->is_fast ? SV("fast") : SV("standard"));
	jw_end(w);
}

void usage_counts_read(struct usage_counts *out, struct json json)
{
	int64_t written = usage_count(json, "cache_creation_input_tokens");
	int64_t hour = usage_count(json_get(json, "cache_creation"), "ephemeral_1h_input_tokens");

	hour = min_of(hour, written);
	*out = (struct usage_counts){
		.known = json_len(json) > 0,
		.is_fast = sv_is(json_str_or(json_get(json, "speed"), SV_EMPTY), "fast"),
		.input = usage_count(json, "input_tokens"),
		.output = usage_count(json, "output_tokens"),
		.thinking = usage_count(json_get(json, "output_tokens_details"), "thinking_tokens"),
		.cache_read = usage_count(json, "cache_read_input_tokens"),
		.cache_write_1h = hour,
		.cache_write_5m = written - hour,
		.web_searches =
			usage_count(json_get(json, "server_tool_use"), "web_search_requests"),
	};
}

/* --- work -------------------------------------------------------------------- */

static const struct {
	const char *count, *duration;
} usage_work_keys[USAGE_KINDS] = {
	[USAGE_TOOL] = { "toolCount", "toolDurationMs" },
	[USAGE_HOOK] = { "hookCount", "hookDurationMs" },
	[USAGE_CLASSIFIER] = { "classifierCount", "classifierDurationMs" },
};

void usage_work_write(struct jw *w, const struct usage_work *work)
{
	for (size_t i = 0; i < USAGE_KINDS; i++) {
		jw_put_int(w, usage_work_keys[i].count, work->n[i]);
		jw_put_int(w, usage_work_keys[i].duration, work->ms[i]);
	}
}

void usage_work_read(struct usage_work *out, struct json json)
{
	for (size_t i = 0; i < USAGE_KINDS; i++) {
		out->n[i] = usage_count(json, usage_work_keys[i].count);
		out->ms[i] = usage_count(json, usage_work_keys[i].duration);
	}
}

/* --- models -------------------------------------------------------------------- */

static void usage_write_model(struct jw *w, const struct usage_model *m)
{
	jw_object(w);
	jw_put_int(w, "inputTokens", m->counts.input);
	jw_put_int(w, "outputTokens", m->counts.output);
	jw_put_int(w, "cacheReadInputTokens", m->counts.cache_read);
	jw_put_int(w, "cacheCreationInputTokens",
		   m->counts.cache_write_5m + m->counts.cache_write_1h);
	jw_put_int(w, "webSearchRequests", m->counts.web_searches);
	jw_put_real(w, "costUSD", m->cost_usd);
	jw_put_int(w, "cacheCreationEphemeral5mInputTokens", m->counts.cache_write_5m);
	jw_put_int(w, "cacheCreationEphemeral1hInputTokens", m->counts.cache_write_1h);
	if (!m->cost_known)
		jw_put_bool(w, "awlCostIncomplete", true);
	jw_put_int(w, "contextWindow", m->window);
	jw_put_int(w, "maxOutputTokens", m->max_output);
	jw_put_int(w, "thinkingTokens", m->counts.thinking);
	jw_put_str(w, "canonicalModel", m->model);
	if (m->provider.len)
		jw_put_str(w, "provider", m->provider);
	jw_put_str(w, "costBasis", m->cost_known ? SV("list") : SV("unknown"));
	jw_end(w);
}

void usage_models_write(struct jw *w, const struct usage_model *models, size_t n)
{
	jw_object(w);
	for (size_t i = 0; i < n; i++) {
		jw_key(w, models[i].model);
		usage_write_model(w, &models[i]);
	}
	jw_end(w);
}

static struct usage_model usage_read_model(struct sv name, struct json json)
{
	int64_t hour = usage_count(json, "cacheCreationEphemeral1hInputTokens");
	int64_t written = usage_count(json, "cacheCreationInputTokens");
	double cost = 0;
	bool sane = json_real(json_get(json, "costUSD"), &cost) && cost >= 0 && cost < cost_max;

	return (struct usage_model){
		.model = name,
		.counts = { .known = true,
			    .input = usage_count(json, "inputTokens"),
			    .output = usage_count(json, "outputTokens"),
			    .thinking = usage_count(json, "thinkingTokens"),
			    .cache_read = usage_count(json, "cacheReadInputTokens"),
			    .cache_write_1h = hour,
			    .cache_write_5m = written > hour ? written - hour : 0,
			    .web_searches = usage_count(json, "webSearchRequests") },
		.cost_usd = sane ? cost : 0,
		.cost_known = sane && !json_bool_or(json_get(json, "awlCostIncomplete"), false),
		.window = usage_count(json, "contextWindow"),
		.max_output = usage_count(json, "maxOutputTokens"),
		.provider = json_str_or(json_get(json, "provider"), SV_EMPTY),
	};
}

size_t usage_models_read(const struct usage_model **out, struct json json, size_t max,
			 struct arena *arena)
{
	struct json_iter it = json_each(json);
	size_t n = 0, capacity = min_of(json_len(json), max);
	struct usage_model *models = arena_calloc(arena, capacity + 1, sizeof(*models));
	struct json counts;
	struct sv name;

	while (it.keyed && n < capacity && json_next(&it, &name, &counts))
		models[n++] = usage_read_model(name, counts);
	*out = models;
	return n;
}
