#include "core/agent/costs.h"

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
	line->cost = line->recent.cost = (struct cost)COST_INIT;
	return line;
}

void costs_add(struct costs *costs, const struct model_table *table, struct sv model,
	       const struct usage *usage, struct api_time time)
{
	struct model_info info = model_info(table, model);
	struct costs_line *line = costs_line_of(costs, model);
	struct cost cost = usage_cost(usage, &info.price);

	usage_add(&line->usage, usage);
	cost_add(&line->cost, cost);
	usage_add(&line->recent.usage, usage);
	cost_add(&line->recent.cost, cost);
	line->recent.is_used = true;
	cost_add(&costs->total, cost);
	costs->api_ms += time.ms;
	costs->api_last_ms += time.last_ms;
}

static void costs_count_hunks(struct costs *costs, struct json file)
{
	struct json_iter hunks = json_each(json_get(file, "structuredPatch")), lines;
	struct json hunk, line;

	while (json_next(&hunks, NULL, &hunk))
		for (lines = json_each(json_get(hunk, "lines")); json_next(&lines, NULL, &line);) {
			costs->lines_added += sv_starts(json_str_or(line, SV_EMPTY), SV("+"));
			costs->lines_removed += sv_starts(json_str_or(line, SV_EMPTY), SV("-"));
		}
}

/* Of one file, or of several. A new file has no hunks. */
static void costs_count_lines(struct costs *costs, struct json data)
{
	struct json_iter files = json_each(json_get(data, "files"));
	struct sv created = SV_EMPTY, line;
	struct json file;

	costs_count_hunks(costs, data);
	while (json_next(&files, NULL, &file))
		costs_count_hunks(costs, file);
	if (sv_is(json_str_or(json_get(data, "type"), SV_EMPTY), "create"))
		created = json_str_or(json_get(data, "content"), SV_EMPTY);
	while (sv_cut_line(&created, &line))
		costs->lines_added++;
}

void costs_count(struct costs *costs, enum usage_kind kind, int64_t ms)
{
	struct usage_work *const both[] = { &costs->work, &costs->last_turn };

	for (size_t i = 0; i < countof(both); i++) {
		both[i]->n[kind]++;
		both[i]->ms[kind] += ms;
	}
}

void costs_begin_turn(struct costs *costs)
{
	costs->last_turn = (struct usage_work){ .n = { 0 } };
}

/* Only edits have patches; nothing else is worth parsing. */
void costs_add_call(struct costs *costs, int64_t tool_ms, struct sv data)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;

	costs_count(costs, USAGE_TOOL, tool_ms);
	if (sv_find(data, SV("\"structuredPatch\"")) == SIZE_MAX)
		return;
	doc = json_parse(data, 0, &ignored);
	if (doc)
		costs_count_lines(costs, json_root(doc));
}

struct usage_counts usage_to_counts(const struct usage *usage)
{
	return (struct usage_counts){
		.known = usage->known,
		.is_fast = usage->is_fast,
		.input = usage->input,
		.output = usage->output,
		.thinking = usage->thinking,
		.cache_read = usage->cache_read,
		.cache_write_5m = usage->cache_write_5m,
		.cache_write_1h = usage->cache_write_1h,
		.web_searches = usage->web_searches,
	};
}

static struct usage_model costs_model(struct sv name, const struct usage *usage, struct cost cost,
				      struct costs_service service)
{
	struct model_info info = { .known = false };

	if (service.table)
		info = model_info(service.table, name);
	return (struct usage_model){
		.model = name,
		.counts = usage_to_counts(usage),
		.cost_usd = (double)cost.nano_usd / 1e9,
		.cost_known = cost.known,
		.window = info.context,
		.max_output = info.max_output,
		.provider = service.provider,
	};
}

size_t costs_models(const struct usage_model **out, struct arena *arena, const struct costs *costs,
		    struct costs_service service)
{
	struct usage_model *models = arena_calloc(arena, costs->lines.n + 1, sizeof(*models));

	for (size_t i = 0; i < costs->lines.n; i++) {
		const struct costs_line *line = &costs->lines.at[i];

		models[i] = costs_model(sv_cstr(line->model), &line->usage, line->cost, service);
	}
	*out = models;
	return costs->lines.n;
}

size_t costs_recent_models(const struct usage_model **out, struct arena *arena,
			   const struct costs *costs, struct costs_service service)
{
	struct usage_model *models = arena_calloc(arena, costs->lines.n + 1, sizeof(*models));
	size_t n = 0;

	for (size_t i = 0; i < costs->lines.n; i++) {
		const struct costs_line *line = &costs->lines.at[i];

		if (line->recent.is_used)
			models[n++] = costs_model(sv_cstr(line->model), &line->recent.usage,
						  line->recent.cost, service);
	}
	*out = models;
	return n;
}

void costs_note_result(struct costs *costs)
{
	for (size_t i = 0; i < costs->lines.n; i++)
		costs->lines.at[i].recent = (struct costs_recent){ .cost = COST_INIT };
}

static const struct {
	const char *key;
	size_t offset;
} costs_numbers[] = {
	{ "totalAPIDuration", offsetof(struct costs, api_ms) },
	{ "totalAPIDurationWithoutRetries", offsetof(struct costs, api_last_ms) },
	{ "totalToolDuration", offsetof(struct costs, work.ms[USAGE_TOOL]) },
	{ "totalLinesAdded", offsetof(struct costs, lines_added) },
	{ "totalLinesRemoved", offsetof(struct costs, lines_removed) },
};

void costs_note(struct str *out, const struct costs *costs, struct sv session_id)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct usage_model *models;
	size_t n = costs_models(&models, &arena, costs, (struct costs_service){ .table = NULL });
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("cost-state"));
	jw_put_str(&w, "sessionId", session_id);
	jw_put_real(&w, "totalCostUSD", costs_usd(costs));
	jw_put_bool(&w, "awlCostIncomplete", !costs->total.known);
	for (size_t i = 0; i < countof(costs_numbers); i++)
		jw_put_int(&w, costs_numbers[i].key,
			   *(const int64_t *)((const char *)costs + costs_numbers[i].offset));
	jw_put_object(&w, "awlWork");
	usage_work_write(&w, &costs->work);
	jw_end(&w);
	jw_put_object(&w, "awlLastTurn");
	usage_work_write(&w, &costs->last_turn);
	jw_end(&w);
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
		.thinking = m->counts.thinking,
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
	size_t n;

	if (!doc)
		return false;
	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "a note of costs must be an object, not %s",
			       json_type_name(json_type(root)));
	costs_clear(costs);
	costs->total = costs_money(json_real_or(json_get(root, "totalCostUSD"), -1),
				   !json_bool_or(json_get(root, "awlCostIncomplete"), false));
	usage_work_read(&costs->work, json_get(root, "awlWork"));
	usage_work_read(&costs->last_turn, json_get(root, "awlLastTurn"));
	for (size_t i = 0; i < countof(costs_numbers); i++) {
		int64_t value = json_int_or(json_get(root, costs_numbers[i].key), 0);

		*(int64_t *)((char *)costs + costs_numbers[i].offset) =
			value > 0 && value < 1000000000000 ? value : 0;
	}
	if (!json_exists(json_get(root, "totalAPIDurationWithoutRetries")))
		costs->api_last_ms = costs->api_ms;
	n = usage_models_read(&models, json_get(root, "modelUsage"), LIMIT_COST_MODELS, &arena);
	for (size_t i = 0; i < n; i++)
		costs_read_line(costs, &models[i]);
	return true;
}
