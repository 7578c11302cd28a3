#include "core/agent/costs.h"

#include "base/limits.h"

#include "test.h"

#define MODEL_A "claude-sonnet-4-5"
#define MODEL_B "of-nobody"

static const struct usage used = { .input = 1000,
				   .output = 200,
				   .cache_read = 30,
				   .cache_write_5m = 40,
				   .cache_write_1h = 50,
				   .web_searches = 2,
				   .thinking = 70,
				   .known = true };

static void check_usage(const struct usage *a, const struct usage *b)
{
	CHECK_INT(a->input, b->input);
	CHECK_INT(a->output, b->output);
	CHECK_INT(a->cache_read, b->cache_read);
	CHECK_INT(a->cache_write_5m, b->cache_write_5m);
	CHECK_INT(a->cache_write_1h, b->cache_write_1h);
	CHECK_INT(a->web_searches, b->web_searches);
	CHECK_INT(a->thinking, b->thinking);
}

static void check_same(const struct costs *a, const struct costs *b)
{
	CHECK_INT(a->total.nano_usd, b->total.nano_usd);
	CHECK_INT(a->total.known, b->total.known);
	CHECK_INT(a->api_ms, b->api_ms);
	CHECK_INT(a->api_last_ms, b->api_last_ms);
	CHECK_INT(memcmp(&a->work, &b->work, sizeof(a->work)), 0);
	CHECK_INT(memcmp(&a->last_turn, &b->last_turn, sizeof(a->last_turn)), 0);
	CHECK_INT(a->lines_added, b->lines_added);
	CHECK_INT(a->lines_removed, b->lines_removed);
	CHECK_INT(a->lines.n, b->lines.n);
	for (size_t i = 0; i < a->lines.n; i++) {
		CHECK_STR(a->lines.at[i].model, b->lines.at[i].model);
		CHECK_INT(a->lines.at[i].cost.nano_usd, b->lines.at[i].cost.nano_usd);
		CHECK_INT(a->lines.at[i].cost.known, b->lines.at[i].cost.known);
		check_usage(&a->lines.at[i].usage, &b->lines.at[i].usage);
	}
}

/* Two models, one of which nobody knows the price of. */
static void fill(struct costs *costs, const struct model_table *table)
{
	costs_add(costs, table, SV(MODEL_A), &used, (struct api_time){ 100, 60 });
	costs_add(costs, table, SV(MODEL_B), &used, (struct api_time){ 20, 20 });
	costs_add(costs, table, SV(MODEL_A), &used, (struct api_time){ 3, 1 });
}

TEST(costs_are_kept_by_model_and_summed_up)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	defer(costs_clear) struct costs costs = COSTS_INIT;

	CHECK(costs.total.known);
	fill(&costs, table);
	CHECK_INT(costs.lines.n, 2);
	CHECK_STR(costs.lines.at[0].model, MODEL_A);
	CHECK_STR(costs.lines.at[1].model, MODEL_B);
	CHECK_INT(costs.lines.at[0].usage.input, 2000);
	CHECK_INT(costs.lines.at[1].usage.output, 200);
	CHECK(costs.lines.at[0].cost.known && costs.lines.at[0].cost.nano_usd > 0);
	CHECK(!costs.lines.at[1].cost.known);
	CHECK(!costs.total.known);
	CHECK_INT(costs.total.nano_usd, costs.lines.at[0].cost.nano_usd);
	CHECK_INT(costs.api_ms, 123);
	CHECK_INT(costs.api_last_ms, 81);
	CHECK(costs_usd(&costs) > 0);
}

TEST(a_note_read_back_is_what_was_noted)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	defer(costs_clear) struct costs costs = COSTS_INIT, again = COSTS_INIT;
	defer(str_clear) struct str first = STR_INIT, second = STR_INIT;
	struct err err = ERR_INIT;

	fill(&costs, table);
	costs_add(&again, table, SV("to be forgotten"), &used, (struct api_time){ 5, 5 });
	costs_note(&first, &costs, SV("id"));
	CHECK_OK(costs_read(&again, sv_of(&first), &err), err);
	check_same(&again, &costs);
	costs_note(&second, &again, SV("id"));
	CHECK_STR(str_c(&second), str_c(&first));
}

