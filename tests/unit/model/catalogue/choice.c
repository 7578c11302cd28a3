#include "model/catalogue/choice.h"

#include "test.h"

/* Settings as one object. */
struct world {
	struct json_doc *doc;
	struct model_table *table;
	struct model_rules rules;
};

static void where(__attribute__((unused)) const void *arg, const char *key, struct sv entry,
		  struct str *out)
{
	str_addf(out, "f.json:%s:%.*s", key, SV_ARG(entry));
}

static enum model_effort effort_of(const char *name)
{
	enum model_effort effort = MODEL_EFFORT_DEFAULT;
	struct err err = ERR_INIT;

	if (*name)
		CHECK_OK(model_effort_read(&effort, sv_cstr(name), &err), err);
	return effort;
}

static void world_init(struct world *w, const char *settings)
{
	struct err err = ERR_INIT;

	w->doc = json_parse(sv_cstr(settings), 0, &err);
	CHECK_OK(w->doc != NULL, err);
	w->table = model_table_new();
	w->rules = (struct model_rules){
		.table = w->table,
		.usual = SV("claude-opus-5-5"),
		.where = where,
	};
	model_rules_read(&w->rules, json_root(w->doc));
}

static void world_clear(struct world *w)
{
	json_doc_free(w->doc);
	model_table_free(w->table);
}

struct row {
	const char *settings, *id;
	bool allowed;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(world_clear) struct world w;
		struct err err = ERR_INIT;

		world_init(&w, rows[i].settings);
		if (model_rules_allow(&w.rules, sv_cstr(rows[i].id)) != rows[i].allowed)
			fail_msg("row %zu: %s is %spermitted by %s", i, rows[i].id,
				 rows[i].allowed ? "not " : "", rows[i].settings);
		CHECK(model_rules_check_model(&w.rules, sv_cstr(rows[i].id), &err) ==
		      rows[i].allowed);
	}
}

TEST(without_lists_every_model_may_be_asked)
{
	static const struct row rows[] = {
		{ "{}", "claude-opus-5-5", true },
		{ "{\"deniedModels\":[]}", "anything", true },
		{ "{\"availableModels\":[]}", "claude-opus-5-5", false },
		{ "{\"availableModels\":[\"best\",\"default\"]}", "claude-opus-5-5", false },
		{ "{\"deniedModels\":[\"best\",\"default\",\"\"]}", "claude-opus-5-5", true },
	};

	check_rows(rows, countof(rows));
}

TEST(an_available_model_is_known_in_every_spelling)
{
	static const struct row rows[] = {
		{ "{\"availableModels\":[\"opus\"]}", "claude-opus-5-5", true },
		{ "{\"availableModels\":[\"Opus\"]}", "claude-opus-4-1-20250805", true },
		{ "{\"availableModels\":[\"claude-opus\"]}", "my-own-opus", true },
		{ "{\"availableModels\":[\"opus[1m]\"]}", "CLAUDE-OPUS-5-5[1m]", true },
		{ "{\"availableModels\":[\"opus\"]}", "claude-sonnet-5-5", false },
		{ "{\"availableModels\":[\"opus\"]}", "opusplan", false },
		{ "{\"availableModels\":[\"haiku\"]}", "haiku/claude-opus-5-5", false },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "claude-opus-4-5", true },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "claude-opus-4-5-20251101", true },
		{ "{\"availableModels\":[\"claude-opus-4.5\"]}", "anthropic/claude-opus-4.5",
		  true },
		{ "{\"availableModels\":[\"opus-4-5\"]}",
		  "us.anthropic.claude-opus-4-5-20251101-v1:0", true },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "claude-opus-4-5@20251101", true },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "claude-opus-4-1", false },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "claude-opus-4-51", false },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "claude-sonnet-4-5", false },
		{ "{\"availableModels\":[\"opus-4-5\"]}", "my-own-opus", false },
		{ "{\"availableModels\":[\"claude-3-7-sonnet\"]}", "claude-3-7-sonnet-20250219",
		  true },
		{ "{\"availableModels\":[\"claude-3-7-sonnet\"]}", "claude-3-5-sonnet-20241022",
		  false },
		{ "{\"availableModels\":[\"claude-opus-4-0\"]}", "claude-opus-4-20250514", true },
		{ "{\"availableModels\":[\"claude-opus-4-0\"]}", "claude-opus-4-1", false },
		{ "{\"availableModels\":[\"claude-opus-4-5-20251101\"]}",
		  "global.anthropic.claude-opus-4-5-20251101-v1:0", true },
		{ "{\"availableModels\":[\"claude-opus-4-5-20251101\"]}", "claude-opus-4-5",
		  false },
		{ "{\"availableModels\":[\"gpt-5\"]}", "openai/gpt-5", true },
		{ "{\"availableModels\":[\"gpt-5\"]}", "gpt-5-2025-08-07", true },
		{ "{\"availableModels\":[\"gpt-5\"]}", "gpt-5-mini", true },
		{ "{\"availableModels\":[\"gpt-5\"]}", "gpt-55", false },
		{ "{\"availableModels\":[\"team-a/coder\"]}", "team-a/coder", true },
		{ "{\"availableModels\":[\"team-a/coder\"]}", "team-b/coder", false },
	};

	check_rows(rows, countof(rows));
}

