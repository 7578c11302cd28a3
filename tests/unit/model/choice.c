#include "model/choice.h"

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
	struct json root;

	w->doc = json_parse(sv_cstr(settings), 0, &err);
	CHECK_OK(w->doc != NULL, err);
	root = json_root(w->doc);
	w->table = model_table_new();
	w->rules = (struct model_rules){
		.table = w->table,
		.available = json_get(root, "available"),
		.denied = json_get(root, "denied"),
		.overrides = json_get(root, "overrides"),
		.by_model = json_get(root, "by"),
		.exact = json_bool_or(json_get(root, "exact"), false),
		.enforced = json_bool_or(json_get(root, "enforced"), false),
		.usual_effort = effort_of(json_str_or(json_get(root, "usual"), SV("")).ptr),
		.most_effort = effort_of(json_str_or(json_get(root, "most"), SV("")).ptr),
		.where = where,
	};
}

static void world_clear(struct world *w)
{
	json_doc_free(w->doc);
	model_table_free(w->table);
}

struct row {
	const char *settings, *id;
	bool permitted;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(world_clear) struct world w;
		struct err err = ERR_INIT;

		world_init(&w, rows[i].settings);
		if (model_rules_permit(&w.rules, sv_cstr(rows[i].id)) != rows[i].permitted)
			fail_msg("row %zu: %s is %spermitted by %s", i, rows[i].id,
				 rows[i].permitted ? "not " : "", rows[i].settings);
		CHECK(model_rules_need(&w.rules, sv_cstr(rows[i].id), &err) == rows[i].permitted);
	}
}

TEST(without_lists_every_model_may_be_asked)
{
	static const struct row rows[] = {
		{ "{}", "claude-opus-5-5", true },
		{ "{\"denied\":[]}", "anything", true },
		{ "{\"available\":[]}", "claude-opus-5-5", false },
		{ "{\"available\":[\"best\",\"default\"]}", "claude-opus-5-5", false },
		{ "{\"denied\":[\"best\",\"default\",\"\"]}", "claude-opus-5-5", true },
	};

	check_rows(rows, countof(rows));
}

TEST(an_available_model_is_known_in_every_spelling)
{
	static const struct row rows[] = {
		{ "{\"available\":[\"opus\"]}", "claude-opus-5-5", true },
		{ "{\"available\":[\"Opus\"]}", "claude-opus-4-1-20250805", true },
		{ "{\"available\":[\"claude-opus\"]}", "my-own-opus", true },
		{ "{\"available\":[\"opus[1m]\"]}", "CLAUDE-OPUS-5-5[1m]", true },
		{ "{\"available\":[\"opus\"]}", "claude-sonnet-5-5", false },
		{ "{\"available\":[\"opus\"]}", "opusplan", false },
		{ "{\"available\":[\"haiku\"]}", "haiku/claude-opus-5-5", false },
		{ "{\"available\":[\"opus-4-5\"]}", "claude-opus-4-5", true },
		{ "{\"available\":[\"opus-4-5\"]}", "claude-opus-4-5-20251101", true },
		{ "{\"available\":[\"claude-opus-4.5\"]}", "anthropic/claude-opus-4.5", true },
		{ "{\"available\":[\"opus-4-5\"]}", "us.anthropic.claude-opus-4-5-20251101-v1:0",
		  true },
		{ "{\"available\":[\"opus-4-5\"]}", "claude-opus-4-5@20251101", true },
		{ "{\"available\":[\"opus-4-5\"]}", "claude-opus-4-1", false },
		{ "{\"available\":[\"opus-4-5\"]}", "claude-opus-4-51", false },
		{ "{\"available\":[\"opus-4-5\"]}", "claude-sonnet-4-5", false },
		{ "{\"available\":[\"opus-4-5\"]}", "my-own-opus", false },
		{ "{\"available\":[\"claude-3-7-sonnet\"]}", "claude-3-7-sonnet-20250219", true },
		{ "{\"available\":[\"claude-3-7-sonnet\"]}", "claude-3-5-sonnet-20241022", false },
		{ "{\"available\":[\"claude-opus-4-0\"]}", "claude-opus-4-20250514", true },
		{ "{\"available\":[\"claude-opus-4-0\"]}", "claude-opus-4-1", false },
		{ "{\"available\":[\"claude-opus-4-5-20251101\"]}",
		  "global.anthropic.claude-opus-4-5-20251101-v1:0", true },
		{ "{\"available\":[\"claude-opus-4-5-20251101\"]}", "claude-opus-4-5", false },
		{ "{\"available\":[\"gpt-5\"]}", "openai/gpt-5", true },
		{ "{\"available\":[\"gpt-5\"]}", "gpt-5-2025-08-07", true },
		{ "{\"available\":[\"gpt-5\"]}", "gpt-5-mini", true },
		{ "{\"available\":[\"gpt-5\"]}", "gpt-55", false },
		{ "{\"available\":[\"team-a/coder\"]}", "team-a/coder", true },
		{ "{\"available\":[\"team-a/coder\"]}", "team-b/coder", false },
	};

	check_rows(rows, countof(rows));
}

