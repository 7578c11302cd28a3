#include "model/config.h"

#include "test.h"

/* An environment of "NAME=value" strings, ended by NULL. */
static const char *lookup(void *arg, const char *name)
{
	const char *const *env = arg;

	for (; *env; env++) {
		struct sv value = sv_cstr(*env), key;

		sv_cut(&value, '=', &key);
		if (sv_is(key, name))
			return value.ptr;
	}
	return NULL;
}

static struct model_config config_of(const char *const *env)
{
	struct model_config config = MODEL_CONFIG_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(model_config_read(&config, lookup, (void *)env, &err), err);
	return config;
}

TEST(the_first_of_the_documented_order_wins)
{
	static const struct {
		const char *env[6];
		enum model_provider provider;
		enum model_auth auth;
		const char *origin;
	} cases[] = {
		{ { NULL }, MODEL_REPLAY, MODEL_AUTH_NONE, "none" },
		{ { "ANTHROPIC_API_KEY=k", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_KEY,
		  "ANTHROPIC_API_KEY" },
		{ { "ANTHROPIC_API_KEY=", NULL }, MODEL_REPLAY, MODEL_AUTH_NONE, "none" },
		{ { "ANTHROPIC_API_KEY=k", "ANTHROPIC_AUTH_TOKEN=t", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_BEARER,
		  "ANTHROPIC_AUTH_TOKEN" },
		{ { "CLAUDE_CODE_OAUTH_TOKEN=o", "ANTHROPIC_API_KEY=k", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_KEY,
		  "ANTHROPIC_API_KEY" },
		{ { "CLAUDE_CODE_OAUTH_TOKEN=o", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_BEARER,
		  "CLAUDE_CODE_OAUTH_TOKEN" },
		{ { "ANTHROPIC_BASE_URL=http://127.0.0.1:1", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_NONE,
		  "none, ANTHROPIC_BASE_URL is set" },
		{ { "OPENAI_BASE_URL=http://127.0.0.1:1/v1", NULL },
		  MODEL_OPENAI_CHAT,
		  MODEL_AUTH_NONE,
		  "none, OPENAI_BASE_URL is set" },
		{ { "OPENAI_API_KEY=k", "AWL_OPENAI_WIRE=responses", NULL },
		  MODEL_OPENAI_RESPONSES,
		  MODEL_AUTH_BEARER,
		  "OPENAI_API_KEY" },
		{ { "OPENAI_API_KEY=k", "ANTHROPIC_API_KEY=k", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_KEY,
		  "ANTHROPIC_API_KEY" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "ANTHROPIC_API_KEY=k", NULL },
		  MODEL_BEDROCK,
		  MODEL_AUTH_AWS,
		  "AWS credentials" },
		{ { "CLAUDE_CODE_USE_BEDROCK=true", "AWS_BEARER_TOKEN_BEDROCK=b", NULL },
		  MODEL_BEDROCK,
		  MODEL_AUTH_BEARER,
		  "AWS_BEARER_TOKEN_BEDROCK" },
		{ { "CLAUDE_CODE_USE_VERTEX=1", NULL },
		  MODEL_VERTEX,
		  MODEL_AUTH_GOOGLE,
		  "Google credentials" },
		{ { "CLAUDE_CODE_USE_FOUNDRY=1", "ANTHROPIC_FOUNDRY_API_KEY=f", NULL },
		  MODEL_FOUNDRY,
		  MODEL_AUTH_KEY,
		  "ANTHROPIC_FOUNDRY_API_KEY" },
		{ { "CLAUDE_CODE_USE_BEDROCK=0", "ANTHROPIC_API_KEY=k", NULL },
		  MODEL_ANTHROPIC,
		  MODEL_AUTH_KEY,
		  "ANTHROPIC_API_KEY" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct model_config config = config_of(cases[i].env);

		CHECK_INT(config.provider, cases[i].provider);
		CHECK_INT(config.auth, cases[i].auth);
		CHECK_STR(config.auth_origin, cases[i].origin);
		model_config_clear(&config);
	}
}

TEST(settings_count_where_the_environment_says_nothing)
{
	static const struct {
		const char *env[4];
		enum model_provider provider;
		const char *origin, *model;
	} cases[] = {
		{ { NULL }, MODEL_ANTHROPIC, "apiKeyHelper", "haiku" },
		{ { "ANTHROPIC_MODEL=opus", NULL }, MODEL_ANTHROPIC, "apiKeyHelper", "opus" },
		{ { "ANTHROPIC_DEFAULT_MODEL=opus", NULL },
		  MODEL_ANTHROPIC,
		  "apiKeyHelper",
		  "opus" },
		{ { "AWL_API_KEY_HELPER=h", NULL },
		  MODEL_ANTHROPIC,
		  "AWL_API_KEY_HELPER",
		  "haiku" },
		{ { "ANTHROPIC_API_KEY=k", NULL }, MODEL_ANTHROPIC, "ANTHROPIC_API_KEY", "haiku" },
		{ { "CLAUDE_CODE_OAUTH_TOKEN=t", NULL }, MODEL_ANTHROPIC, "apiKeyHelper", "haiku" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_REGION=x", NULL },
		  MODEL_BEDROCK,
		  "AWS credentials",
		  "haiku" },
	};
	struct model_settings settings = { .model = "haiku", .key_helper = "print-key" };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(model_config_clear) struct model_config config = MODEL_CONFIG_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(model_config_read_with(&config, &settings, lookup, (void *)cases[i].env,
						&err),
			 err);
		CHECK_INT(config.provider, cases[i].provider);
		CHECK_STR(config.auth_origin, cases[i].origin);
		CHECK_STR(config.model, cases[i].model);
		if (sv_is(sv_cstr(cases[i].origin), "apiKeyHelper"))
			CHECK_STR(config.key_helper, "print-key");
	}
}

TEST(commands_for_clouds_count_where_they_can_do_something)
{
	static const struct {
		const char *env[5], *origin, *export, *login;
	} cases[] = {
		{ { "CLAUDE_CODE_USE_BEDROCK=1", NULL },
		  "awsCredentialExport",
		  "export",
		  "aws-in" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_ACCESS_KEY_ID=k", NULL },
		  "awsCredentialExport",
		  "export",
		  "aws-in" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_BEARER_TOKEN_BEDROCK=b", NULL },
		  "AWS_BEARER_TOKEN_BEDROCK",
		  NULL,
		  NULL },
		{ { "CLAUDE_CODE_USE_VERTEX=1", NULL }, "Google credentials", NULL, "gcp-in" },
		{ { "CLAUDE_CODE_USE_VERTEX=1", "GCE_METADATA_HOST=h", NULL },
		  "the metadata server GCE_METADATA_HOST",
		  NULL,
		  NULL },
		{ { "ANTHROPIC_API_KEY=k", NULL }, "ANTHROPIC_API_KEY", NULL, NULL },
	};
	struct model_settings settings = { .aws_export = "export",
					   .aws_refresh = "aws-in",
					   .gcp_refresh = "gcp-in" };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(model_config_clear) struct model_config config = MODEL_CONFIG_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(model_config_read_with(&config, &settings, lookup, (void *)cases[i].env,
						&err),
			 err);
		CHECK_STR(config.auth_origin, cases[i].origin);
		CHECK_SV_EQ(sv_cstr(config.aws_export), sv_cstr(cases[i].export));
		CHECK_SV_EQ(sv_cstr(config.login), sv_cstr(cases[i].login));
	}
}

TEST(a_login_is_no_use_to_keys_in_variables)
{
	static const char *const env[] = { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_ACCESS_KEY_ID=k",
					   "AWS_SECRET_ACCESS_KEY=s", NULL };
	struct model_settings settings = { .aws_export = "", .aws_refresh = "aws-in" };
	defer(model_config_clear) struct model_config config = MODEL_CONFIG_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(model_config_read_with(&config, &settings, lookup, (void *)env, &err), err);
	CHECK_STR(config.auth_origin, "AWS credentials");
	CHECK(config.aws_export == NULL && config.login == NULL);
}

TEST(a_value_that_cannot_be_meant_is_refused_by_name)
{
	static const struct {
		const char *env[3], *part;
	} cases[] = {
		{ { "ANTHROPIC_API_KEY=k", "API_TIMEOUT_MS=soon", NULL }, "API_TIMEOUT_MS" },
		{ { "ANTHROPIC_API_KEY=k", "API_TIMEOUT_MS=-5", NULL }, "API_TIMEOUT_MS" },
		{ { "CLAUDE_CODE_MAX_RETRIES=many", NULL }, "CLAUDE_CODE_MAX_RETRIES" },
		{ { "ANTHROPIC_BASE_URL=ftp://host", NULL }, "https://" },
		{ { "OPENAI_API_KEY=k", "AWL_OPENAI_WIRE=bogus", NULL },
		  "AWL_OPENAI_WIRE must be" },
		{ { "OPENAI_API_KEY=k", "AWL_OPENAI_WIRE=response", NULL }, "not \"response\"" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct model_config config = MODEL_CONFIG_INIT;
		struct err err = ERR_INIT;

		CHECK(!model_config_read(&config, lookup, (void *)cases[i].env, &err));
		CHECK_ERR(err, ERR_INVALID, cases[i].part);
	}
}

TEST(white_space_around_a_value_is_removed)
{
	static const char *const env[] = { "OPENAI_API_KEY= k\r\n", "AWL_OPENAI_WIRE=chat\n",
					   "OPENAI_MODEL=m\n", "OPENAI_BASE_URL=\n", NULL };
	struct model_config config = config_of(env);

	CHECK_STR(config.key, "k");
	CHECK_STR(config.model, "m");
	CHECK_STR(config.base_url, "https://api.openai.com/v1");
	CHECK_INT(config.provider, MODEL_OPENAI_CHAT);
	model_config_clear(&config);
}

TEST(limits_and_timing_have_the_reference_defaults)
{
	static const char *const nothing[] = { NULL };
	static const char *const set[] = { "CLAUDE_CODE_MAX_RETRIES=99", "API_TIMEOUT_MS=5000",
					   "CLAUDE_CODE_MAX_OUTPUT_TOKENS=1000", NULL };
	struct model_config config = config_of(nothing);

	CHECK_INT(config.timeout_ms, 600000);
	CHECK_INT(config.max_retries, 10);
	model_config_clear(&config);
	config = config_of(set);
	CHECK_INT(config.timeout_ms, 5000);
	CHECK_INT(config.max_retries, 15);
	CHECK_INT(config.max_output, 1000);
	model_config_clear(&config);
}

TEST(the_explanation_holds_no_secret)
{
	static const char *const env[] = {
		"ANTHROPIC_API_KEY=sk-secret",
		"ANTHROPIC_BASE_URL=https://user:hush@host:8443/path?k=hidden",
		"ANTHROPIC_CUSTOM_HEADERS=X-Token: quiet", NULL
	};
	struct model_config config = config_of(env);
	defer(str_clear) struct str text = STR_INIT;

	model_config_explain(&text, &config);
	CHECK(sv_find(sv_of(&text), SV("endpoint: host:8443\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("credential: ANTHROPIC_API_KEY\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("secret")) == SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("hush")) == SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("hidden")) == SIZE_MAX);
	CHECK(sv_find(sv_of(&text), SV("quiet")) == SIZE_MAX);
	model_config_clear(&config);
}

static void check_explains(const char *const *env, const char *expected)
{
	struct model_config config = config_of(env);
	defer(str_clear) struct str text = STR_INIT;

	model_config_explain(&text, &config);
	if (sv_find(sv_of(&text), sv_cstr(expected)) == SIZE_MAX)
		CHECK_STR(str_c(&text), expected);
	model_config_clear(&config);
}

TEST(what_is_missing_for_a_cloud_is_explained)
{
	static const struct {
		const char *env[5], *expected;
	} cases[] = {
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_EC2_METADATA_DISABLED=true", NULL },
		  "credential: none: no AWS credentials: neither" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_ACCESS_KEY_ID=a",
		    "AWS_SECRET_ACCESS_KEY=hush", NULL },
		  "credential: AWS_ACCESS_KEY_ID\n" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI=/x",
		    NULL },
		  "credential: the credential service of the container\n" },
		{ { "CLAUDE_CODE_USE_BEDROCK=1", "AWS_EC2_METADATA_SERVICE_ENDPOINT=http://h",
		    NULL },
		  "credential: the EC2 metadata service\n" },
		{ { "CLAUDE_CODE_USE_VERTEX=1", NULL },
		  "credential: none: set GOOGLE_APPLICATION_CREDENTIALS" },
		{ { "CLAUDE_CODE_USE_VERTEX=1", NULL },
		  "project: none: set ANTHROPIC_VERTEX_PROJECT_ID" },
		{ { "CLAUDE_CODE_USE_VERTEX=1", "GOOGLE_CLOUD_PROJECT=p", NULL }, "project: p\n" },
		{ { "CLAUDE_CODE_USE_FOUNDRY=1", NULL },
		  "credential: none: set ANTHROPIC_FOUNDRY_API_KEY" },
		{ { "CLAUDE_CODE_USE_FOUNDRY=1", "ANTHROPIC_FOUNDRY_API_KEY=hush", NULL },
		  "credential: ANTHROPIC_FOUNDRY_API_KEY\n" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_explains(cases[i].env, cases[i].expected);
}