TEST(a_version_without_its_minor_number_is_all_of_them_unless_the_match_is_exact)
{
	static const struct row rows[] = {
		{ "{\"availableModels\":[\"claude-opus-5\"]}", "claude-opus-5-5", true },
		{ "{\"availableModels\":[\"claude-opus-5\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-opus-5", true },
		{ "{\"availableModels\":[\"claude-opus-5\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-opus-5-fast", true },
		{ "{\"availableModels\":[\"claude-opus-5\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-opus-5-20260101", true },
		{ "{\"availableModels\":[\"claude-opus-5\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-opus-5-5", false },
		{ "{\"availableModels\":[\"claude-opus-5\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-opus-5-latest", false },
		{ "{\"availableModels\":[\"claude-opus-5-latest\"],\"availableModelsMatch\":"
		  "\"exact\"}",
		  "claude-opus-5-latest", true },
		{ "{\"availableModels\":[\"opus\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-opus-5-5", true },
		{ "{\"availableModels\":[\"gpt-5\"],\"availableModelsMatch\":\"exact\"}",
		  "gpt-5-2025-08-07", true },
		{ "{\"availableModels\":[\"gpt-5\"],\"availableModelsMatch\":\"exact\"}",
		  "gpt-5-mini", false },
	};

	check_rows(rows, countof(rows));
}

TEST(a_version_in_the_list_narrows_its_family)
{
	static const struct row rows[] = {
		{ "{\"availableModels\":[\"opus\",\"opus-4-5\",\"haiku\"]}", "claude-opus-4-5",
		  true },
		{ "{\"availableModels\":[\"opus\",\"opus-4-5\",\"haiku\"]}", "claude-opus-5-5",
		  false },
		{ "{\"availableModels\":[\"opus-4-5\",\"opus\",\"haiku\"]}", "claude-opus-5-5",
		  false },
		{ "{\"availableModels\":[\"opus\",\"opus-4-5\",\"haiku\"]}", "claude-haiku-4-5",
		  true },
	};

	check_rows(rows, countof(rows));
}