TEST(a_version_without_its_minor_number_is_all_of_them_unless_the_match_is_exact)
{
	static const struct row rows[] = {
		{ "{\"available\":[\"claude-opus-5\"]}", "claude-opus-5-5", true },
		{ "{\"available\":[\"claude-opus-5\"],\"exact\":true}", "claude-opus-5", true },
		{ "{\"available\":[\"claude-opus-5\"],\"exact\":true}", "claude-opus-5-fast",
		  true },
		{ "{\"available\":[\"claude-opus-5\"],\"exact\":true}", "claude-opus-5-20260101",
		  true },
		{ "{\"available\":[\"claude-opus-5\"],\"exact\":true}", "claude-opus-5-5", false },
		{ "{\"available\":[\"claude-opus-5\"],\"exact\":true}", "claude-opus-5-latest",
		  false },
		{ "{\"available\":[\"claude-opus-5-latest\"],\"exact\":true}",
		  "claude-opus-5-latest", true },
		{ "{\"available\":[\"opus\"],\"exact\":true}", "claude-opus-5-5", true },
		{ "{\"available\":[\"gpt-5\"],\"exact\":true}", "gpt-5-2025-08-07", true },
		{ "{\"available\":[\"gpt-5\"],\"exact\":true}", "gpt-5-mini", false },
	};

	check_rows(rows, countof(rows));
}

TEST(a_version_in_the_list_narrows_its_family)
{
	static const struct row rows[] = {
		{ "{\"available\":[\"opus\",\"opus-4-5\",\"haiku\"]}", "claude-opus-4-5", true },
		{ "{\"available\":[\"opus\",\"opus-4-5\",\"haiku\"]}", "claude-opus-5-5", false },
		{ "{\"available\":[\"opus-4-5\",\"opus\",\"haiku\"]}", "claude-opus-5-5", false },
		{ "{\"available\":[\"opus\",\"opus-4-5\",\"haiku\"]}", "claude-haiku-4-5", true },
	};

	check_rows(rows, countof(rows));
}

TEST(a_denied_model_is_out_of_reach_in_every_spelling)
{
	static const struct row rows[] = {
		{ "{\"denied\":[\"opus\"],\"available\":[\"opus\"]}", "claude-opus-5-5", false },
		{ "{\"denied\":[\"opus\"]}", "Claude-OPUS-5-5[1m]", false },
		{ "{\"denied\":[\"opus\"]}", "claude-3-opus-20240229", false },
		{ "{\"denied\":[\"opus\"]}", "openrouter/anthropic/claude-opus-4.1", false },
		{ "{\"denied\":[\"opus\"]}", "claude-opus-4-5/", false },
		{ "{\"denied\":[\"opus\"]}", "claude-sonnet-5-5", true },
		{ "{\"denied\":[\"opus\"]}", "opusculum-7b", true },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", " claude-opus-5-5 ", false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "claude-opus-5.5-fast", false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "opus5.5", false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "claude-opus-5-5-20260901", false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}",
		  "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5-5-v1:0",
		  false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "claude-opus-latest", false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "opus/claude-opus-5-5", false },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "claude-opus-5", true },
		{ "{\"denied\":[\"claude-opus-5\"]}", "claude-opus-5-5", false },
		{ "{\"denied\":[\"claude-opus-5\"]}", "claude-opus-4-5", true },
		{ "{\"denied\":[\"claude-opus-5\"]}", "claude-sonnet-5", true },
		{ "{\"denied\":[\"claude-sonnet-4-5-20250929\"]}", "claude-sonnet-4-5", false },
		{ "{\"denied\":[\"gpt-5\"]}", "openai/GPT-5-2025-08-07", false },
		{ "{\"denied\":[\"gpt-5-2025-08-07\"]}", "gpt-5", false },
		{ "{\"denied\":[\"openai/gpt-5\"]}", "gpt-5", false },
		{ "{\"denied\":[\"gpt-5\"]}", "gpt-5-mini", true },
		{ "{\"denied\":[\"gpt-oss\"]}", "gpt-oss:20b", false },
		{ "{\"denied\":[\"gpt-oss:20b\"]}", "gpt-oss:120b", true },
	};

	check_rows(rows, countof(rows));
}

