#include "model/catalogue/models.h"

#include "test.h"

static void check_resolves(const struct model_table *table, const char *name, const char *id)
{
	CHECK_SV_EQ(model_resolve(table, sv_cstr(name)), sv_cstr(id));
}

TEST(aliases_lead_to_ids_and_anything_else_stays)
{
	defer(model_table_freep) struct model_table *table = model_table_new();

	check_resolves(table, "opus", "claude-opus-5-5");
	check_resolves(table, "Opus", "claude-opus-5-5");
	check_resolves(table, "default", "claude-opus-5-5");
	check_resolves(table, "best", "claude-opus-5-5");
	check_resolves(table, "haiku", "claude-haiku-5-5");
	check_resolves(table, "sonnet[1m]", "claude-sonnet-5-5[1m]");
	check_resolves(table, "opusplan[1m]", "claude-sonnet-5-5[1m]");
	check_resolves(table, "claude-opus-4-1-20250805", "claude-opus-4-1-20250805");
	check_resolves(table, "claude-sonnet-4-5[1m]", "claude-sonnet-4-5[1m]");
	check_resolves(table, "[1m]", "[1m]");
	check_resolves(table, "", "");
}

TEST(an_override_of_an_alias_also_counts_for_those_that_follow_it)
{
	defer(model_table_freep) struct model_table *table = model_table_new();

	model_table_alias(table, SV("sonnet"), SV("us.anthropic.my-sonnet-v1:0"));
	check_resolves(table, "sonnet", "us.anthropic.my-sonnet-v1:0");
	check_resolves(table, "opusplan", "us.anthropic.my-sonnet-v1:0");
	check_resolves(table, "sonnet[1m]", "us.anthropic.my-sonnet-v1:0[1m]");
	model_table_alias(table, SV("opus"), SV("x[1m]"));
	check_resolves(table, "opus[1m]", "x[1m]");
}

TEST(aliases_that_go_round_in_circles_end)
{
	defer(model_table_freep) struct model_table *table = model_table_new();

	model_table_alias(table, SV("opus"), SV("best"));
	CHECK(model_resolve(table, SV("opus")).len > 0);
}

TEST(ids_of_clouds_routers_dates_and_tags_find_their_model)
{
	static const char *const ids[][2] = {
		{ "claude-sonnet-4-5", "claude-sonnet-4-5" },
		{ "claude-sonnet-4-5-20250929", "claude-sonnet-4-5" },
		{ "claude-sonnet-4-5[1m]", "claude-sonnet-4-5" },
		{ "claude-sonnet-4-5@20250929", "claude-sonnet-4-5" },
		{ "anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5" },
		{ "us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]", "claude-sonnet-4-5" },
		{ "global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6" },
		{ "arn:aws:bedrock:us-east-1:1:inference-profile/"
		  "eu.anthropic.claude-opus-4-20250514-v1:0",
		  "claude-opus-4" },
		{ "anthropic/claude-sonnet-4.5", "claude-sonnet-4-5" },
		{ "claude-3-5-haiku-latest", "claude-3-5-haiku" },
		{ "claude-3-7-sonnet@20250219", "claude-3-7-sonnet" },
		{ "claude-opus-4-1-20250805", "claude-opus-4-1" },
		{ "gpt-4o-2024-08-06", "gpt-4o" },
		{ "openai/gpt-5-mini", "gpt-5-mini" },
		{ "gpt-oss:20b", "gpt-oss" },
	};
	defer(model_table_freep) struct model_table *table = model_table_new();

	for (size_t i = 0; i < countof(ids); i++) {
		struct model_info info = model_info(table, sv_cstr(ids[i][0]));

		CHECK_SV_EQ(info.id, sv_cstr(ids[i][1]));
		CHECK(info.known);
	}
}

TEST(names_that_only_begin_like_a_known_one_are_unknown)
{
	static const char *const ids[] = { "gpt-4o-audio-preview",
					   "claude-sonnet-4-9",
					   "claude-",
					   "gpt-5-chat-latest",
					   "",
					   "-",
					   "/",
					   "claude-sonnet-4-5-2025092" };
	defer(model_table_freep) struct model_table *table = model_table_new();

	for (size_t i = 0; i < countof(ids); i++) {
		struct model_info info = model_info(table, sv_cstr(ids[i]));

		CHECK(!info.known);
		CHECK_SV_EQ(info.id, sv_cstr(ids[i]));
		CHECK(info.price.input < 0 && info.price.output < 0);
		CHECK(info.default_output <= 32000 && info.max_output == 32000);
		CHECK(info.context > info.max_output);
	}
}