TEST(a_denied_model_is_out_of_reach_in_every_spelling)
{
	static const struct row rows[] = {
		{ "{\"deniedModels\":[\"opus\"],\"availableModels\":[\"opus\"]}", "claude-opus-5-5",
		  false },
		{ "{\"deniedModels\":[\"opus\"]}", "Claude-OPUS-5-5[1m]", false },
		{ "{\"deniedModels\":[\"opus\"]}", "claude-3-opus-20240229", false },
		{ "{\"deniedModels\":[\"opus\"]}", "openrouter/anthropic/claude-opus-4.1", false },
		{ "{\"deniedModels\":[\"opus\"]}", "claude-opus-4-5/", false },
		{ "{\"deniedModels\":[\"opus\"]}", "claude-sonnet-5-5", true },
		{ "{\"deniedModels\":[\"opus\"]}", "opusculum-7b", true },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", " claude-opus-5-5 ", false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "claude-opus-5.5-fast", false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "opus5.5", false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "claude-opus-5-5-20260901", false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}",
		  "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5-5-v1:0",
		  false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "claude-opus-latest", false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "opus/claude-opus-5-5", false },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "claude-opus-5", true },
		{ "{\"deniedModels\":[\"claude-opus-5\"]}", "claude-opus-5-5", false },
		{ "{\"deniedModels\":[\"claude-opus-5\"]}", "claude-opus-4-5", true },
		{ "{\"deniedModels\":[\"claude-opus-5\"]}", "claude-sonnet-5", true },
		{ "{\"deniedModels\":[\"claude-sonnet-4-5-20250929\"]}", "claude-sonnet-4-5",
		  false },
		{ "{\"deniedModels\":[\"gpt-5\"]}", "openai/GPT-5-2025-08-07", false },
		{ "{\"deniedModels\":[\"gpt-5-2025-08-07\"]}", "gpt-5", false },
		{ "{\"deniedModels\":[\"openai/gpt-5\"]}", "gpt-5", false },
		{ "{\"deniedModels\":[\"gpt-5\"]}", "gpt-5-mini", true },
		{ "{\"deniedModels\":[\"gpt-oss\"]}", "gpt-oss:20b", false },
		{ "{\"deniedModels\":[\"gpt-oss:20b\"]}", "gpt-oss:120b", true },
	};

	check_rows(rows, countof(rows));
}

TEST(what_an_alias_stands_for_is_of_its_family_unless_it_says_otherwise)
{
	defer(world_clear) struct world w;

	world_init(&w, "{\"deniedModels\":[\"opus\"]}");
	model_table_alias(w.table, SV("opus"), SV("house-model[1m]"));
	CHECK(!model_rules_allow(&w.rules, SV("house-model")));
	CHECK(model_rules_allow(&w.rules, SV("house-model-2")));
	model_table_alias(w.table, SV("opus"), SV("claude-sonnet-5-5"));
	CHECK(model_rules_allow(&w.rules, SV("claude-sonnet-5-5")));
}

TEST(an_id_of_the_provider_is_no_way_round_the_lists)
{
	static const struct row rows[] = {
		{ "{\"deniedModels\":[\"opus\"],\"modelOverrides\":{\"claude-haiku-5-5\":\"x."
		  "CLAUDE-OPUS-5-"
		  "5\"}}",
		  "claude-haiku-5-5", false },
		{ "{\"deniedModels\":[\"opus\"],\"modelOverrides\":{\"claude-opus-5-5\":\"arn:x/"
		  "abc\"}}",
		  "arn:x/ABC[1m]", false },
		{ "{\"availableModels\":[\"haiku\"],"
		  "\"modelOverrides\":{\"claude-haiku-5-5\":\"x.CLAUDE-OPUS-5-5\"}}",
		  "claude-haiku-5-5", false },
		{ "{\"availableModels\":[\"haiku\"],\"modelOverrides\":{\"claude-haiku-5-5\":\"arn:"
		  "x/abc\"}}",
		  "claude-haiku-5-5", true },
		{ "{\"availableModels\":[\"haiku\"],\"modelOverrides\":{\"claude-haiku-5-5\":\"arn:"
		  "x/abc\"}}",
		  "arn:x/abc", true },
		{ "{\"availableModels\":[\"haiku\"],\"modelOverrides\":{\"claude-opus-5-5\":\"arn:"
		  "x/abc\"}}",
		  "arn:x/abc", false },
	};

	check_rows(rows, countof(rows));
}

TEST(what_forbids_a_model_is_said_with_key_and_place)
{
	defer(world_clear) struct world w, list;
	struct err err = ERR_INIT;

	world_init(&w, "{\"deniedModels\":[\"haiku\",\"Opus\"]}");
	CHECK(!model_rules_check_model(&w.rules, SV("claude-opus-5-5"), &err));
	CHECK_STR(err.text, "model claude-opus-5-5 is not allowed: deniedModels contains \"Opus\" "
			    "(f.json:deniedModels:Opus)");
	CHECK(err.kind == ERR_ACCESS);
	world_init(&list, "{\"availableModels\":[\"haiku\"]}");
	CHECK(!model_rules_check_model(&list.rules, SV("claude-opus-5-5"), &err));
	CHECK_STR(err.text, "model claude-opus-5-5 is not allowed: not in availableModels "
			    "(f.json:availableModels:)");
}

