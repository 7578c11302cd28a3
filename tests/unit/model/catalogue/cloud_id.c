#include "model/catalogue/cloud_id.h"

#include "test.h"

struct id_case {
	enum model_provider provider;
	const char *region, *id, *expected;
};

static void check_ids(const struct id_case *cases, size_t n)
{
	defer(model_table_freep) struct model_table *table = model_table_new();

	for (size_t i = 0; i < n; i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;

		CHECK_SV_EQ(model_cloud_id(&arena, cases[i].provider, sv_cstr(cases[i].region),
					   table, sv_cstr(cases[i].id)),
			    sv_cstr(cases[i].expected));
	}
}

/* As Claude Code 2.1.325 requests them. */
TEST(bedrock_serves_models_by_the_inference_profile_of_the_region)
{
	static const struct id_case cases[] = {
		{ MODEL_BEDROCK, "us-east-1", "claude-opus-5-5", "us.anthropic.claude-opus-5-5" },
		{ MODEL_BEDROCK, "us-gov-west-1", "claude-opus-5-5",
		  "us-gov.anthropic.claude-opus-5-5" },
		{ MODEL_BEDROCK, "eu-west-2", "claude-opus-5-5", "eu.anthropic.claude-opus-5-5" },
		{ MODEL_BEDROCK, "ap-south-1", "claude-opus-5-5",
		  "apac.anthropic.claude-opus-5-5" },
		{ MODEL_BEDROCK, "ca-central-1", "claude-opus-5-5",
		  "global.anthropic.claude-opus-5-5" },
		{ MODEL_BEDROCK, "sa-east-1", "claude-opus-5-5",
		  "global.anthropic.claude-opus-5-5" },
		{ MODEL_BEDROCK, "us-west-2", "claude-opus-4-6",
		  "us.anthropic.claude-opus-4-6-v1" },
		{ MODEL_BEDROCK, "us-west-2", "claude-sonnet-4-6",
		  "us.anthropic.claude-sonnet-4-6" },
		{ MODEL_BEDROCK, "us-west-2", "claude-opus-4-5-20251101",
		  "us.anthropic.claude-opus-4-5-20251101-v1:0" },
		{ MODEL_BEDROCK, "us-west-2", "claude-sonnet-4-5",
		  "us.anthropic.claude-sonnet-4-5-20250929-v1:0" },
		{ MODEL_BEDROCK, "us-west-2", "claude-3-7-sonnet-20250219",
		  "us.anthropic.claude-3-7-sonnet-20250219-v1:0" },
	};

	check_ids(cases, countof(cases));
}

TEST(vertex_names_snapshots_by_their_date)
{
	static const struct id_case cases[] = {
		{ MODEL_VERTEX, "", "claude-sonnet-4-5", "claude-sonnet-4-5@20250929" },
		{ MODEL_VERTEX, "", "claude-haiku-4-5-20251001", "claude-haiku-4-5@20251001" },
		{ MODEL_VERTEX, "", "claude-opus-5-5", "claude-opus-5-5" },
		{ MODEL_VERTEX, "", "claude-sonnet-4-6", "claude-sonnet-4-6" },
	};

	check_ids(cases, countof(cases));
}

TEST(ids_that_are_not_of_the_first_party_stay_as_they_are)
{
	static const struct id_case cases[] = {
		{ MODEL_BEDROCK, "us-east-1", "anthropic.claude-sonnet-4-5-20250929-v1:0",
		  "anthropic.claude-sonnet-4-5-20250929-v1:0" },
		{ MODEL_BEDROCK, "us-east-1", "arn:aws:bedrock:us-east-1:1:inference-profile/x",
		  "arn:aws:bedrock:us-east-1:1:inference-profile/x" },
		{ MODEL_BEDROCK, "us-east-1", "claude-of-our-gateway", "claude-of-our-gateway" },
		{ MODEL_VERTEX, "", "claude-sonnet-4-5@20250929", "claude-sonnet-4-5@20250929" },
		{ MODEL_VERTEX, "", "gemini-3", "gemini-3" },
		{ MODEL_FOUNDRY, "", "claude-sonnet-4-5", "claude-sonnet-4-5" },
		{ MODEL_ANTHROPIC, "", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929" },
	};

	check_ids(cases, countof(cases));
}

TEST(the_profiles_of_the_account_override_the_rule)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(
		SV("{\"inferenceProfileSummaries\":[{\"inferenceProfileId\":\"plain\"},{},7,"
		   "{\"inferenceProfileId\":\"global.anthropic.claude-opus-5-5\"},"
		   "{\"inferenceProfileId\":\"apac.anthropic.claude-opus-5-5\"}]}"),
		0, &err);

	CHECK_OK(model_table_learn(table, json_root(doc), &err), err);
	CHECK_SV(model_cloud_id(&arena, MODEL_BEDROCK, SV("ap-south-1"), table,
				SV("claude-opus-5-5")),
		 "global.anthropic.claude-opus-5-5");
	CHECK_SV(model_cloud_id(&arena, MODEL_BEDROCK, SV("ap-south-1"), table,
				SV("claude-sonnet-5-5")),
		 "apac.anthropic.claude-sonnet-5-5");
}

TEST(aliases_mean_what_each_provider_has)
{
	static const struct {
		enum model_provider provider;
		const char *opus, *sonnet, *haiku, *fable, *by_default;
	} cases[] = {
		{ MODEL_ANTHROPIC, "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5",
		  "claude-fable-5-2", "claude-opus-5-5" },
		{ MODEL_BEDROCK, "claude-opus-5-5", "claude-sonnet-4-5", "claude-haiku-4-5",
		  "claude-fable-5-2", "claude-opus-5-5" },
		{ MODEL_VERTEX, "claude-opus-5-5", "claude-sonnet-4-5", "claude-haiku-4-5",
		  "claude-fable-5-2", "claude-opus-5-5" },
		{ MODEL_FOUNDRY, "claude-opus-4-6", "claude-sonnet-4-5", "claude-haiku-4-5",
		  "claude-fable-5-2", "claude-sonnet-4-5" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(model_table_freep) struct model_table *table = model_table_new();

		model_table_use_provider(table, cases[i].provider);
		CHECK_SV_EQ(model_resolve(table, SV("opus")), sv_cstr(cases[i].opus));
		CHECK_SV_EQ(model_resolve(table, SV("best")), sv_cstr(cases[i].opus));
		CHECK_SV_EQ(model_resolve(table, SV("sonnet")), sv_cstr(cases[i].sonnet));
		CHECK_SV_EQ(model_resolve(table, SV("opusplan")), sv_cstr(cases[i].sonnet));
		CHECK_SV_EQ(model_resolve(table, SV("haiku")), sv_cstr(cases[i].haiku));
		CHECK_SV_EQ(model_resolve(table, SV("fable")), sv_cstr(cases[i].fable));
		CHECK_SV_EQ(model_resolve(table, SV("default")), sv_cstr(cases[i].by_default));
	}
}