TEST(what_an_alias_stands_for_is_of_its_family_unless_it_says_otherwise)
{
	defer(world_clear) struct world w;

	world_init(&w, "{\"denied\":[\"opus\"]}");
	model_table_alias(w.table, SV("opus"), SV("house-model[1m]"));
	CHECK(!model_rules_permit(&w.rules, SV("house-model")));
	CHECK(model_rules_permit(&w.rules, SV("house-model-2")));
	model_table_alias(w.table, SV("opus"), SV("claude-sonnet-5-5"));
	CHECK(model_rules_permit(&w.rules, SV("claude-sonnet-5-5")));
}

TEST(an_id_of_the_provider_is_no_way_round_the_lists)
{
	static const struct row rows[] = {
		{ "{\"denied\":[\"opus\"],\"overrides\":{\"claude-haiku-5-5\":\"x.CLAUDE-OPUS-5-"
		  "5\"}}",
		  "claude-haiku-5-5", false },
		{ "{\"denied\":[\"opus\"],\"overrides\":{\"claude-opus-5-5\":\"arn:x/abc\"}}",
		  "arn:x/ABC[1m]", false },
		{ "{\"available\":[\"haiku\"],"
		  "\"overrides\":{\"claude-haiku-5-5\":\"x.CLAUDE-OPUS-5-5\"}}",
		  "claude-haiku-5-5", false },
		{ "{\"available\":[\"haiku\"],\"overrides\":{\"claude-haiku-5-5\":\"arn:x/abc\"}}",
		  "claude-haiku-5-5", true },
		{ "{\"available\":[\"haiku\"],\"overrides\":{\"claude-haiku-5-5\":\"arn:x/abc\"}}",
		  "arn:x/abc", true },
		{ "{\"available\":[\"haiku\"],\"overrides\":{\"claude-opus-5-5\":\"arn:x/abc\"}}",
		  "arn:x/abc", false },
	};

	check_rows(rows, countof(rows));
}

TEST(what_forbids_a_model_is_said_with_key_and_place)
{
	defer(world_clear) struct world w, list;
	struct err err = ERR_INIT;

	world_init(&w, "{\"denied\":[\"haiku\",\"Opus\"]}");
	CHECK(!model_rules_need(&w.rules, SV("claude-opus-5-5"), &err));
	CHECK_STR(err.text, "the model claude-opus-5-5 may not be asked: deniedModels has "
			    "\"Opus\" (f.json:deniedModels:Opus)");
	CHECK(err.kind == ERR_ACCESS);
	world_init(&list, "{\"available\":[\"haiku\"]}");
	CHECK(!model_rules_need(&list.rules, SV("claude-opus-5-5"), &err));
	CHECK_STR(err.text, "the model claude-opus-5-5 may not be asked: availableModels does "
			    "not have it (f.json:availableModels:)");
}

/* "": none is left. */
static void check_default(const char *settings, const char *usual, const char *expected)
{
	defer(world_clear) struct world w;
	defer(str_clear) struct str id = STR_INIT;
	struct err err = ERR_INIT;
	bool found;

	world_init(&w, settings);
	found = model_rules_default(&w.rules, sv_cstr(usual), &id, &err);
	CHECK(found == (*expected != '\0'));
	CHECK_STR(str_c(&id), expected);
	if (!found)
		CHECK(sv_find(sv_cstr(err.text), SV("f.json:")) != SIZE_MAX);
}