/* "": none is left. */
static void check_default(const char *settings, const char *usual, const char *expected)
{
	defer(world_clear) struct world w;
	defer(str_clear) struct str id = STR_INIT;
	struct err err = ERR_INIT;
	bool found;

	world_init(&w, settings);
	w.rules.usual = sv_cstr(usual);
	found = model_rules_default(&w.rules, &id, &err);
	CHECK(found == (*expected != '\0'));
	CHECK_STR(str_c(&id), expected);
	if (!found)
		CHECK(sv_find(sv_cstr(err.text), SV("f.json:")) != SIZE_MAX);
}

TEST(the_default_is_the_usual_one_or_the_first_that_may_be)
{
	static const char *const rows[][2] = {
		{ "{}", "claude-opus-5-5" },
		{ "{\"availableModels\":[]}", "claude-opus-5-5" },
		{ "{\"availableModels\":[],\"enforceAvailableModels\":true}", "claude-opus-5-5" },
		{ "{\"availableModels\":[\"haiku\"]}", "claude-opus-5-5" },
		{ "{\"availableModels\":[\"haiku\"],\"enforceAvailableModels\":true}",
		  "claude-haiku-5-5" },
		{ "{\"availableModels\":[\"haiku\"],\"availableModelsMatch\":\"exact\"}",
		  "claude-haiku-5-5" },
		{ "{\"availableModels\":[\"best\",\"opus-4-5\"],\"enforceAvailableModels\":true}",
		  "claude-opus-4-5" },
		{ "{\"availableModels\":[\"opus\",\"opus-4-5\"],\"enforceAvailableModels\":true}",
		  "claude-opus-4-5" },
		{ "{\"availableModels\":[\"haiku\",\"opus\"],\"enforceAvailableModels\":true}",
		  "claude-opus-5-5" },
		{ "{\"availableModels\":[\"haiku\",\"sonnet\"],\"enforceAvailableModels\":true,"
		  "\"deniedModels\":[\"haiku\"]}",
		  "claude-sonnet-5-5" },
		{ "{\"availableModels\":[\"sonnet\"],\"deniedModels\":[\"opus\"]}",
		  "claude-sonnet-5-5" },
		{ "{\"availableModels\":[\"sonnet\"],\"deniedModels\":[\"opus\",\"sonnet\"]}", "" },
		{ "{\"availableModels\":[],\"deniedModels\":[\"opus\"]}", "claude-sonnet-5-5" },
		{ "{\"deniedModels\":[\"claude-opus-5-5\"]}", "claude-opus-5" },
		{ "{\"deniedModels\":[\"claude-opus-5\"]}", "claude-opus-4-8" },
		{ "{\"deniedModels\":[\"opus\"]}", "claude-sonnet-5-5" },
		{ "{\"deniedModels\":[\"opus\",\"sonnet\",\"haiku\",\"fable\"]}", "" },
	};

	for (size_t i = 0; i < countof(rows); i++)
		check_default(rows[i][0], "claude-opus-5-5", rows[i][1]);
	check_default("{\"deniedModels\":[\"gpt-5\"]}", "gpt-5", "claude-opus-5-5");
}

TEST(a_model_goes_by_the_providers_id_where_one_is_given)
{
	defer(world_clear) struct world w;

	world_init(&w, "{\"modelOverrides\":{\"claude-opus-5-5\":\"arn:x/1\",\"m\":\"n[1m]\"}}");
	CHECK_SV_EQ(model_rules_wire(&w.rules, SV("claude-opus-5-5")), SV("arn:x/1"));
	CHECK_SV_EQ(model_rules_wire(&w.rules, SV("Claude-Opus-5-5[1m]")), SV("arn:x/1"));
	CHECK_SV_EQ(model_rules_wire(&w.rules, SV("m")), SV("n"));
	CHECK(model_rules_wire(&w.rules, SV("claude-opus-5")).len == 0);
}

