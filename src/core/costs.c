#include "core/costs.h"

#include "base/limits.h"

void costs_clear(struct costs *costs)
{
	for (size_t i = 0; i < costs->lines.n; i++)
		free(costs->lines.at[i].model);
	vec_clear(&costs->lines);
	*costs = (struct costs)COSTS_INIT;
}

static struct costs_line *costs_line_of(struct costs *costs, struct sv model)
{
	struct costs_line *line;

	for (size_t i = 0; i < costs->lines.n; i++) {
		if (sv_is(model, costs->lines.at[i].model))
			return &costs->lines.at[i];
	}
	line = vec_add(&costs->lines);
	line->model = sv_dup(model);
	line->cost = (struct cost)COST_INIT;
	return line;
}

void costs_add(struct costs *costs, const struct model_table *table, struct sv model,
	       const struct usage *usage, int64_t api_ms)
{
	struct model_info info = model_info(table, model);
	struct costs_line *line = costs_line_of(costs, model);
	struct cost cost = usage_cost(usage, &info.price);

	usage_add(&line->usage, usage);
	cost_add(&line->cost, cost);
	cost_add(&costs->total, cost);
	costs->api_ms += api_ms;
}

static void costs_put_counts(struct jw *w, const struct costs_line *line)
{
	const struct usage *u = &line->usage;

	jw_put_int(w, "inputTokens", u->input);
	jw_put_int(w, "outputTokens", u->output);
	jw_put_int(w, "cacheReadInputTokens", u->cache_read);
	jw_put_int(w, "cacheCreationInputTokens", u->cache_write_5m + u->cache_write_1h);
	jw_put_int(w, "webSearchRequests", u->web_searches);
	jw_put_real(w, "costUSD", (double)line->cost.nano_usd / 1e9);
	jw_put_int(w, "cacheCreationEphemeral5mInputTokens", u->cache_write_5m);
	jw_put_int(w, "cacheCreationEphemeral1hInputTokens", u->cache_write_1h);
	if (!line->cost.known)
		jw_put_bool(w, "awlCostIncomplete", true);
}

void costs_models(struct str *out, const struct costs *costs, const struct model_table *table)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; i < costs->lines.n; i++) {
		struct sv model = sv_cstr(costs->lines.at[i].model);
		struct model_info info = model_info(table, model);

		jw_key(&w, model);
		jw_object(&w);
		costs_put_counts(&w, &costs->lines.at[i]);
		jw_put_int(&w, "contextWindow", info.context);
		jw_put_int(&w, "maxOutputTokens", info.max_output);
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
}

void costs_note(struct str *out, const struct costs *costs, struct sv session_id)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("cost-state"));
	jw_put_str(&w, "sessionId", session_id);
	jw_put_real(&w, "totalCostUSD", costs_usd(costs));
	jw_put_bool(&w, "awlCostIncomplete", !costs->total.known);
	jw_put_int(&w, "totalAPIDuration", costs->api_ms);
	jw_put_object(&w, "modelUsage");
	for (size_t i = 0; i < costs->lines.n; i++) {
		jw_key(&w, sv_cstr(costs->lines.at[i].model));
		jw_object(&w);
		costs_put_counts(&w, &costs->lines.at[i]);
		jw_end(&w);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static int64_t costs_count(struct json object, const char *key)
{
	int64_t n = json_int_or(json_get(object, key), 0);

	return n > 0 && n < 1000000000000 ? n : 0;
}

static struct cost costs_money(struct json object, const char *key)
{
	double usd = 0;
	bool sane = json_real(json_get(object, key), &usd) && usd >= 0 && usd < 1e8;

	return (struct cost){
		.nano_usd = sane ? (int64_t)(usd * 1e9 + 0.5) : 0,
		.known = sane && !json_bool_or(json_get(object, "awlCostIncomplete"), false),
	};
}

static void costs_read_line(struct costs *costs, struct sv model, struct json counts)
{
	struct costs_line *line = costs_line_of(costs, model);
	int64_t hour = costs_count(counts, "cacheCreationEphemeral1hInputTokens");
	int64_t written = costs_count(counts, "cacheCreationInputTokens");
	int64_t minutes = max_of(written - hour, (int64_t)0);

	line->cost = costs_money(counts, "costUSD");
	line->usage = (struct usage){
		.input = costs_count(counts, "inputTokens"),
		.output = costs_count(counts, "outputTokens"),
		.cache_read = costs_count(counts, "cacheReadInputTokens"),
		.cache_write_1h = hour,
		.cache_write_5m = minutes,
		.web_searches = costs_count(counts, "webSearchRequests"),
		.known = true,
	};
}

bool costs_read(struct costs *costs, struct sv note, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(note, 0, err);
	struct json root = json_root(doc);
	struct json_iter it;
	struct json counts;
	struct sv model;

	if (!doc)
		return false;
	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "a note of costs is an object, not %s",
			       json_type_name(json_type(root)));
	costs_clear(costs);
	costs->total = costs_money(root, "totalCostUSD");
	costs->api_ms = costs_count(root, "totalAPIDuration");
	it = json_each(json_get(root, "modelUsage"));
	while (costs->lines.n < LIMIT_COST_MODELS && json_next(&it, &model, &counts))
		costs_read_line(costs, model, counts);
	return true;
}