TEST(the_default_is_the_usual_one_or_the_first_that_may_be)
{
	static const char *const rows[][2] = {
		{ "{}", "claude-opus-5-5" },
		{ "{\"available\":[]}", "claude-opus-5-5" },
		{ "{\"available\":[],\"enforced\":true}", "claude-opus-5-5" },
		{ "{\"available\":[\"haiku\"]}", "claude-opus-5-5" },
		{ "{\"available\":[\"haiku\"],\"enforced\":true}", "claude-haiku-5-5" },
		{ "{\"available\":[\"haiku\"],\"exact\":true}", "claude-haiku-5-5" },
		{ "{\"available\":[\"best\",\"opus-4-5\"],\"enforced\":true}", "claude-opus-4-5" },
		{ "{\"available\":[\"opus\",\"opus-4-5\"],\"enforced\":true}", "claude-opus-4-5" },
		{ "{\"available\":[\"haiku\",\"opus\"],\"enforced\":true}", "claude-opus-5-5" },
		{ "{\"available\":[\"haiku\",\"sonnet\"],\"enforced\":true,\"denied\":[\"haiku\"]}",
		  "claude-sonnet-5-5" },
		{ "{\"available\":[\"sonnet\"],\"denied\":[\"opus\"]}", "claude-sonnet-5-5" },
		{ "{\"available\":[\"sonnet\"],\"denied\":[\"opus\",\"sonnet\"]}", "" },
		{ "{\"available\":[],\"denied\":[\"opus\"]}", "claude-sonnet-5-5" },
		{ "{\"denied\":[\"claude-opus-5-5\"]}", "claude-opus-5" },
		{ "{\"denied\":[\"claude-opus-5\"]}", "claude-opus-4-6" },
		{ "{\"denied\":[\"opus\"]}", "claude-sonnet-5-5" },
		{ "{\"denied\":[\"opus\",\"sonnet\",\"haiku\",\"fable\"]}", "" },
	};

	for (size_t i = 0; i < countof(rows); i++)
		check_default(rows[i][0], "claude-opus-5-5", rows[i][1]);
	check_default("{\"denied\":[\"gpt-5\"]}", "gpt-5", "claude-opus-5-5");
}

TEST(a_model_goes_by_the_providers_id_where_one_is_given)
{
	defer(world_clear) struct world w;

	world_init(&w, "{\"overrides\":{\"claude-opus-5-5\":\"arn:x/1\",\"m\":\"n[1m]\"}}");
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
		{ "{\"usual\":\"low\"}", "claude-opus-5-5", "", "low" },
		{ "{\"usual\":\"low\"}", "claude-opus-5-5", "high", "high" },
		{ "{\"most\":\"medium\"}", "claude-opus-5-5", "max", "medium" },
		{ "{\"most\":\"medium\"}", "claude-opus-5-5", "low", "low" },
		{ "{\"most\":\"medium\",\"usual\":\"xhigh\"}", "claude-opus-5-5", "", "medium" },
		{ "{\"most\":\"low\"}", "claude-opus-5-5", "", "low" },
		{ "{\"most\":\"high\"}", "claude-opus-5-5", "", "" },
		{ "{\"most\":\"low\"}", "claude-haiku-4-5", "", "" },
		{ "{\"by\":{\"opus\":{\"effortLevel\":\"low\"}}}", "claude-opus-5-5", "", "low" },
		{ "{\"by\":{\"opus\":{\"effortLevel\":\"low\"}}}", "claude-sonnet-5-5", "", "" },
		{ "{\"usual\":\"max\",\"by\":{\"claude-opus-5-5\":{\"effortLevel\":\"medium\"},"
		  "\"opus\":{\"effortLevel\":\"low\"}}}",
		  "us.anthropic.claude-opus-5-5-v1:0", "", "medium" },
		{ "{\"by\":{\"claude-opus-5\":{\"effortLevel\":\"low\"}}}", "claude-opus-5-5", "",
		  "" },
		{ "{\"most\":\"xhigh\",\"by\":{\"opus\":{\"maxEffortLevel\":\"high\"},"
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

	world_init(&fine,
		   "{\"by\":{\"opus\":{\"maxEffortLevel\":\"max\",\"autoCompactWindow\":1}}}");
	CHECK_OK(model_rules_check(&fine.rules, &err), err);
	world_init(&w, "{\"by\":{\"opus\":{\"maxEffortLevel\":\"lo\"}}}");
	CHECK(!model_rules_check(&w.rules, &err));
	CHECK_STR(err.text, "f.json:modelSettings:: modelSettings.opus.maxEffortLevel: the effort "
			    "is low, medium, high, xhigh or max, not 'lo'");
}

TEST(what_limits_the_choice_is_described)
{
	defer(world_clear) struct world w, none;
	defer(str_clear) struct str text = STR_INIT;

	world_init(&none, "{}");
	model_rules_describe(&text, &none.rules);
	CHECK(text.len == 0);
	world_init(&w, "{\"available\":[],\"denied\":[\"opus\",\"gpt-5\"],\"most\":\"low\"}");
	model_rules_describe(&text, &w.rules);
	CHECK_STR(str_c(&text),
		  "models: the default only (availableModels, f.json:availableModels:)\n"
		  "denied models: opus, gpt-5 (deniedModels, f.json:deniedModels:)\n"
		  "most effort: low (maxEffortLevel, f.json:maxEffortLevel:)\n");
}
