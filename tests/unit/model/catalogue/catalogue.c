#include "model/catalogue/catalogue.h"

#include "test.h"

static void where(__attribute__((unused)) const void *arg, const char *key,
		  __attribute__((unused)) struct sv entry, struct str *out)
{
	str_adds(out, key);
}

/* The list that a host gets under these settings. */
static struct json_doc *list(const struct model_config *config, const char *settings,
			     const char *wanted)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(settings), 0, &err);
	struct model_rules rules = { .table = table,
				     .usual = SV("claude-opus-5-5"),
				     .wanted = sv_cstr(wanted),
				     .where = where };
	defer(str_clear) struct str out = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = { .kind = REPLY_MODELS };
	struct json_doc *listed;
	struct jw w;

	CHECK_OK(doc != NULL, err);
	model_rules_read(&rules, json_root(doc));
	jw_init(&w, &out, JW_COMPACT);
	jw_object(&w);
	reply.models = model_catalogue(config, &rules, &arena);
	control_reply_write(&w, &reply);
	jw_end(&w);
	jw_done(&w);
	listed = json_parse(sv_of(&out), 0, &err);
	CHECK_OK(listed != NULL, err);
	return listed;
}

static struct json models_of(const struct json_doc *listed)
{
	return json_path(json_root(listed), "response.response.models");
}

static void add_values(struct str *out, const struct json_doc *listed)
{
	struct json_iter it = json_each(models_of(listed));
	struct json item;

	while (json_next(&it, NULL, &item))
		str_addf(out, "%.*s ", SV_ARG(json_str_or(json_get(item, "value"), SV_EMPTY)));
}

TEST(only_what_may_be_asked_is_listed_and_nothing_twice)
{
	static const struct {
		const char *settings, *wanted, *values;
	} cases[] = {
		{ "{\"availableModels\":[\"opus-5-5\"]}", "", "default opus " },
		{ "{\"availableModels\":[\"haiku\",\"sonnet-5-5\"]}", "",
		  "default sonnet haiku claude-haiku-4-5 claude-3-5-haiku " },
		{ "{\"availableModels\":[\"my-model\",\"default\",\"my-model\"]}", "",
		  "default my-model " },
		{ "{\"availableModels\":[]}", "", "default " },
		{ "{\"availableModels\":[\"sonnet-5-5\",\"other\"]}", "other",
		  "default sonnet other " },
		{ "{\"deniedModels\":[\"opus\",\"sonnet\",\"haiku\"]}", "claude-mine",
		  "default fable claude-fable-5-1 claude-fable-5 claude-mine " },
	};
	const struct model_config config = { .provider = MODEL_ANTHROPIC };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *listed =
			list(&config, cases[i].settings, cases[i].wanted);
		defer(str_clear) struct str values = STR_INIT;

		add_values(&values, listed);
		CHECK_STR(str_c(&values), cases[i].values);
	}
}

TEST(what_a_provider_is_not_known_to_have_is_not_listed)
{
	static const struct {
		enum model_provider provider;
		const char *base_url;
		const char *has, *lacks;
	} cases[] = {
		{ MODEL_BEDROCK, NULL, " opus ", "gpt" },
		{ MODEL_VERTEX, NULL, " claude-opus-4-5 ", "gpt" },
		{ MODEL_OPENAI_RESPONSES, "https://api.openai.com/v1", " gpt-5 ", "opus " },
		{ MODEL_OPENAI_RESPONSES, "https://api.openai.com/v1", " o3 ", "gpt-oss" },
		{ MODEL_OPENAI_CHAT, "http://localhost:11434/v1", " mine ", "gpt" },
		{ MODEL_REPLAY, NULL, " mine ", "opus " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const struct model_config config = { .provider = cases[i].provider,
						     .base_url = cases[i].base_url };
		defer(json_doc_freep) struct json_doc *listed = list(&config, "{}", "mine");
		defer(str_clear) struct str values = STR_INIT;

		add_values(&values, listed);
		CHECK(strstr(str_c(&values), cases[i].has) != NULL);
		CHECK(strstr(str_c(&values), cases[i].lacks) == NULL);
	}
}

TEST(a_model_is_described_as_far_as_it_is_known)
{
	const struct model_config config = { .provider = MODEL_ANTHROPIC };
	defer(json_doc_freep) struct json_doc *listed =
		list(&config,
		     "{\"availableModels\":[\"opus-5-5\",\"mine\"],\"maxEffortLevel\":\"high\"}",
		     "mine");
	struct json usual = json_at(models_of(listed), 0), opus = json_at(models_of(listed), 1);
	struct json mine = json_at(models_of(listed), 2);

	CHECK_SV(json_str_or(json_get(usual, "resolvedModel"), SV_EMPTY), "mine");
	CHECK_SV(json_str_or(json_get(opus, "resolvedModel"), SV_EMPTY), "claude-opus-5-5");
	CHECK_SV(json_str_or(json_get(opus, "displayName"), SV_EMPTY), "Claude Opus 5.5");
	CHECK_SV(json_str_or(json_get(opus, "description"), SV_EMPTY),
		 "Claude Opus 5.5, 1M tokens of context, $4 in and $20 out per million");
	CHECK_INT(json_len(json_get(opus, "supportedEffortLevels")), 3);
	CHECK_SV(json_str_or(json_get(mine, "displayName"), SV_EMPTY), "mine");
	CHECK(!json_bool_or(json_get(mine, "supportsEffort"), true));
	CHECK(!json_exists(json_get(mine, "supportedEffortLevels")));
}