TEST(many_small_costs_are_read_back_to_the_last_nano_dollar)
{
	static const int64_t amounts[] = { 1, 3, 999999999, 1000000001, 123456789012345 };

	for (size_t i = 0; i < countof(amounts); i++) {
		defer(costs_clear) struct costs costs = COSTS_INIT, again = COSTS_INIT;
		defer(str_clear) struct str note = STR_INIT;
		struct err err = ERR_INIT;

		costs.total.nano_usd = amounts[i];
		costs_note(&note, &costs, SV("id"));
		CHECK_OK(costs_read(&again, sv_of(&note), &err), err);
		CHECK_INT(again.total.nano_usd, amounts[i]);
		CHECK(again.total.known);
	}
}

static void write_models(struct str *out, const struct costs *costs,
			 const struct model_table *table)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct usage_model *models;
	struct costs_service service = { table, SV("firstParty") };
	size_t n = costs_models(&models, &arena, costs, service);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	usage_models_write(&w, models, n);
	jw_done(&w);
}

#define NO_WORK                                                                       \
	"{\"toolCount\":0,\"toolDurationMs\":0,\"hookCount\":0,\"hookDurationMs\":0," \
	"\"classifierCount\":0,\"classifierDurationMs\":0}"

TEST(nothing_used_is_noted_and_read_as_nothing)
{
	defer(costs_clear) struct costs costs = COSTS_INIT, again = COSTS_INIT;
	defer(str_clear) struct str note = STR_INIT, models = STR_INIT;
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;

	costs_note(&note, &costs, SV("id"));
	CHECK_STR(str_c(&note),
		  "{\"type\":\"cost-state\",\"sessionId\":\"id\",\"totalCostUSD\":0,"
		  "\"awlCostIncomplete\":false,\"totalAPIDuration\":0,"
		  "\"totalAPIDurationWithoutRetries\":0,\"totalToolDuration\":0,"
		  "\"totalLinesAdded\":0,\"totalLinesRemoved\":0,"
		  "\"awlWork\":" NO_WORK ",\"awlLastTurn\":" NO_WORK ",\"modelUsage\":{}}");
	CHECK_OK(costs_read(&again, sv_of(&note), &err), err);
	check_same(&again, &costs);
	write_models(&models, &costs, table);
	CHECK_STR(str_c(&models), "{}");
}

TEST(the_usage_of_a_result_names_each_model_with_its_limits)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	defer(costs_clear) struct costs costs = COSTS_INIT;
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json a, b;

	fill(&costs, table);
	write_models(&out, &costs, table);
	doc = json_parse(sv_of(&out), 0, &err);
	CHECK_OK(doc != NULL, err);
	a = json_get(json_root(doc), MODEL_A);
	b = json_get(json_root(doc), MODEL_B);
	CHECK_INT(json_int_or(json_get(a, "inputTokens"), -1), 2000);
	CHECK_INT(json_int_or(json_get(a, "cacheCreationInputTokens"), -1), 180);
	CHECK_INT(json_int_or(json_get(a, "cacheCreationEphemeral5mInputTokens"), -1), 80);
	CHECK_INT(json_int_or(json_get(a, "cacheCreationEphemeral1hInputTokens"), -1), 100);
	CHECK_INT(json_int_or(json_get(a, "webSearchRequests"), -1), 4);
	CHECK_INT(json_int_or(json_get(a, "thinkingTokens"), -1), 140);
	CHECK_SV(json_str_or(json_get(a, "provider"), SV_EMPTY), "firstParty");
	CHECK(json_int_or(json_get(a, "contextWindow"), 0) >= 200000);
	CHECK(json_int_or(json_get(a, "maxOutputTokens"), 0) > 0);
	CHECK(!json_exists(json_get(a, "awlCostIncomplete")));
	CHECK(json_bool_or(json_get(b, "awlCostIncomplete"), false));
}

