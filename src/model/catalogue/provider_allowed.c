#include "model/catalogue/provider_allowed.h"

#include "text/url.h"

/* The domains of each provider. Any other endpoint is a custom one. */
static const struct home {
	const char *word, *variable;
	const char *domains[4]; /* NULL-terminated */
} homes[] = {
	[MODEL_ANTHROPIC] = { "anthropic", "ANTHROPIC_BASE_URL", { "api.anthropic.com" } },
	[MODEL_BEDROCK] = { "bedrock",
			    "ANTHROPIC_BEDROCK_BASE_URL",
			    { "amazonaws.com", "amazonaws.com.cn", "api.aws" } },
	[MODEL_VERTEX] = { "vertex", "ANTHROPIC_VERTEX_BASE_URL", { "googleapis.com" } },
	[MODEL_FOUNDRY] = { "foundry",
			    "ANTHROPIC_FOUNDRY_BASE_URL",
			    { "azure.com", "azure.us", "azure.cn" } },
	[MODEL_OPENAI_CHAT] = { "customEndpoint", "OPENAI_BASE_URL", { NULL } },
	[MODEL_OPENAI_RESPONSES] = { "customEndpoint", "OPENAI_BASE_URL", { NULL } },
	[MODEL_REPLAY] = { NULL, NULL, { NULL } },
};

static bool is_at_home(const struct model_config *config)
{
	const char *const *domain = homes[config->provider].domains;
	struct url url = url_split(sv_cstr(config->base_url));

	if (!config->base_url)
		return true;
	for (; *domain; domain++)
		if (sv_eq_nocase(url.scheme, SV("https")) && !url.has_user && !url.port.len &&
		    url_host_is_in(url.host, sv_cstr(*domain)))
			return true;
	return false;
}

const char *model_provider_word(const struct model_config *config)
{
	const char *word = homes[config->provider].word;

	return !word || is_at_home(config) ? word : "customEndpoint";
}

const char *model_provider_variable(const struct model_config *config)
{
	return homes[config->provider].variable;
}

static bool has_word(struct json list, const char *word)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (sv_is(json_str_or(item, SV_EMPTY), word))
			return true;
	return false;
}

bool model_provider_check(const struct model_config *config, struct json allowed, struct sv pinned,
			  struct err *err)
{
	const char *word = model_provider_word(config);
	const char *variable = model_provider_variable(config);

	if (!json_exists(allowed) || !word)
		return true;
	if (!has_word(allowed, word))
		return err_set(
			err, ERR_ACCESS,
			"provider %s (selected by %s) is not allowed: not in allowedProviders",
			word,
			sv_is(sv_cstr(word), "customEndpoint") ? variable : config->auth_origin);
	if (sv_is(sv_cstr(word), "customEndpoint") &&
	    (!pinned.len || !sv_eq(pinned, sv_cstr(config->base_url))))
		return err_set(
			err, ERR_ACCESS,
			"the endpoint is not allowed: allowedProviders contains customEndpoint, "
			"but the env of the managed settings does not set %s to this endpoint",
			variable);
	return true;
}