TEST(the_table_has_the_published_limits_and_prices)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct model_info opus = model_info(table, SV("claude-opus-4-5"));
	struct model_info haiku = model_info(table, SV("claude-3-5-haiku"));

	CHECK_INT(opus.context, 200000);
	CHECK_INT(opus.max_output, 64000);
	CHECK_INT(opus.price.input, 5000);
	CHECK_INT(opus.price.output, 25000);
	CHECK_INT(opus.price.cache_read, 500);
	CHECK_INT(opus.price.cache_write_5m, 6250);
	CHECK_INT(opus.price.cache_write_1h, 10000);
	CHECK_INT(haiku.price.input, 800);
	CHECK_INT(haiku.price.cache_read, 80);
	CHECK_INT(haiku.max_output, 8192);
	CHECK(!(haiku.abilities & MODEL_THINKS));
	opus = model_info(table, SV("claude-opus-5-5"));
	CHECK_INT(opus.context, 1000000);
	CHECK_INT(opus.price.input, 4000);
	CHECK_INT(opus.price.cache_read, 200);
}

TEST(the_long_window_is_asked_for_by_a_suffix)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	bool wants_long;

	CHECK_INT(model_info(table, SV("claude-sonnet-4-5[1m]")).context, 1000000);
	CHECK_SV(model_wire_id(SV("claude-sonnet-4-5[1M]"), &wants_long), "claude-sonnet-4-5");
	CHECK(wants_long);
	CHECK_SV(model_wire_id(SV("claude-sonnet-4-5"), &wants_long), "claude-sonnet-4-5");
	CHECK(!wants_long);
}

typedef bool take_fn(struct model_table *table, struct json json, struct err *err);

static bool take(take_fn *fn, struct model_table *table, const char *text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(text), 0, err);

	CHECK(doc);
	return fn(table, json_root(doc), err);
}

TEST(settings_add_models_and_override_single_facts)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;
	struct model_info info;

	CHECK_OK(take(model_table_extend, table,
		      "{\"my-model\":{\"name\":\"Mine\",\"context\":8000,\"maxOutput\":4000,"
		      "\"abilities\":[\"tools\",\"images\"],\"price\":{\"input\":0.25,"
		      "\"output\":1,\"cacheRead\":0}},"
		      "\"claude-opus-4-1\":{\"price\":{\"input\":7}}}",
		      &err),
		 err);
	info = model_info(table, SV("my-model"));
	CHECK(info.known);
	CHECK_SV(info.name, "Mine");
	CHECK_INT(info.context, 8000);
	CHECK_INT(info.max_output, 4000);
	CHECK(info.default_output <= 4000);
	CHECK_INT(info.abilities, MODEL_CALLS_TOOLS | MODEL_SEES);
	CHECK_INT(info.price.input, 250);
	CHECK_INT(info.price.cache_read, 0);
	CHECK_INT(info.price.cache_write_5m, -1);
	info = model_info(table, SV("eu.anthropic.claude-opus-4-1-20250805-v1:0"));
	CHECK_INT(info.price.input, 7000);
	CHECK_INT(info.price.output, 75000);
	CHECK_INT(info.context, 200000);
}