TEST(recent_usage_begins_anew_with_each_result_and_with_a_resumed_session)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	defer(costs_clear) struct costs costs = COSTS_INIT, again = COSTS_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str note = STR_INIT;
	struct costs_service service = { .table = table };
	const struct usage_model *models;
	struct err err = ERR_INIT;

	fill(&costs, table);
	CHECK_INT(costs_recent_models(&models, &arena, &costs, service), 2);
	CHECK_INT(models[0].counts.input, 2000);
	costs_note_result(&costs);
	CHECK_INT(costs_recent_models(&models, &arena, &costs, service), 0);
	costs_add(&costs, table, SV(MODEL_B), &used, (struct api_time){ 1, 1 });
	CHECK_INT(costs_recent_models(&models, &arena, &costs, service), 1);
	CHECK_SV(models[0].model, MODEL_B);
	CHECK_INT(models[0].counts.input, 1000);
	CHECK_INT(models[0].counts.thinking, 70);
	costs_note(&note, &costs, SV("id"));
	CHECK_OK(costs_read(&again, sv_of(&note), &err), err);
	CHECK_INT(costs_recent_models(&models, &arena, &again, service), 0);
}

TEST(the_lines_that_tools_change_and_their_time_are_counted_and_kept)
{
	static const char edit[] =
		"{\"structuredPatch\":[{\"lines\":[\" a\",\"-b\",\"+c\",\"+d\"]}]}";
	static const char create[] =
		"{\"type\":\"create\",\"content\":\"a\\nb\\nc\\n\",\"structuredPatch\":[]}";
	static const char many[] = "{\"files\":[{\"structuredPatch\":[{\"lines\":[\"-x\"]}]}]}";
	defer(costs_clear) struct costs costs = COSTS_INIT, again = COSTS_INIT;
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	costs_add_call(&costs, 5, sv_cstr(edit));
	costs_add_call(&costs, 6, sv_cstr(create));
	costs_add_call(&costs, 7, sv_cstr(many));
	costs_add_call(&costs, 8, SV("\"structuredPatch\" {"));
	costs_add_call(&costs, 9, SV_EMPTY);
	CHECK_INT(costs.work.ms[USAGE_TOOL], 35);
	CHECK_INT(costs.lines_added, 5);
	CHECK_INT(costs.lines_removed, 2);
	costs_note(&note, &costs, SV("id"));
	CHECK_OK(costs_read(&again, sv_of(&note), &err), err);
	check_same(&again, &costs);
}

TEST(what_a_turn_and_a_session_did_is_counted_and_kept)
{
	defer(costs_clear) struct costs costs = COSTS_INIT, again = COSTS_INIT;
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	costs_count(&costs, USAGE_HOOK, 5);
	costs_begin_turn(&costs);
	costs_count(&costs, USAGE_HOOK, 7);
	costs_count(&costs, USAGE_CLASSIFIER, 11);
	CHECK_INT(costs.work.n[USAGE_HOOK], 2);
	CHECK_INT(costs.work.ms[USAGE_HOOK], 12);
	CHECK_INT(costs.last_turn.n[USAGE_HOOK], 1);
	CHECK_INT(costs.last_turn.ms[USAGE_HOOK], 7);
	CHECK_INT(costs.last_turn.n[USAGE_TOOL], 0);
	costs_note(&note, &costs, SV("id"));
	CHECK_OK(costs_read(&again, sv_of(&note), &err), err);
	check_same(&again, &costs);
	CHECK_INT(again.last_turn.ms[USAGE_CLASSIFIER], 11);
}

/* What others wrote into the file, or a bad disk. */
TEST(a_note_that_makes_no_sense_is_refused_and_changes_nothing)
{
	static const char *const notes[] = { "", "{", "null", "5", "\"cost-state\"", "[]", "[{}]" };

	for (size_t i = 0; i < countof(notes); i++) {
		defer(costs_clear) struct costs costs = COSTS_INIT;
		struct err err = ERR_INIT;

		costs.api_ms = 7;
		CHECK(!costs_read(&costs, sv_cstr(notes[i]), &err));
		CHECK(err.kind != ERR_NONE && err.text[0]);
		CHECK_INT(costs.api_ms, 7);
	}
}

