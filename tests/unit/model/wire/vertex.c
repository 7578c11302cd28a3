#include "model/wire/vertex.h"

#include "model/wire/clouds.h"

#define SONNET "claude-sonnet-4-5@20250929"

TEST(vertex_asks_the_host_of_its_region)
{
	struct model_config config = { .region = "europe-west1", .project = "my-project" };
	struct model_request request = hello_to(SONNET);

	check_url(&provider_vertex, &config, &request,
		  "https://europe-west1-aiplatform.googleapis.com/v1/projects/my-project/locations/"
		  "europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929:"
		  "streamRawPredict");
	request.whole = true;
	config.region = "global";
	check_url(&provider_vertex, &config, &request,
		  "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/"
		  "publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict");
	config.region = "eu";
	check_url(&provider_vertex, &config, &request,
		  "https://aiplatform.eu.rep.googleapis.com/v1/projects/my-project/locations/eu/"
		  "publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict");
	config.region = NULL;
	config.base_url = "http://127.0.0.1:9/v1/";
	request = hello_to("odd/../name[1m]");
	check_url(&provider_vertex, &config, &request,
		  "http://127.0.0.1:9/v1/projects/my-project/locations/us-east5/publishers/"
		  "anthropic/models/odd%2F..%2Fname:streamRawPredict");
	config.base_url = "http://127.0.0.1:9/gateway";
	check_url(&provider_vertex, &config, &request,
		  "http://127.0.0.1:9/gateway/projects/my-project/locations/us-east5/publishers/"
		  "anthropic/models/odd%2F..%2Fname:streamRawPredict");
}

static void check_refused(const struct model_config *config, const char *model, enum err_kind kind,
			  const char *why)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct model_request request = hello_to(model);
	struct err err = ERR_INIT;

	CHECK(!encode_with(&provider_vertex, &wire, config, &request, NULL, &err));
	CHECK_ERR(err, kind, why);
}

TEST(vertex_needs_a_project_and_names_that_can_be_meant)
{
	check_refused(&(struct model_config){ .region = "x" }, SONNET, ERR_NOT_FOUND,
		      "ANTHROPIC_VERTEX_PROJECT_ID");
	check_refused(&(struct model_config){ .project = "a/b" }, SONNET, ERR_INVALID,
		      "Google project");
	check_refused(&(struct model_config){ .project = "p", .region = "evil.example/" }, SONNET,
		      ERR_INVALID, "Vertex region");
	check_refused(&(struct model_config){ .project = "p" }, "", ERR_INVALID, "no model");
}

TEST(the_body_for_vertex_has_version_and_stream_but_no_model)
{
	struct model_config config = { .project = "p",
				       .betas = "one-2025",
				       .custom_headers = "anthropic-beta: mine\nX-A: b" };
	struct model_request request = hello_to(SONNET);
	defer(wire_clear) struct wire wire = WIRE_INIT;
	defer(str_clear) struct str body = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json root;

	CHECK_OK(encode_with(&provider_vertex, &wire, &config, &request, NULL, &err), err);
	body_of(&body, &wire);
	doc = json_parse(sv_of(&body), 0, &err);
	root = json_root(doc);
	CHECK_SV(json_str_or(json_get(root, "anthropic_version"), SV_EMPTY), "vertex-2023-10-16");
	CHECK(json_bool_or(json_get(root, "stream"), false));
	CHECK(!json_exists(json_get(root, "model")));
	CHECK(!json_exists(json_get(root, "anthropic_beta")));
	CHECK_SV(header_of(&wire, "anthropic-beta"), "one-2025,mine");
	CHECK_SV(header_of(&wire, "x-a"), "b");
	CHECK_SV(header_of(&wire, "anthropic-version"), "");
}

TEST(vertex_counts_tokens_at_a_model_of_that_name)
{
	struct model_config config = { .project = "p", .region = "us-east5" };
	struct model_request request = hello_to(SONNET);
	struct model_table *table = model_table_new();
	defer(wire_clear) struct wire wire = WIRE_INIT;
	defer(str_clear) struct str body = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(provider_vertex.encode_count(&wire, &config, table, &request, &err), err);
	model_table_free(table);
	CHECK_STR(wire.url, "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/"
			    "us-east5/publishers/anthropic/models/count-tokens:rawPredict");
	body_of(&body, &wire);
	CHECK(strstr(body.ptr, "\"model\":\"" SONNET "\"") != NULL);
	CHECK(!strstr(body.ptr, "max_tokens"));
}