TEST(settings_that_cannot_be_meant_are_refused_by_name_and_change_nothing)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
		{ "[]", "object keyed by id" },
		{ "{\"a\":{\"context\":5},\"b\":7}", "model \"b\": must be an object" },
		{ "{\"a\":{\"context\":5},\"b\":{\"contxt\":7}}", "unknown member \"contxt\"" },
		{ "{\"a\":{\"context\":0}}", "\"context\" must be a number of tokens" },
		{ "{\"a\":{\"context\":1e18}}", "\"context\"" },
		{ "{\"a\":{\"maxOutput\":\"9\"}}", "\"maxOutput\"" },
		{ "{\"a\":{\"name\":9}}", "\"name\" must be a string" },
		{ "{\"a\":{\"abilities\":[\"fly\"]}}", "unknown ability \"fly\"" },
		{ "{\"a\":{\"abilities\":{}}}", "array of strings" },
		{ "{\"a\":{\"price\":{\"input\":-1}}}", "\"price\": \"input\"" },
		{ "{\"a\":{\"price\":{\"in\":1}}}", "unknown member \"in\"" },
		{ "{\"a\":{\"price\":3}}", "price must be an object" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(model_table_freep) struct model_table *table = model_table_new();
		struct err err = ERR_INIT;

		CHECK(!take(model_table_extend, table, cases[i].text, &err));
		CHECK_ERR(err, ERR_INVALID, cases[i].part);
		CHECK(!model_info(table, SV("a")).known);
	}
}

TEST(pricing_multiplies_list_prices_and_replaces_those_it_names)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;
	struct model_info info;

	CHECK_OK(take(model_table_prices, table,
		      "{\"multiplier\":0.5,\"overrides\":{\"claude-opus-4-1\":{\"input\":1,"
		      "\"output\":2,\"cacheRead\":0.1,\"cacheWrite\":1.5}}}",
		      &err),
		 err);
	CHECK_INT(model_info(table, SV("claude-sonnet-4-5")).price.output, 7500);
	info = model_info(table, SV("claude-opus-4-1-20250805"));
	CHECK_INT(info.price.input, 1000);
	CHECK_INT(info.price.cache_write_5m, 1500);
	CHECK(model_info(table, SV("gpt-oss")).price.input < 0);
	CHECK(!take(model_table_prices, table, "{\"multiplier\":-1}", &err));
	CHECK_ERR(err, ERR_INVALID, "multiplier");
	CHECK(!take(model_table_prices, table, "{\"overrides\":{\"x\":{\"input\":\"1\"}}}", &err));
	CHECK_ERR(err, ERR_INVALID, "\"overrides\" of \"x\": \"input\"");
	CHECK_INT(model_info(table, SV("claude-sonnet-4-5")).price.output, 7500);
}

TEST(what_a_host_lists_is_learnt_whichever_host_it_is)
{
	static const struct {
		const char *entry;
		int64_t context, output, input_price;
	} cases[] = {
		{ "{\"id\":\"m\",\"max_model_len\":40960}", 40960, 32000, -1 },
		{ "{\"id\":\"m\",\"meta\":{\"n_ctx_train\":8192}}", 8192, 8192, -1 },
		{ "{\"id\":\"m\",\"context_window\":131072,\"max_completion_tokens\":2048}", 131072,
		  2048, -1 },
		{ "{\"id\":\"m\",\"max_context_length\":9000,\"loaded_context_length\":4096}", 4096,
		  4096, -1 },
		{ "{\"id\":\"m\",\"max_input_tokens\":1000000,\"max_tokens\":128000}", 1000000,
		  128000, -1 },
		{ "{\"id\":\"m\",\"context_length\":64000,\"pricing\":{\"prompt\":\"0.0000025\","
		  "\"completion\":\"0.00001\"}}",
		  64000, 32000, 2500 },
		{ "{\"id\":\"m\",\"context_length\":64000,\"pricing\":{\"prompt\":\"-1\"}}", 64000,
		  32000, -1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(model_table_freep) struct model_table *table = model_table_new();
		defer(str_clear) struct str list = STR_INIT;
		struct err err = ERR_INIT;
		struct model_info info;

		str_addf(&list, "{\"object\":\"list\",\"data\":[%s]}", cases[i].entry);
		CHECK_OK(take(model_table_learn, table, list.ptr, &err), err);
		info = model_info(table, SV("m"));
		CHECK(info.known);
		CHECK_INT(info.context, cases[i].context);
		CHECK_INT(info.max_output, cases[i].output);
		CHECK(info.default_output < info.context);
		CHECK_INT(info.price.input, cases[i].input_price);
	}
}

TEST(abilities_are_learnt_from_anthropic_and_from_routers)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;
	struct model_info info;

	CHECK_OK(take(model_table_learn, table,
		      "{\"data\":[{\"id\":\"claude-new-9\",\"capabilities\":{"
		      "\"thinking\":{\"types\":{\"adaptive\":{\"supported\":false},"
		      "\"enabled\":{\"supported\":true}}},\"effort\":{\"supported\":false}}},"
		      "{\"id\":\"x/y\",\"supported_parameters\":[\"reasoning\"],"
		      "\"architecture\":{\"input_modalities\":[\"text\",\"image\"]}}]}",
		      &err),
		 err);
	info = model_info(table, SV("claude-new-9"));
	CHECK(info.abilities & MODEL_THINKS);
	CHECK(!(info.abilities & (MODEL_THINKS_ADAPTIVE | MODEL_TAKES_EFFORT)));
	CHECK(info.abilities & MODEL_CACHES); /* not said: as of every Claude */
	info = model_info(table, SV("x/y"));
	CHECK(info.abilities & MODEL_TAKES_EFFORT);
	CHECK(info.abilities & MODEL_SEES);
	CHECK(!model_may(&info, MODEL_CALLS_TOOLS));
}

