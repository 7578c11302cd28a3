#include "model/config.h"

#include "base/str.h"
#include "model/auth/aws_credentials.h"
#include "model/auth/google_auth.h"
#include "model/catalogue/effort.h"
#include "model/catalogue/models_data.h"

/* Looks up variables, and copies values into the config. */
struct reader {
	model_env_fn *env;
	void *arg;
	const struct model_settings *settings;
	struct model_config *config;
};

/* Return NULL if the variable is unset or empty: some tools unset a variable by emptying it. */
static const char anthropic_url[] = "https://api.anthropic.com";

static const char *config_peek(const struct reader *r, const char *name)
{
	const char *value = r->env(r->arg, name);

	return value && *value ? value : NULL;
}

/* Copy a value without the white space around it: a key that was read from a file often ends with
 * a line break. */
static const char *config_copy(const struct reader *r, const char *value)
{
	struct sv trimmed = sv_trim(sv_cstr(value));

	return trimmed.len ? arena_dup(&r->config->arena, trimmed).ptr : NULL;
}

static const char *config_keep(const struct reader *r, const char *name)
{
	return config_copy(r, config_peek(r, name));
}

/* Keep the command that renews credentials after a cloud has rejected them. */
static void config_keep_login(const struct reader *r, const char *name, const char *command)
{
	r->config->login = config_copy(r, command);
	r->config->login_name = r->config->login ? name : NULL;
}

static const char *config_keep_first(const struct reader *r, const char *const *names)
{
	const char *value = NULL;

	for (; *names && !value; names++)
		value = config_keep(r, *names);
	return value;
}

/* Accept "1", "true", "yes" and "on", in any case. */
static bool config_is_on(const struct reader *r, const char *name)
{
	static const char *const words[] = { "1", "true", "yes", "on" };
	const char *value = config_peek(r, name);

	for (size_t i = 0; value && i < countof(words); i++)
		if (sv_eq_nocase(sv_cstr(value), sv_cstr(words[i])))
			return true;
	return false;
}

/* Read a whole number within bounds; `*out` keeps its default if the variable is unset. */
static bool config_read_number(const struct reader *r, const char *name, int64_t least,
			       int64_t most, int64_t *out, struct err *err)
{
	const char *value = config_peek(r, name);
	int64_t number;

	if (!value)
		return true;
	if (!sv_to_int(sv_cstr(value), &number) || number < least)
		return err_set(err, ERR_INVALID,
			       "%s must be a whole number of at least %lld, not \"%.40s\"", name,
			       (long long)least, value);
	*out = min_of(number, most);
	return true;
}

static bool config_check_url(const char *name, const char *url, struct err *err)
{
	if (!url || sv_starts(sv_cstr(url), SV("https://")) ||
	    sv_starts(sv_cstr(url), SV("http://")))
		return true;
	return err_set(err, ERR_INVALID, "%s must begin with https:// or http://", name);
}

const char *const model_key_variables[] = { "ANTHROPIC_API_KEY",
					    "ANTHROPIC_AUTH_TOKEN",
					    "ANTHROPIC_FOUNDRY_API_KEY",
					    "ANTHROPIC_FOUNDRY_AUTH_TOKEN",
					    "AWS_BEARER_TOKEN_BEDROCK",
					    "CLAUDE_CODE_OAUTH_TOKEN",
					    "OPENAI_API_KEY",
					    NULL };

/* The first credential that is set wins; docs/models.md documents the order. */
static void config_choose_anthropic(struct reader *r)
{
	static const struct {
		const char *name;
		enum model_auth auth;
		bool is_setting;
	} order[] = {
		{ "ANTHROPIC_AUTH_TOKEN", MODEL_AUTH_BEARER },
		{ "ANTHROPIC_API_KEY", MODEL_AUTH_KEY },
		{ "AWL_API_KEY_HELPER", MODEL_AUTH_HELPER },
		{ "apiKeyHelper", MODEL_AUTH_HELPER, .is_setting = true },
		{ "CLAUDE_CODE_OAUTH_TOKEN", MODEL_AUTH_BEARER },
	};
	struct model_config *c = r->config;

	c->base_url = config_keep(r, "ANTHROPIC_BASE_URL");
	for (size_t i = 0; i < countof(order) && c->auth == MODEL_AUTH_NONE; i++) {
		const char *value = order[i].is_setting ? config_copy(r, r->settings->key_helper)
							: config_keep(r, order[i].name);

		if (!value)
			continue;
		c->provider = MODEL_ANTHROPIC;
		c->auth = order[i].auth;
		c->auth_origin = order[i].name;
		if (c->auth == MODEL_AUTH_HELPER)
			c->key_helper = value;
		else
			c->key = value;
	}
	/* A gateway may need no key. */
	if (c->base_url && c->auth == MODEL_AUTH_NONE) {
		c->provider = MODEL_ANTHROPIC;
		c->auth_origin = "none, ANTHROPIC_BASE_URL is set";
	}
	if (!c->base_url)
		c->base_url = anthropic_url;
}

