#include "model/wire/clouds.h"

#define SONNET "claude-sonnet-4-5"

TEST(foundry_asks_the_host_of_its_resource)
{
	struct model_config config = { .azure_resource = "my-lab" };
	struct model_request request = hello_to(SONNET);

	check_url(&provider_foundry, &config, &request,
		  "https://my-lab.services.ai.azure.com/anthropic/v1/messages");
	config.base_url = "https://gate.example/anthropic/";
	check_url(&provider_foundry, &config, &request,
		  "https://gate.example/anthropic/v1/messages");
}

static void check_refused(const struct model_config *config, enum err_kind kind, const char *why)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct model_request request = hello_to(SONNET);
	struct err err = ERR_INIT;

	CHECK(!encode_with(&provider_foundry, &wire, config, &request, NULL, &err));
	CHECK_ERR(err, kind, why);
}

TEST(foundry_needs_a_resource_that_can_be_meant)
{
	check_refused(&(struct model_config){ .region = NULL }, ERR_NOT_FOUND,
		      "ANTHROPIC_FOUNDRY_RESOURCE");
	check_refused(&(struct model_config){ .azure_resource = "evil.example/" }, ERR_INVALID,
		      "ANTHROPIC_FOUNDRY_RESOURCE");
}

TEST(the_body_for_foundry_is_that_of_the_messages_api)
{
	struct model_config config = { .azure_resource = "lab", .betas = "one-2025" };
	struct model_request request = hello_to(SONNET);
	defer(wire_clear) struct wire wire = WIRE_INIT;
	defer(str_clear) struct str body = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json root;

	CHECK_OK(encode_with(&provider_foundry, &wire, &config, &request, NULL, &err), err);
	body_of(&body, &wire);
	doc = json_parse(sv_of(&body), 0, &err);
	root = json_root(doc);
	CHECK_SV(json_str_or(json_get(root, "model"), SV_EMPTY), SONNET);
	CHECK(json_bool_or(json_get(root, "stream"), false));
	CHECK_SV(header_of(&wire, "anthropic-version"), "2023-06-01");
	CHECK_SV(header_of(&wire, "anthropic-beta"), "one-2025");
}

TEST(foundry_counts_tokens_like_the_messages_api)
{
	struct model_config config = { .azure_resource = "lab" };
	struct model_request request = hello_to(SONNET);
	struct model_table *table = model_table_new();
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(provider_foundry.encode_count(&wire, &config, table, &request, &err), err);
	model_table_free(table);
	CHECK_STR(wire.url, "https://lab.services.ai.azure.com/anthropic/v1/messages/count_tokens");
}

TEST(foundry_takes_a_key_or_a_token)
{
	struct model_config config = { .azure_resource = "lab" };
	struct credential key = { .auth = MODEL_AUTH_KEY, .secret = SV("k") };
	struct credential token = { .auth = MODEL_AUTH_BEARER, .secret = SV("t") };
	defer(wire_clear) struct wire first = WIRE_INIT;
	defer(wire_clear) struct wire second = WIRE_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(provider_foundry.sign(&first, &config, &key, 0, &err), err);
	CHECK_SV(header_of(&first, "x-api-key"), "k");
	CHECK_SV(header_of(&first, "authorization"), "");
	CHECK_OK(provider_foundry.sign(&second, &config, &token, 0, &err), err);
	CHECK_SV(header_of(&second, "authorization"), "Bearer t");
	key.secret = token.secret = SV_EMPTY;
	CHECK(!provider_foundry.sign(&first, &config, &key, 0, &err));
	CHECK_ERR(err, ERR_ACCESS, "ANTHROPIC_FOUNDRY_API_KEY");
	CHECK(!provider_foundry.sign(&first, &config, &token, 0, &err));
	config.skip_auth = true;
	CHECK_OK(provider_foundry.sign(&first, &config, &key, 0, &err), err);
}

TEST(what_foundry_refuses_is_classed)
{
	static const struct refusal rows[] = {
		{ 404, NO_HEADER,
		  SV_INIT("{\"error\":{\"code\":\"DeploymentNotFound\",\"message\":\"no such\"}}"),
		  MODEL_FAILED_NOT_FOUND, "Foundry 404 DeploymentNotFound: no such" },
		{ 401, NO_HEADER,
		  SV_INIT("{\"error\":{\"code\":\"401\",\"message\":\"Access denied\"}}"),
		  MODEL_FAILED_AUTH, "Access denied" },
		{ 401, NO_HEADER, SV_INIT("{\"statusCode\":401,\"message\":\"Unauthorized\"}"),
		  MODEL_FAILED_AUTH, "Unauthorized" },
		{ 429, NO_HEADER,
		  SV_INIT("{\"error\":{\"code\":\"RateLimitReached\",\"message\":\"wait\"}}"),
		  MODEL_FAILED_RATE_LIMIT, "wait" },
		{ 529, NO_HEADER,
		  SV_INIT("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
			  "\"message\":\"busy\"}}"),
		  MODEL_FAILED_OVERLOADED, "busy" },
		{ 500, NO_HEADER, SV_INIT(""), MODEL_FAILED_SERVER, "500" },
	};

	check_refusals(&provider_foundry, rows, countof(rows));
}
