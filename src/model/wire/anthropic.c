/* The Anthropic Messages API, and everything that speaks it at a base URL. */
#include "model/wire/wire.h"

#define FIRST_PARTY "https://api.anthropic.com"

static struct sv anthropic_base_of(const struct model_config *config)
{
	struct sv base = sv_cstr(config->base_url);

	while (sv_ends(base, SV("/")))
		base = sv_slice(base, 0, base.len - 1);
	return base.len ? base : SV(FIRST_PARTY);
}

static bool is_first_party(struct sv base)
{
	struct sv rest = sv_skip(base, strlen(FIRST_PARTY));

	if (sv_starts(rest, SV(":443")))
		rest = sv_skip(rest, 4);
	return sv_eq_nocase(sv_slice(base, 0, strlen(FIRST_PARTY)), SV(FIRST_PARTY)) &&
	       (rest.len == 0 || sv_starts(rest, SV("/")));
}

/* Adds to those of the user's own header, if there is one. */
static void anthropic_put_betas(struct wire *out, struct sv betas)
{
	const struct http_header *custom = wire_find_header(out, "anthropic-beta");

	if (betas.len == 0)
		return;
	if (custom)
		betas = arena_printf(&out->arena, "%.*s,%.*s", SV_ARG(custom->value),
				     SV_ARG(betas));
	wire_header(out, "anthropic-beta", betas);
}

/* Custom headers of the user replace ours. */
static bool anthropic_put_head(struct wire *out, const struct model_config *config,
			       const char *path, struct sv client_request_id, struct err *err)
{
	struct sv base = anthropic_base_of(config);

	out->url = arena_printf(&out->arena, "%.*s%s", SV_ARG(base), path).ptr;
	wire_header(out, "content-type", SV("application/json"));
	wire_header(out, "anthropic-version", SV("2023-06-01"));
	wire_header(out, "user-agent",
		    config->user_agent ? sv_cstr(config->user_agent) : SV("awl/" AWL_VERSION));
	if (client_request_id.len && is_first_party(base))
		wire_header(out, "x-client-request-id", client_request_id);
	return wire_custom_headers(out, config, err);
}

static bool anthropic_put_request(struct wire *out, const struct model_config *config,
				  const struct model_table *table,
				  const struct model_request *request,
				  struct anthropic_options options, struct err *err)
{
	defer(str_clear) struct str betas = STR_INIT;

	if (!anthropic_put_head(out, config,
				options.counting ? "/v1/messages/count_tokens" : "/v1/messages",
				request->client_request_id, err))
		return false;
	anthropic_betas(&betas, config, table, request);
	anthropic_put_betas(out, sv_of(&betas));
	return anthropic_body(out, config, table, request, options, err);
}

static bool anthropic_encode(struct wire *out, const struct model_config *config,
			     const struct model_table *table, const struct model_request *request,
			     wire_event_fn *note, void *arg, struct err *err)
{
	struct anthropic_options options = { .with_model = true, .with_stream = true };

	anthropic_notes(config, table, request, note, arg);
	return anthropic_put_request(out, config, table, request, options, err);
}

static bool anthropic_encode_count(struct wire *out, const struct model_config *config,
				   const struct model_table *table,
				   const struct model_request *request, struct err *err)
{
	struct anthropic_options options = { .with_model = true, .counting = true };

	return anthropic_put_request(out, config, table, request, options, err);
}

static bool anthropic_encode_listing(struct wire *out, const struct model_config *config,
				     struct err *err)
{
	return anthropic_put_head(out, config, "/v1/models?limit=1000", SV_EMPTY, err);
}

static void anthropic_put_key(struct wire *wire, struct sv key)
{
	if (!wire_find_header(wire, "x-api-key"))
		wire_header(wire, "x-api-key", key);
}

/* Tokens of a subscription are only taken together with their beta. */
static void anthropic_put_token(struct wire *wire, struct sv token)
{
	if (wire_find_header(wire, "authorization"))
		return;
	wire_header(wire, "authorization",
		    arena_printf(&wire->arena, "Bearer %.*s", SV_ARG(token)));
	if (sv_starts(token, SV("sk-ant-oat")))
		anthropic_put_betas(wire, SV("oauth-2025-04-20"));
}

/* Does not replace the user's own headers. */
static bool anthropic_sign(struct wire *wire, const struct model_config *config,
			   const struct credential *credential,
			   __attribute__((unused)) int64_t wall_ms, struct err *err)
{
	switch (credential->auth) {
	case MODEL_AUTH_NONE: return true;
	case MODEL_AUTH_KEY: anthropic_put_key(wire, credential->secret); return true;
	case MODEL_AUTH_BEARER: anthropic_put_token(wire, credential->secret); return true;
	case MODEL_AUTH_HELPER: /* it may print either; gateways look for both */
		anthropic_put_key(wire, credential->secret);
		anthropic_put_token(wire, credential->secret);
		return true;
	case MODEL_AUTH_AWS:
	case MODEL_AUTH_GOOGLE: break;
	}
	return err_set(err, ERR_UNSUPPORTED, "%s is not a valid credential for the Anthropic API",
		       config->auth_origin ? config->auth_origin : "this");
}

const struct provider provider_anthropic = {
	.name = "anthropic",
	.encode = anthropic_encode,
	.sign = anthropic_sign,
	.framing = WIRE_SSE,
	.decoder = anthropic_decoder,
	.classify = anthropic_classify,
	.encode_count = anthropic_encode_count,
	.encode_listing = anthropic_encode_listing,
};