static bool config_choose_wire(struct reader *r, struct err *err)
{
	const char *name = config_keep(r, "AWL_OPENAI_WIRE");

	r->config->provider = MODEL_OPENAI_CHAT;
	if (!name || sv_is(sv_cstr(name), "chat"))
		return true;
	r->config->provider = MODEL_OPENAI_RESPONSES;
	return sv_is(sv_cstr(name), "responses") ||
	       err_set(err, ERR_INVALID,
		       "AWL_OPENAI_WIRE must be \"chat\" or \"responses\", not \"%.40s\"", name);
}

static bool config_choose_openai(struct reader *r, struct err *err)
{
	struct model_config *c = r->config;
	const char *base = config_keep(r, "OPENAI_BASE_URL");
	const char *key = config_keep(r, "OPENAI_API_KEY");

	if (!base && !key)
		return true;
	c->base_url = base ? base : "https://api.openai.com/v1";
	c->auth = key ? MODEL_AUTH_BEARER : MODEL_AUTH_NONE;
	c->key = key;
	c->auth_origin = key ? "OPENAI_API_KEY" : "none, OPENAI_BASE_URL is set";
	return config_choose_wire(r, err);
}

/* A login does not change keys in variables, so it is of use only without them. */
static void config_choose_aws_commands(struct reader *r)
{
	struct model_config *c = r->config;

	c->aws_export = config_copy(r, r->settings->aws_export);
	if (c->aws_export)
		c->auth_origin = "awsCredentialExport";
	if (c->aws_export || (!c->aws_key_id && !c->aws_secret))
		config_keep_login(r, "awsAuthRefresh", r->settings->aws_refresh);
}

static bool config_choose_bedrock(struct reader *r, struct err *err)
{
	struct model_config *c = r->config;
	const char *bearer = config_keep(r, "AWS_BEARER_TOKEN_BEDROCK");

	c->provider = MODEL_BEDROCK;
	c->base_url = config_keep(r, "ANTHROPIC_BEDROCK_BASE_URL");
	c->auth = bearer ? MODEL_AUTH_BEARER : MODEL_AUTH_AWS;
	c->key = bearer;
	c->auth_origin = bearer ? "AWS_BEARER_TOKEN_BEDROCK" : "AWS credentials";
	c->aws_key_id = config_keep(r, "AWS_ACCESS_KEY_ID");
	c->aws_secret = config_keep(r, "AWS_SECRET_ACCESS_KEY");
	c->aws_token = config_keep(r, "AWS_SESSION_TOKEN");
	c->aws_profile = config_keep(r, "AWS_PROFILE");
	c->region = config_keep_first(
		r, (const char *const[]){ "AWS_REGION", "AWS_DEFAULT_REGION", NULL });
	c->small_region = config_keep(r, "ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION");
	c->skip_auth = config_is_on(r, "CLAUDE_CODE_SKIP_BEDROCK_AUTH");
	if (!bearer)
		config_choose_aws_commands(r);
	return aws_config_read(c, r->env, r->arg, err);
}

static bool config_choose_vertex(struct reader *r, struct err *err)
{
	static const char *const projects[] = { "ANTHROPIC_VERTEX_PROJECT_ID", "GCLOUD_PROJECT",
						"GOOGLE_CLOUD_PROJECT", NULL };
	struct model_config *c = r->config;

	c->provider = MODEL_VERTEX;
	c->base_url = config_keep(r, "ANTHROPIC_VERTEX_BASE_URL");
	c->auth = MODEL_AUTH_GOOGLE;
	c->auth_origin = "Google credentials";
	c->region = config_keep(r, "CLOUD_ML_REGION");
	c->project = config_keep_first(r, projects);
	c->google_credentials = config_keep(r, "GOOGLE_APPLICATION_CREDENTIALS");
	c->skip_auth = config_is_on(r, "CLAUDE_CODE_SKIP_VERTEX_AUTH");
	if (!google_config_read(c, r->env, r->arg, err))
		return false;
	if (!google_is_metadata(c->google_credentials)) /* which needs no login */
		config_keep_login(r, "gcpAuthRefresh", r->settings->gcp_refresh);
	return true;
}