static void check_region(void *env, const char *region, const char *model, const char *expected)
{
	defer(model_config_clear) struct model_config config = MODEL_CONFIG_INIT;

	config.region = region;
	vertex_regions_read(&config, env_get, env);
	CHECK_SV_EQ(vertex_region(&config, sv_cstr(model)), sv_cstr(expected));
}

TEST(a_model_may_have_its_own_vertex_region)
{
	void *env =
		ENV("VERTEX_REGION_CLAUDE_4_5_SONNET=europe-west1",
		    "VERTEX_REGION_CLAUDE_HAIKU_4_5=us-central1",
		    "VERTEX_REGION_CLAUDE_3_5_HAIKU=us-east1",
		    "VERTEX_REGION_CLAUDE_4_0_OPUS=asia-east1", "VERTEX_REGION_CLAUDE_4_1_OPUS=");

	check_region(env, "global", "claude-sonnet-4-5@20250929", "europe-west1");
	check_region(env, "global", "claude-sonnet-4-5", "europe-west1");
	check_region(env, "global", "claude-haiku-4-5@20251001", "us-central1");
	check_region(env, "global", "claude-3-5-haiku@20241022", "us-east1");
	check_region(env, "global", "claude-opus-4@20250514", "asia-east1");
	check_region(env, "global", "claude-opus-4-1@20250805", "global");
	check_region(env, "global", "claude-sonnet-4@20250514", "global");
	check_region(env, NULL, "gemini", "us-east5");
	check_region(env, "global", "sonnet", "global");
	check_region(env, "global", "", "global");
	check_region(ENV("LANG=C"), NULL, "claude-sonnet-4-5", "us-east5");
}

TEST(vertex_requests_carry_the_google_token)
{
	struct model_config config = { .project = "p" };
	struct credential google = { .auth = MODEL_AUTH_GOOGLE, .secret = SV("ya29.x") };
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(provider_vertex.sign(&wire, &config, &google, 0, &err), err);
	CHECK_SV(header_of(&wire, "authorization"), "Bearer ya29.x");
	google.secret = SV_EMPTY;
	CHECK(!provider_vertex.sign(&wire, &config, &google, 0, &err));
	CHECK_ERR(err, ERR_ACCESS, "Vertex");
	config.skip_auth = true;
	CHECK_OK(provider_vertex.sign(&wire, &config, &google, 0, &err), err);
}

#define GOOGLE(code, status, message)                                                             \
	SV_INIT("{\"error\":{\"code\":" #code ",\"message\":\"" message "\",\"status\":\"" status \
		"\"}}")

TEST(what_vertex_refuses_is_classed)
{
	static const struct refusal rows[] = {
		{ 429, NO_HEADER, GOOGLE(429, "RESOURCE_EXHAUSTED", "Quota exceeded"),
		  MODEL_FAILED_RATE_LIMIT, "Quota exceeded" },
		{ 403, NO_HEADER, GOOGLE(403, "PERMISSION_DENIED", "not allowed"),
		  MODEL_FAILED_AUTH, "Vertex 403 PERMISSION_DENIED: not allowed" },
		{ 401, NO_HEADER, GOOGLE(401, "UNAUTHENTICATED", "who"), MODEL_FAILED_AUTH, "who" },
		{ 404, NO_HEADER, GOOGLE(404, "NOT_FOUND", "Publisher Model `x` was not found"),
		  MODEL_FAILED_NOT_FOUND, "not found" },
		{ 400, NO_HEADER,
		  GOOGLE(400, "INVALID_ARGUMENT", "prompt is too long: 9 tokens > 8"),
		  MODEL_FAILED_PROMPT_TOO_LONG, "too long" },
		{ 400, NO_HEADER, GOOGLE(400, "FAILED_PRECONDITION", "no"), MODEL_FAILED_INVALID,
		  "FAILED_PRECONDITION" },
		{ 503, NO_HEADER, GOOGLE(503, "UNAVAILABLE", "later"), MODEL_FAILED_OVERLOADED,
		  "later" },
		{ 500, NO_HEADER, GOOGLE(500, "INTERNAL", "oops"), MODEL_FAILED_SERVER, "oops" },
		{ 429, NO_HEADER,
		  SV_INIT("[{\"error\":{\"code\":429,\"message\":\"q\",\"status\":"
			  "\"RESOURCE_EXHAUSTED\"}}]"),
		  MODEL_FAILED_RATE_LIMIT, "q" },
		{ 400, NO_HEADER,
		  SV_INIT("{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
			  "\"message\":\"bad tool\"}}"),
		  MODEL_FAILED_INVALID, "bad tool" },
		{ 502, NO_HEADER, SV_INIT("<html>"), MODEL_FAILED_SERVER, "502" },
	};

	check_refusals(&provider_vertex, rows, countof(rows));
}
