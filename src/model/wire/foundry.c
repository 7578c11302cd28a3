/* Azure Foundry: the Anthropic format as it is, on a host named after the
 * customer's resource, with Azure's key header or a token. */
#include "model/wire/cloud.h"

static bool foundry_put_url(struct wire *out, const struct model_config *config, const char *call,
			    struct err *err)
{
	struct sv base = cloud_base(config->base_url);

	if (base.len > 0) {
		out->url = arena_printf(&out->arena, "%.*s/v1/%s", SV_ARG(base), call).ptr;
		return true;
	}
	if (!config->azure_resource)
		return err_set(err, ERR_NOT_FOUND,
			       "no Azure Foundry resource: set ANTHROPIC_FOUNDRY_RESOURCE or "
			       "ANTHROPIC_FOUNDRY_BASE_URL");
	if (!cloud_check_name(sv_cstr(config->azure_resource), "-", "ANTHROPIC_FOUNDRY_RESOURCE",
			      err))
		return false;
	out->url = arena_printf(&out->arena, "https://%s.services.ai.azure.com/anthropic/v1/%s",
				config->azure_resource, call)
			   .ptr;
	return true;
}

static bool foundry_put_request(struct wire *out, const struct model_config *config,
				const struct model_table *table,
				const struct model_request *request,
				struct anthropic_options options, struct err *err)
{
	wire_header(out, "anthropic-version", SV("2023-06-01"));
	if (!foundry_put_url(out, config, options.counting ? "messages/count_tokens" : "messages",
			     err) ||
	    !cloud_headers(out, config, err))
		return false;
	cloud_betas(out, config, table, request);
	return anthropic_body(out, config, table, request, options, err);
}

static bool foundry_encode(struct wire *out, const struct model_config *config,
			   const struct model_table *table, const struct model_request *request,
			   wire_event_fn *note, void *arg, struct err *err)
{
	struct anthropic_options options = { .with_model = true, .with_stream = true };

	anthropic_notes(config, table, request, note, arg);
	return foundry_put_request(out, config, table, request, options, err);
}

static bool foundry_encode_count(struct wire *out, const struct model_config *config,
				 const struct model_table *table,
				 const struct model_request *request, struct err *err)
{
	struct anthropic_options options = { .with_model = true, .counting = true };

	return foundry_put_request(out, config, table, request, options, err);
}

static bool foundry_sign(struct wire *wire, const struct model_config *config,
			 const struct credential *credential,
			 __attribute__((unused)) int64_t wall_ms, struct err *err)
{
	if (config->skip_auth || credential->auth == MODEL_AUTH_NONE)
		return true;
	if (credential->auth != MODEL_AUTH_KEY)
		return cloud_bearer(wire, credential->secret, "Azure Foundry", err);
	if (credential->secret.len == 0)
		return err_set(err, ERR_ACCESS,
			       "no key for Azure Foundry: set ANTHROPIC_FOUNDRY_API_KEY");
	wire_header(wire, "x-api-key", credential->secret);
	return true;
}

static const struct cloud_error codes[] = {
	{ "DeploymentNotFound", MODEL_FAILED_NOT_FOUND },
	{ "invalid_api_key", MODEL_FAILED_AUTH },
	{ "PermissionDenied", MODEL_FAILED_AUTH },
	{ "RateLimitReached", MODEL_FAILED_RATE_LIMIT },
	{ "unknown_model", MODEL_FAILED_NOT_FOUND },
};

static const struct cloud_errors errors = { "Foundry", codes, countof(codes) };

/* Azure's own errors have a "code", or no "error" at all; the model's have a type. */
static void foundry_classify(struct model_error *out, const struct http_head *head, struct sv body)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json error;
	struct err err;
	struct sv code, message;

	doc = json_parse(body, 0, &err);
	error = json_get(json_root(doc), "error");
	code = json_str_or(json_get(error, "code"), SV_EMPTY);
	message = json_str_or(json_get(json_exists(error) ? error : json_root(doc), "message"),
			      SV_EMPTY);
	if (json_exists(json_get(error, "type")) || (code.len == 0 && message.len == 0))
		anthropic_classify(out, head, body);
	else
		cloud_fail(out, &errors, head, code, message);
}

const struct provider provider_foundry = {
	.name = "foundry",
	.encode = foundry_encode,
	.sign = foundry_sign,
	.framing = WIRE_SSE,
	.decoder = anthropic_decoder,
	.classify = foundry_classify,
	.encode_count = foundry_encode_count,
};