static bool config_choose_foundry(struct reader *r, __attribute__((unused)) struct err *err)
{
	struct model_config *c = r->config;
	const char *token = config_keep(r, "ANTHROPIC_FOUNDRY_AUTH_TOKEN");

	c->provider = MODEL_FOUNDRY;
	c->base_url = config_keep(r, "ANTHROPIC_FOUNDRY_BASE_URL");
	c->azure_resource = config_keep(r, "ANTHROPIC_FOUNDRY_RESOURCE");
	c->key = token ? token : config_keep(r, "ANTHROPIC_FOUNDRY_API_KEY");
	c->auth = token ? MODEL_AUTH_BEARER : MODEL_AUTH_KEY;
	c->auth_origin = token ? "ANTHROPIC_FOUNDRY_AUTH_TOKEN" : "ANTHROPIC_FOUNDRY_API_KEY";
	c->skip_auth = config_is_on(r, "CLAUDE_CODE_SKIP_FOUNDRY_AUTH");
	return true;
}

static const struct {
	const char *name;
	bool (*choose)(struct reader *r, struct err *err);
} clouds[] = {
	{ "CLAUDE_CODE_USE_BEDROCK", config_choose_bedrock },
	{ "CLAUDE_CODE_USE_FOUNDRY", config_choose_foundry },
	{ "CLAUDE_CODE_USE_VERTEX", config_choose_vertex },
};

static bool config_choose_provider(struct reader *r, struct err *err)
{
	r->config->provider = MODEL_REPLAY;
	r->config->auth_origin = "none";
	for (size_t i = 0; i < countof(clouds); i++)
		if (config_is_on(r, clouds[i].name))
			return clouds[i].choose(r, err);
	config_choose_anthropic(r);
	return r->config->provider != MODEL_REPLAY || config_choose_openai(r, err);
}

/* A short name for a Claude means nothing to an OpenAI-compatible server. It is usually there for
 * another provider. */
static bool config_is_alias(const char *model)
{
	for (size_t i = 0; model && i < model_aliases_count; i++)
		if (sv_eq_nocase(model_wire_id(sv_cstr(model), NULL), model_aliases[i].alias))
			return true;
	return false;
}

static void config_read_models(struct reader *r)
{
	static const char *const main_names[] = { "ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_MODEL",
						  NULL };
	static const char *const openai_names[] = { "OPENAI_MODEL", NULL };
	static const char *const small_names[] = { "ANTHROPIC_DEFAULT_HAIKU_MODEL",
						   "ANTHROPIC_SMALL_FAST_MODEL", NULL };
	struct model_config *c = r->config;
	bool openai = c->provider == MODEL_OPENAI_CHAT || c->provider == MODEL_OPENAI_RESPONSES;

	c->model = config_keep_first(r, openai && config_peek(r, "OPENAI_MODEL") ? openai_names
										 : main_names);
	if (!c->model)
		c->model = config_copy(r, r->settings->model);
	if (openai && config_is_alias(c->model))
		c->model = NULL;
	c->small_model = config_keep_first(r, small_names);
}