TEST(absurd_numbers_in_a_note_count_as_nothing_and_as_not_known)
{
#define LINE(members) "{\"modelUsage\":{\"m\":{" members "}}}"
	static const char *const notes[] = {
		"{\"totalCostUSD\":-1,\"totalAPIDuration\":-5}",
		"{\"totalCostUSD\":1e300,\"totalAPIDuration\":99999999999999999999999}",
		"{\"totalCostUSD\":1e999,\"totalAPIDuration\":1e999}",
		"{\"totalCostUSD\":\"12\",\"totalAPIDuration\":\"12\"}",
		"{\"totalCostUSD\":null,\"totalAPIDuration\":{},\"modelUsage\":[]}",
		"{\"totalCostUSD\":[1],\"modelUsage\":5}",
		"{\"modelUsage\":{\"m\":null}}",
		"{\"modelUsage\":{\"m\":[1,2]}}",
		LINE("\"inputTokens\":-1,\"outputTokens\":-9223372036854775808"),
		LINE("\"inputTokens\":9223372036854775807,\"outputTokens\":1e30"),
		LINE("\"cacheCreationInputTokens\":-5,\"cacheReadInputTokens\":0.5"),
		LINE("\"inputTokens\":\"7\",\"webSearchRequests\":true,\"costUSD\":-0.1"),
		LINE("\"costUSD\":100000000"),
	};
#undef LINE

	for (size_t i = 0; i < countof(notes); i++) {
		defer(costs_clear) struct costs costs = COSTS_INIT;
		struct usage none = { .input = 0 };
		struct err err = ERR_INIT;

		CHECK_OK(costs_read(&costs, sv_cstr(notes[i]), &err), err);
		CHECK_INT(costs.total.nano_usd, 0);
		CHECK_INT(costs.api_ms, 0);
		for (size_t k = 0; k < costs.lines.n; k++) {
			CHECK_INT(costs.lines.at[k].cost.nano_usd, 0);
			check_usage(&costs.lines.at[k].usage, &none);
		}
	}
}

TEST(a_cost_that_cannot_be_read_is_not_taken_for_no_cost)
{
	static const char *const notes[] = {
		"{}",
		"{\"totalCostUSD\":-1}",
		"{\"totalCostUSD\":\"12\"}",
		"{\"totalCostUSD\":1e999}",
		"{\"totalCostUSD\":1,\"awlCostIncomplete\":true}",
	};

	for (size_t i = 0; i < countof(notes); i++) {
		defer(costs_clear) struct costs costs = COSTS_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(costs_read(&costs, sv_cstr(notes[i]), &err), err);
		CHECK(!costs.total.known);
	}
}

TEST(more_of_the_hour_than_was_written_is_no_negative_count)
{
	defer(costs_clear) struct costs costs = COSTS_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(costs_read(&costs,
			    SV("{\"modelUsage\":{\"m\":{\"cacheCreationInputTokens\":5,"
			       "\"cacheCreationEphemeral1hInputTokens\":9}}}"),
			    &err),
		 err);
	CHECK_INT(costs.lines.at[0].usage.cache_write_5m, 0);
	CHECK_INT(costs.lines.at[0].usage.cache_write_1h, 9);
}

TEST(a_model_that_stands_twice_in_a_note_counts_once)
{
	defer(costs_clear) struct costs costs = COSTS_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(costs_read(&costs,
			    SV("{\"modelUsage\":{\"m\":{\"inputTokens\":5},"
			       "\"m\":{\"inputTokens\":7}}}"),
			    &err),
		 err);
	CHECK_INT(costs.lines.n, 1);
	CHECK_INT(costs.lines.at[0].usage.input, 7);
}

/* Somebody's file of a hundred thousand models must not take minutes to read. */
TEST(a_note_of_very_many_models_is_read_as_far_as_is_sane)
{
	defer(costs_clear) struct costs costs = COSTS_INIT;
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&note, "{\"totalCostUSD\":2,\"modelUsage\":{");
	for (int i = 0; i < 100000; i++)
		str_addf(&note, "%s\"m%d\":{\"inputTokens\":1}", i ? "," : "", i);
	str_adds(&note, "}}");
	CHECK_OK(costs_read(&costs, sv_of(&note), &err), err);
	CHECK_INT(costs.lines.n, LIMIT_COST_MODELS);
	CHECK_INT(costs.total.nano_usd, 2000000000);
}
