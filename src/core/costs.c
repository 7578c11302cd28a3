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

struct usage_counts usage_to_counts(const struct usage *usage)
{
	return (struct usage_counts){
		.known = usage->known,
		.input = usage->input,
		.output = usage->output,
		.cache_read = usage->cache_read,
		.cache_write_5m = usage->cache_write_5m,
		.cache_write_1h = usage->cache_write_1h,
		.web_searches = usage->web_searches,
	};
}

size_t costs_models(const struct usage_model **out, struct arena *arena, const struct costs *costs,
		    const struct model_table *table)
{
	struct usage_model *models = arena_calloc(arena, costs->lines.n + 1, sizeof(*models));

	for (size_t i = 0; i < costs->lines.n; i++) {
		const struct costs_line *line = &costs->lines.at[i];
		struct model_info info = { .known = false };

		if (table)
			info = model_info(table, sv_cstr(line->model));
		models[i] = (struct usage_model){
			.model = sv_cstr(line->model),
			.counts = usage_to_counts(&line->usage),
			.cost_usd = (double)line->cost.nano_usd / 1e9,
			.cost_known = line->cost.known,
			.window = info.context,
			.max_output = info.max_output,
		};
	}
	*out = models;
	return costs->lines.n;
}

void costs_note(struct str *out, const struct costs *costs, struct sv session_id)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct usage_model *models;
	size_t n = costs_models(&models, &arena, costs, NULL);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("cost-state"));
	jw_put_str(&w, "sessionId", session_id);
	jw_put_real(&w, "totalCostUSD", costs_usd(costs));
	jw_put_bool(&w, "awlCostIncomplete", !costs->total.known);
	jw_put_int(&w, "totalAPIDuration", costs->api_ms);
	jw_key(&w, SV("modelUsage"));
	usage_models_write(&w, models, n);
	jw_end(&w);
	jw_done(&w);
}

static struct cost costs_money(double usd, bool known)
{
	bool is_sane = usd >= 0 && usd < 1e8;

	return (struct cost){ .nano_usd = is_sane ? (int64_t)(usd * 1e9 + 0.5) : 0,
			      .known = is_sane && known };
}

static void costs_read_line(struct costs *costs, const struct usage_model *m)
{
	struct costs_line *line = costs_line_of(costs, m->model);

	line->cost = costs_money(m->cost_usd, m->cost_known);
	line->usage = (struct usage){
		.input = m->counts.input,
		.output = m->counts.output,
		.cache_read = m->counts.cache_read,
		.cache_write_1h = m->counts.cache_write_1h,
		.cache_write_5m = m->counts.cache_write_5m,
		.web_searches = m->counts.web_searches,
		.known = true,
	};
}

bool costs_read(struct costs *costs, struct sv note, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(note, 0, err);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct json root = json_root(doc);
	const struct usage_model *models;
	int64_t api_ms = json_int_or(json_get(root, "totalAPIDuration"), 0);
	size_t n;

	if (!doc)
		return false;
	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "a note of costs must be an object, not %s",
			       json_type_name(json_type(root)));
	costs_clear(costs);
	costs->total = costs_money(json_real_or(json_get(root, "totalCostUSD"), -1),
				   !json_bool_or(json_get(root, "awlCostIncomplete"), false));
	costs->api_ms = api_ms > 0 && api_ms < 1000000000000 ? api_ms : 0;
	n = usage_models_read(&models, json_get(root, "modelUsage"), LIMIT_COST_MODELS, &arena);
	for (size_t i = 0; i < n; i++)
		costs_read_line(costs, &models[i]);
	return true;
}