static bool config_read_timing(struct reader *r, struct err *err)
{
	struct model_config *c = r->config;
	int64_t retries = 10;

	c->timeout_ms = 600 * 1000;
	c->idle_ms = 300 * 1000;
	c->key_helper_ttl_ms = 300 * 1000;
	c->unattended = config_is_on(r, "CLAUDE_CODE_UNATTENDED_RETRY");
	c->no_whole_fallback = config_is_on(r, "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK");
	c->no_listing =
		config_peek(r, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"); /* any value counts */
	if (!config_read_number(r, "API_TIMEOUT_MS", 1, INT32_MAX, &c->timeout_ms, err) ||
	    !config_read_number(r, "CLAUDE_STREAM_IDLE_TIMEOUT_MS", 1, INT32_MAX, &c->idle_ms,
				err) ||
	    !config_read_number(r, "CLAUDE_CODE_API_KEY_HELPER_TTL_MS", 0, INT32_MAX,
				&c->key_helper_ttl_ms, err) ||
	    !config_read_number(r, "CLAUDE_CODE_MAX_RETRIES", 0, 15, &retries, err))
		return false;
	c->max_retries = (int)retries;
	return true;
}

static bool config_read_limits(struct reader *r, struct err *err)
{
	struct model_config *c = r->config;
	int64_t thinking = -1;

	if (!config_read_number(r, "CLAUDE_CODE_MAX_OUTPUT_TOKENS", 1, INT32_MAX, &c->max_output,
				err) ||
	    !config_read_number(r, "CLAUDE_CODE_MAX_CONTEXT_TOKENS", 1, INT32_MAX, &c->max_context,
				err) ||
	    !config_read_number(r, "MAX_THINKING_TOKENS", 0, INT32_MAX, &thinking, err))
		return false;
	c->no_thinking = thinking == 0;
	c->max_thinking = max_of(thinking, (int64_t)0);
	return true;
}

static bool config_read_effort(struct reader *r, struct err *err)
{
	const char *level = config_keep(r, "CLAUDE_CODE_EFFORT_LEVEL");
	enum model_effort ignored;

	if (!level || sv_is(sv_cstr(level), "auto"))
		return true;
	r->config->effort = level;
	return model_effort_read(&ignored, sv_cstr(level), err) ||
	       err_context(err, "CLAUDE_CODE_EFFORT_LEVEL");
}

bool model_config_read_with(struct model_config *out, const struct model_settings *settings,
			    model_env_fn *env, void *arg, struct err *err)
{
	struct model_config config = MODEL_CONFIG_INIT;
	struct reader r = { .env = env, .arg = arg, .settings = settings, .config = &config };

	config.custom_headers = config_keep(&r, "ANTHROPIC_CUSTOM_HEADERS");
	config.betas = config_keep(&r, "ANTHROPIC_BETAS");
	config.extra_body = config_keep(&r, "CLAUDE_CODE_EXTRA_BODY");
	if (!config_choose_provider(&r, err) ||
	    !config_check_url("the base URL", config.base_url, err) ||
	    !config_read_timing(&r, err) || !config_read_limits(&r, err) ||
	    !config_read_effort(&r, err)) {
		model_config_clear(&config);
		return false;
	}
	config_read_models(&r);
	*out = config;
	return true;
}

bool model_config_read(struct model_config *out, model_env_fn *env, void *arg, struct err *err)
{
	static const struct model_settings none = { .model = NULL };

	return model_config_read_with(out, &none, env, arg, err);
}

void model_config_clear(struct model_config *config)
{
	arena_clear(&config->arena);
	*config = (struct model_config)MODEL_CONFIG_INIT;
}

const char *model_provider_title(enum model_provider provider)
{
	static const char *const titles[] = {
		[MODEL_ANTHROPIC] = "Anthropic API",
		[MODEL_BEDROCK] = "Amazon Bedrock",
		[MODEL_VERTEX] = "Google Vertex AI",
		[MODEL_FOUNDRY] = "Microsoft Foundry",
		[MODEL_OPENAI_CHAT] = "OpenAI Chat Completions",
		[MODEL_OPENAI_RESPONSES] = "OpenAI Responses",
		[MODEL_REPLAY] = "built-in demo (no key or endpoint configured)",
	};

	return titles[provider];
}

/* Return the host and port: the user name, path or query may contain a secret. */
static struct sv config_url_host(const char *url)
{
	struct sv s = sv_cstr(url);
	size_t at = sv_find(s, SV("://")), end;

	at = at == SIZE_MAX ? 0 : at + 3;
	for (end = at; end < s.len && s.ptr[end] != '/' && s.ptr[end] != '?'; end++)
		if (s.ptr[end] == '@')
			at = end + 1;
	return sv_slice(s, at, end);
}

/* Explain where the credential comes from, or what is missing. */
static void config_explain_credential(struct str *out, const struct model_config *config)
{
	str_adds(out, "credential: ");
	if (config->skip_auth)
		str_adds(out, "skipped");
	else if (config->auth == MODEL_AUTH_AWS && !config->aws_export)
		aws_credentials_explain(out, config);
	else if (config->auth == MODEL_AUTH_GOOGLE && !config->google_credentials)
		str_adds(out, "none: " GOOGLE_ADVICE);
	else if (config->provider == MODEL_FOUNDRY && !config->key)
		str_adds(out,
			 "none: set ANTHROPIC_FOUNDRY_API_KEY or ANTHROPIC_FOUNDRY_AUTH_TOKEN");
	else
		str_adds(out, config->auth_origin);
	str_addc(out, '\n');
}

void model_config_explain(struct str *out, const struct model_config *config)
{
	str_addf(out, "provider: %s\n", model_provider_title(config->provider));
	if (config->base_url && config->provider != MODEL_REPLAY)
		str_addf(out, "endpoint: %.*s\n", SV_ARG(config_url_host(config->base_url)));
	config_explain_credential(out, config);
	if (config->region)
		str_addf(out, "region: %s\n", config->region);
	if (config->provider == MODEL_VERTEX)
		str_addf(out, "project: %s\n",
			 config->project ? config->project : "none: " GOOGLE_PROJECT_ADVICE);
	if (config->model)
		str_addf(out, "model: %s\n", config->model);
}

bool model_config_has_small(const struct model_config *config)
{
	return config->small_model ||
	       (config->base_url && strcmp(config->base_url, anthropic_url) == 0);
}