TEST(effort_is_the_one_asked_for_within_all_limits)
{
	static const struct {
		const char *settings, *id, *asked, *effort;
	} rows[] = {
		{ "{}", "claude-opus-5-5", "", "" },
		{ "{}", "claude-opus-5-5", "max", "max" },
		{ "{\"effortLevel\":\"low\"}", "claude-opus-5-5", "", "low" },
		{ "{\"effortLevel\":\"low\"}", "claude-opus-5-5", "high", "high" },
		{ "{\"maxEffortLevel\":\"medium\"}", "claude-opus-5-5", "max", "medium" },
		{ "{\"maxEffortLevel\":\"medium\"}", "claude-opus-5-5", "low", "low" },
		{ "{\"maxEffortLevel\":\"medium\",\"effortLevel\":\"xhigh\"}", "claude-opus-5-5",
		  "", "medium" },
		{ "{\"maxEffortLevel\":\"low\"}", "claude-opus-5-5", "", "low" },
		{ "{\"maxEffortLevel\":\"high\"}", "claude-opus-5-5", "", "" },
		{ "{\"maxEffortLevel\":\"low\"}", "claude-haiku-4-5", "", "" },
		{ "{\"modelSettings\":{\"opus\":{\"effortLevel\":\"low\"}}}", "claude-opus-5-5", "",
		  "low" },
		{ "{\"modelSettings\":{\"opus\":{\"effortLevel\":\"low\"}}}", "claude-sonnet-5-5",
		  "", "" },
		{ "{\"effortLevel\":\"max\",\"modelSettings\":{\"claude-opus-5-5\":{"
		  "\"effortLevel\":\"medium\"},"
		  "\"opus\":{\"effortLevel\":\"low\"}}}",
		  "us.anthropic.claude-opus-5-5-v1:0", "", "medium" },
		{ "{\"modelSettings\":{\"claude-opus-5\":{\"effortLevel\":\"low\"}}}",
		  "claude-opus-5-5", "", "" },
		{ "{\"maxEffortLevel\":\"xhigh\",\"modelSettings\":{\"opus\":{\"maxEffortLevel\":"
		  "\"high\"},"
		  "\"claude-opus-5-5\":{\"maxEffortLevel\":\"max\"}}}",
		  "claude-opus-5-5", "max", "high" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(world_clear) struct world w;
		enum model_effort effort;

		world_init(&w, rows[i].settings);
		effort =
			model_rules_effort(&w.rules, sv_cstr(rows[i].id), effort_of(rows[i].asked));
		if (effort != effort_of(rows[i].effort))
			fail_msg("row %zu: %s", i,
				 effort ? model_effort_name(effort) : "the default");
	}
}

TEST(a_level_of_effort_that_is_none_is_refused_with_its_place)
{
	defer(world_clear) struct world w, fine;
	struct err err = ERR_INIT;

	world_init(&fine, "{\"modelSettings\":{\"opus\":{\"maxEffortLevel\":\"max\","
			  "\"autoCompactWindow\":1}}}");
	CHECK_OK(model_rules_check(&fine.rules, &err), err);
	world_init(&w, "{\"modelSettings\":{\"opus\":{\"maxEffortLevel\":\"lo\"}}}");
	CHECK(!model_rules_check(&w.rules, &err));
	CHECK_STR(err.text, "f.json:modelSettings:: modelSettings.opus.maxEffortLevel: effort must "
			    "be low, medium, high, xhigh or max, not 'lo'");
}

TEST(the_model_and_what_limits_the_choice_are_described)
{
	defer(world_clear) struct world w, none, nobody;
	defer(str_clear) struct str text = STR_INIT;

	world_init(&none, "{}");
	model_rules_describe(&text, &none.rules);
	CHECK_STR(str_c(&text),
		  "model in use: claude-opus-5-5, context window 1M tokens, output up to 128k\n");
	world_init(&w, "{\"availableModels\":[],\"deniedModels\":[\"opus\",\"gpt-5\"],"
		       "\"maxEffortLevel\":\"low\"}");
	w.rules.wanted = SV("gpt-5");
	str_truncate(&text, 0);
	model_rules_describe(&text, &w.rules);
	CHECK_STR(str_c(&text),
		  "model in use: claude-sonnet-5-5, context window 1M tokens, output up to 128k\n"
		  "model gpt-5 is not allowed: deniedModels contains \"gpt-5\" "
		  "(f.json:deniedModels:gpt-5); using claude-sonnet-5-5 instead.\n"
		  "models: the default only (availableModels, f.json:availableModels:)\n"
		  "denied models: opus, gpt-5 (deniedModels, f.json:deniedModels:)\n"
		  "most effort: low (maxEffortLevel, f.json:maxEffortLevel:)\n");
	world_init(&nobody, "{\"availableModels\":[\"opus\"],\"deniedModels\":[\"opus\"]}");
	str_truncate(&text, 0);
	model_rules_describe(&text, &nobody.rules);
	CHECK(sv_starts(sv_of(&text), SV("model in use: no model is allowed: ")));
}

TEST(a_name_leads_to_a_model_that_may_be_asked)
{
	static const struct {
		const char *settings, *wanted, *name, *id, *noted;
	} rows[] = {
		{ "{}", "", "", "claude-opus-5-5", "" },
		{ "{}", "claude-haiku-4-5", "", "claude-haiku-4-5", "" },
		{ "{}", "claude-haiku-4-5", "Default", "claude-haiku-4-5", "" },
		{ "{}", "claude-haiku-4-5", "sonnet", "claude-sonnet-5-5", "" },
		{ "{\"deniedModels\":[\"haiku\"]}", "claude-haiku-4-5", "", "claude-opus-5-5",
		  "haiku-4-5" },
		{ "{\"deniedModels\":[\"haiku\"]}", "", "haiku", NULL, "" },
		/* The default need not be listed, but goes by no other name. */
		{ "{\"availableModels\":[\"sonnet\"]}", "claude-opus-5-5", "", "claude-opus-5-5",
		  "" },
		{ "{\"availableModels\":[\"sonnet\"]}", "", "opus", NULL, "" },
		{ "{\"availableModels\":[\"sonnet\"],\"enforceAvailableModels\":true}",
		  "claude-opus-5-5", "", "claude-sonnet-5-5", "opus-5-5" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(world_clear) struct world w;
		defer(str_clear) struct str id = STR_INIT;
		defer(str_clear) struct str notes = STR_INIT;
		struct err err = ERR_INIT;

		world_init(&w, rows[i].settings);
		w.rules.wanted = sv_cstr(rows[i].wanted);
		CHECK(model_rules_find(&w.rules, sv_cstr(rows[i].name), &id, &notes, &err) ==
		      (rows[i].id != NULL));
		CHECK_STR(str_c(&id), rows[i].id ? rows[i].id : "");
		CHECK((notes.len > 0) == (*rows[i].noted != '\0'));
		CHECK(sv_find(sv_of(&notes), sv_cstr(rows[i].noted)) != SIZE_MAX);
		if (rows[i].id)
			CHECK_OK(model_rules_stand(&w.rules, sv_of(&id), &err), err);
	}
}

TEST(fallbacks_are_tried_in_order_and_only_where_they_may_be_asked)
{
	defer(world_clear) struct world w;
	defer(str_clear) struct str ids = STR_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct sv lines;

	world_init(&w, "{\"deniedModels\":[\"haiku\"],"
		       "\"list\":[\"default\",\" haiku \",\"sonnet\",\"claude-opus-4-1\"]}");
	model_rules_fallbacks(&w.rules, NULL, json_get(json_root(w.doc), "list"), &ids, &notes);
	CHECK_STR(str_c(&ids), "claude-opus-5-5\nclaude-sonnet-5-5\n");
	CHECK_STR(str_c(&notes), "Skipped a fallback model: model claude-haiku-5-5 is not allowed: "
				 "deniedModels contains \"haiku\" (f.json:deniedModels:haiku)\n"
				 "Only the first three fallback models are used.\n");
	lines = sv_of(&ids);
	CHECK_SV(model_rules_fallback(&w.rules, lines, SV("x")), "claude-opus-5-5");
	CHECK_SV(model_rules_fallback(&w.rules, lines, SV("claude-opus-5-5")), "claude-sonnet-5-5");
	CHECK_SV(model_rules_fallback(&w.rules, SV("claude-haiku-5-5\n"), SV("x")), "");
	str_truncate(&ids, 0);
	model_rules_fallbacks(&w.rules, "sonnet, ,gpt-5", json_get(json_root(w.doc), "list"), &ids,
			      &notes);
	CHECK_STR(str_c(&ids), "claude-sonnet-5-5\ngpt-5\n");
}
