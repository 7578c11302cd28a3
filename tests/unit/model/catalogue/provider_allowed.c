#include "model/catalogue/provider_allowed.h"

#include "test.h"

TEST(a_provider_is_called_by_its_name_only_on_its_own_hosts)
{
	static const struct {
		enum model_provider provider;
		const char *url, *word;
	} rows[] = {
		{ MODEL_ANTHROPIC, NULL, "anthropic" },
		{ MODEL_ANTHROPIC, "https://api.anthropic.com", "anthropic" },
		{ MODEL_ANTHROPIC, "https://API.anthropic.com/v1", "anthropic" },
		{ MODEL_ANTHROPIC, "http://api.anthropic.com", "customEndpoint" },
		{ MODEL_ANTHROPIC, "https://api.anthropic.com.evil.example", "customEndpoint" },
		{ MODEL_ANTHROPIC, "https://api.anthropic.com@evil.example", "customEndpoint" },
		{ MODEL_ANTHROPIC, "https://gateway.example", "customEndpoint" },
		{ MODEL_BEDROCK, NULL, "bedrock" },
		{ MODEL_BEDROCK, "https://bedrock-runtime-fips.us-east-1.amazonaws.com",
		  "bedrock" },
		{ MODEL_BEDROCK, "https://gateway.example", "customEndpoint" },
		{ MODEL_VERTEX, NULL, "vertex" },
		{ MODEL_VERTEX, "https://us-east5-aiplatform.googleapis.com/v1", "vertex" },
		{ MODEL_FOUNDRY, "https://x.services.ai.azure.com/anthropic", "foundry" },
		{ MODEL_OPENAI_CHAT, "https://api.openai.com/v1", "customEndpoint" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		struct model_config config = { .provider = rows[i].provider,
					       .base_url = rows[i].url };

		CHECK_STR(model_provider_word(&config), rows[i].word);
	}
	CHECK(!model_provider_word(&(struct model_config){ .provider = MODEL_REPLAY }));
}

TEST(a_list_of_the_policy_decides_who_may_be_asked)
{
	static const struct {
		enum model_provider provider;
		const char *url, *list, *pinned, *error;
	} rows[] = {
		{ MODEL_ANTHROPIC, NULL, "", "", NULL },
		{ MODEL_ANTHROPIC, NULL, "[\"bedrock\",\"anthropic\"]", "", NULL },
		{ MODEL_ANTHROPIC, NULL, "[\"bedrock\"]", "",
		  "provider anthropic (selected by A_KEY) is not allowed: not in "
		  "allowedProviders" },
		{ MODEL_ANTHROPIC, NULL, "[]", "",
		  "provider anthropic (selected by A_KEY) is not allowed: not in "
		  "allowedProviders" },
		{ MODEL_ANTHROPIC, "https://x", "[\"anthropic\"]", "https://x",
		  "provider customEndpoint (selected by ANTHROPIC_BASE_URL) is not allowed: not in "
		  "allowedProviders" },
		{ MODEL_ANTHROPIC, "https://x", "[\"customEndpoint\"]", "https://x", NULL },
		{ MODEL_ANTHROPIC, "https://x", "[\"customEndpoint\"]", "",
		  "the endpoint is not allowed: allowedProviders contains customEndpoint, but the "
		  "env of the managed settings does not set ANTHROPIC_BASE_URL to this endpoint" },
		{ MODEL_BEDROCK, "https://x", "[\"customEndpoint\"]", "https://y",
		  "the endpoint is not allowed: allowedProviders contains customEndpoint, but the "
		  "env of the managed settings does not set ANTHROPIC_BEDROCK_BASE_URL to this "
		  "endpoint" },
		{ MODEL_REPLAY, NULL, "[]", "", NULL },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		struct model_config config = { .provider = rows[i].provider,
					       .base_url = rows[i].url,
					       .auth_origin = "A_KEY" };
		struct err err = ERR_INIT, ignored = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(rows[i].list), 0, &ignored);

		CHECK(model_provider_check(&config, json_root(doc), sv_cstr(rows[i].pinned),
					   &err) == !rows[i].error);
		if (rows[i].error)
			CHECK_STR(err.text, rows[i].error);
	}
}