TEST(a_claude_that_is_not_in_the_table_thinks_unless_it_is_an_old_one)
{
	defer(model_table_freep) struct model_table *table = model_table_new();

	CHECK(model_info(table, SV("claude-opus-9")).abilities & MODEL_THINKS_ADAPTIVE);
	CHECK(model_info(table, SV("us.anthropic.claude-opus-9-v1:0")).abilities &
	      MODEL_TAKES_EFFORT);
	CHECK(!(model_info(table, SV("claude-3-opus-20240229")).abilities &
		(MODEL_THINKS | MODEL_THINKS_ADAPTIVE | MODEL_TAKES_EFFORT)));
}

TEST(what_nobody_has_said_of_a_model_is_not_denied)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;
	struct model_info info = model_info(table, SV("m"));

	CHECK(model_may(&info, MODEL_SEES));
	CHECK_OK(take(model_table_learn, table, "{\"data\":[{\"id\":\"m\",\"max_model_len\":9}]}",
		      &err),
		 err);
	info = model_info(table, SV("m"));
	CHECK(info.known && model_may(&info, MODEL_SEES));
	CHECK_OK(take(model_table_extend, table, "{\"m\":{\"abilities\":[\"tools\"]}}", &err), err);
	info = model_info(table, SV("m"));
	CHECK(!model_may(&info, MODEL_SEES));
	CHECK(model_may(&info, MODEL_CALLS_TOOLS));
	info = model_info(table, SV("gpt-oss"));
	CHECK(!model_may(&info, MODEL_SEES));
}

TEST(a_listing_that_says_nothing_new_or_nonsense_changes_nothing)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;

	CHECK_OK(take(model_table_learn, table,
		      "{\"data\":[{\"id\":\"m\"},7,{\"max_model_len\":5},"
		      "{\"id\":\"n\",\"max_model_len\":-5},{\"id\":\"o\",\"max_model_len\":1e30}]}",
		      &err),
		 err);
	CHECK(!model_info(table, SV("m")).known);
	CHECK(!model_info(table, SV("n")).known);
	CHECK(!model_info(table, SV("o")).known);
	CHECK(!take(model_table_learn, table, "{\"error\":\"x\"}", &err));
	CHECK_ERR(err, ERR_PROTOCOL, "\"data\"");
}

TEST(settings_count_before_the_host_in_either_order)
{
	static const char *const models = "{\"m\":{\"context\":5000}}";
	static const char *const list = "{\"data\":[{\"id\":\"m\",\"max_model_len\":9000,"
					"\"max_output_tokens\":700}]}";

	for (int settings_first = 0; settings_first < 2; settings_first++) {
		defer(model_table_freep) struct model_table *table = model_table_new();
		struct err err = ERR_INIT;

		if (settings_first)
			CHECK_OK(take(model_table_extend, table, models, &err), err);
		CHECK_OK(take(model_table_learn, table, list, &err), err);
		if (!settings_first)
			CHECK_OK(take(model_table_extend, table, models, &err), err);
		CHECK_INT(model_info(table, SV("m")).context, 5000);
		CHECK_INT(model_info(table, SV("m")).max_output, 700);
	}
}
