/* Amazon Bedrock: the Anthropic body without model and stream, sent to a URL that contains the model's
 * id and signed with SigV4. The response consists of binary messages, each with one event of the
 * Anthropic stream in base64. */
#include "base/mem.h"
#include "model/auth/aws_sign.h"
#include "model/catalogue/cloud_id.h"
#include "model/wire/cloud.h"
#include "text/base64.h"
#include "text/percent.h"

#define DEFAULT_REGION "us-east-1"

/* --- requests ------------------------------------------------------------ */

/* Put the base URL of the runtime or, with `host` "bedrock", of the control plane. */
static bool bedrock_put_base(struct str *url, const char *host, const struct model_config *config,
			     struct sv region, struct err *err)
{
	struct sv base = cloud_base(config->base_url);

	if (!cloud_check_name(region, "-", "the AWS region", err))
		return false;
	if (base.len > 0)
		str_add(url, base);
	else
		str_addf(url, "https://%s.%.*s.amazonaws.com", host, SV_ARG(region));
	return true;
}

static struct sv bedrock_main_region(const struct model_config *config)
{
	return config->region ? sv_cstr(config->region) : SV(DEFAULT_REGION);
}

/* The small model may have a region of its own. */
static struct sv bedrock_region_of(const struct model_config *config,
				   const struct model_request *request)
{
	if (config->small_region && config->small_model &&
	    sv_is(request->model, config->small_model))
		return sv_cstr(config->small_region);
	return bedrock_main_region(config);
}

static bool bedrock_put_url(struct wire *out, const struct model_config *config,
			    const struct model_table *table, const struct model_request *request,
			    struct err *err)
{
	defer(str_clear) struct str url = STR_INIT;
	struct sv region = bedrock_region_of(config, request);

	if (request->model.len == 0)
		return err_set(err, ERR_INVALID, "no model given");
	if (!bedrock_put_base(&url, "bedrock-runtime", config, region, err))
		return false;
	str_adds(&url, "/model/");
	percent_encode(
		&url,
		model_cloud_id(&out->arena, MODEL_BEDROCK, region, table, request_wire_id(request)),
		"");
	str_adds(&url, request->whole ? "/invoke" : "/invoke-with-response-stream");
	out->url = arena_dup(&out->arena, sv_of(&url)).ptr;
	out->region = region;
	return true;
}

/* The inference profiles, which the id of a model depends on. */
static bool bedrock_encode_listing(struct wire *out, const struct model_config *config,
				   struct err *err)
{
	defer(str_clear) struct str url = STR_INIT;

	out->region = bedrock_main_region(config);
	if (!bedrock_put_base(&url, "bedrock", config, out->region, err))
		return false;
	str_adds(&url, "/inference-profiles?type=SYSTEM_DEFINED");
	out->url = arena_dup(&out->arena, sv_of(&url)).ptr;
	wire_header(out, "accept", SV("application/json"));
	return cloud_headers(out, config, err);
}

/* Bedrock runs no tools of its own. */
static bool bedrock_is_server_tool(struct sv tool)
{
	static const struct sv types[] = { SV_INIT("web_search_"), SV_INIT("web_fetch_"),
					   SV_INIT("code_execution_") };
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err;
	struct sv type;
	bool found = false;

	for (size_t i = 0; i < countof(types); i++)
		found = found || sv_find(tool, types[i]) != SIZE_MAX;
	if (!found)
		return false;
	doc = json_parse(tool, 0, &err);
	type = json_str_or(json_get(json_root(doc), "type"), SV_EMPTY);
	for (size_t i = 0; i < countof(types); i++)
		if (sv_starts(type, types[i]))
			return true;
	return false;
}

/* The request without the tools that Bedrock would refuse it for. */
static struct model_request bedrock_without_server_tools(struct wire *out,
							 const struct model_request *request,
							 wire_event_fn *note, void *arg)
{
	struct model_request copy = *request;
	struct sv *tools = arena_calloc(&out->arena, request->ntools + 1, sizeof(*tools));

	copy.tools = tools;
	copy.ntools = 0;
	for (size_t i = 0; i < request->ntools; i++) {
		if (!bedrock_is_server_tool(request->tools[i]))
			tools[copy.ntools++] = request->tools[i];
		else if (i < request->nbuiltin)
			copy.nbuiltin--;
	}
	if (copy.ntools < request->ntools)
		note(arg,
		     &(struct model_event){ .kind = MODEL_NOTE,
					    .text = SV("Amazon Bedrock does not support web search "
						       "or other server-side tools; omitted") });
	return copy;
}

static bool bedrock_encode(struct wire *out, const struct model_config *config,
			   const struct model_table *table, const struct model_request *request,
			   wire_event_fn *note, void *arg, struct err *err)
{
	struct anthropic_options options = { .version_in_body = "bedrock-2023-05-31",
					     .betas_in_body = true };
	struct model_request own = bedrock_without_server_tools(out, request, note, arg);

	anthropic_notes(config, table, request, note, arg);
	wire_header(out, "accept",
		    request->whole ? SV("application/json")
				   : SV("application/vnd.amazon.eventstream"));
	return bedrock_put_url(out, config, table, &own, err) && cloud_headers(out, config, err) &&
	       anthropic_body(out, config, table, &own, options, err);
}

static bool bedrock_sign(struct wire *wire, const struct model_config *config,
			 const struct credential *credential, int64_t wall_ms, struct err *err)
{
	struct aws_scope scope = { .region = wire->region,
				   .service = SV("bedrock"),
				   .wall_ms = wall_ms };

	if (config->skip_auth || credential->auth == MODEL_AUTH_NONE)
		return true;
	if (credential->auth == MODEL_AUTH_BEARER)
		return cloud_bearer(wire, credential->secret, "Amazon Bedrock", err);
	return aws_sign(wire, wire->body.n ? "POST" : "GET", credential, &scope, err);
}

/* --- failures ------------------------------------------------------------ */

static const struct cloud_error exceptions[] = {
	{ "AccessDeniedException", MODEL_FAILED_AUTH },
	{ "ExpiredTokenException", MODEL_FAILED_AUTH },
	{ "IncompleteSignatureException", MODEL_FAILED_AUTH },
	{ "InternalServerException", MODEL_FAILED_SERVER },
	{ "InvalidSignatureException", MODEL_FAILED_AUTH },
	{ "MissingAuthenticationTokenException", MODEL_FAILED_AUTH },
	{ "ModelErrorException", MODEL_FAILED_SERVER },
	{ "ModelNotReadyException", MODEL_FAILED_OVERLOADED },
	{ "ModelStreamErrorException", MODEL_FAILED_SERVER },
	{ "ModelTimeoutException", MODEL_FAILED_SERVER },
	{ "ResourceNotFoundException", MODEL_FAILED_NOT_FOUND },
	{ "ServiceQuotaExceededException", MODEL_FAILED_RATE_LIMIT },
	{ "ServiceUnavailableException", MODEL_FAILED_OVERLOADED },
	{ "ThrottlingException", MODEL_FAILED_RATE_LIMIT },
	{ "UnrecognizedClientException", MODEL_FAILED_AUTH },
	{ "ValidationException", MODEL_FAILED_INVALID },
};

static const struct cloud_errors errors = { "Bedrock", exceptions, countof(exceptions) };

static bool bedrock_fail(struct model_error *out, const struct http_head *head, struct sv name,
			 struct sv message)
{
	cloud_fail(out, &errors, head, name, message);
	if (sv_find(message, SV("model identifier is invalid")) != SIZE_MAX)
		out->failure =
			MODEL_FAILED_NOT_FOUND; /* for Amazon, one of many kinds of invalid requests */
	out->denied = sv_eq_nocase(name, SV("AccessDeniedException"));
	return false;
}

/* "message" in most errors, "Message" in those of the gate before. */
static struct sv bedrock_message_in(struct json body)
{
	return json_str_or(json_get(body, "message"),
			   json_str_or(json_get(body, "Message"), SV_EMPTY));
}

static void bedrock_classify(struct model_error *out, const struct http_head *head, struct sv body)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct sv name = http_header(head, "x-amzn-errortype");
	struct sv message;
	struct err err;

	doc = json_parse(body, 0, &err);
	message = bedrock_message_in(json_root(doc));
	if (name.len == 0) {
		name = json_str_or(json_get(json_root(doc), "__type"), SV_EMPTY);
		name = sv_skip(name, sv_rfind_char(name, '#') + 1);
	}
	name = sv_slice(name, 0, sv_find_char(name, ':')); /* a URL may follow */
	if (name.len == 0 && message.len == 0)
		anthropic_classify(out, head, body); /* a gateway's, not Amazon's */
	else
		bedrock_fail(out, head, name, message);
}

/* --- responses ----------------------------------------------------------- */

/* Unwraps the messages for the Anthropic decoder. */
struct unwrapper {
	struct decoder base;
	struct decoder *inner;
	struct json_pool pool;
	struct str event;
};

static struct unwrapper *unwrapper_of(struct decoder *decoder)
{
	return container_of(decoder, struct unwrapper, base);
}

/* An exception or an error instead of an event. */
static bool bedrock_fail_in_stream(struct model_error *out, struct sv name, struct sv data)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct sv message;
	struct err err;

	name = sv_skip(name, sv_find_char(name, ':') + 1);
	doc = json_parse(data, 0, &err);
	message = bedrock_message_in(json_root(doc));
	return bedrock_fail(out, NULL, name, message.len > 0 ? message : data);
}

static bool bedrock_decode_event(struct decoder *decoder, struct sv name, struct sv data,
				 struct model_error *error)
{
	struct unwrapper *u = unwrapper_of(decoder);
	struct json root;
	struct err err;
	struct sv bytes;

	if (sv_starts(name, SV("exception:")) || sv_starts(name, SV("error:")))
		return bedrock_fail_in_stream(error, name, data);
	if (!sv_is(name, "chunk"))
		return true; /* of a kind that is newer than we are */
	str_truncate(&u->event, 0);
	if (!json_parse_in(&u->pool, data, 0, &root, &err) ||
	    !json_need_str(root, "bytes", &bytes, &err) ||
	    !base64_decode(&u->event, bytes, BASE64_STD, &err))
		return model_fail(error, MODEL_FAILED_PROTOCOL, 0,
				  "Bedrock sent an invalid chunk: %s", err.text);
	return u->inner->type->event(u->inner, SV_EMPTY, sv_of(&u->event), error);
}

static bool bedrock_decode_end(struct decoder *decoder, struct model_error *error)
{
	struct decoder *inner = unwrapper_of(decoder)->inner;

	return inner->type->end(inner, error);
}

static bool bedrock_decode_whole(struct decoder *decoder, struct sv body, struct model_error *error)
{
	struct decoder *inner = unwrapper_of(decoder)->inner;

	return inner->type->whole(inner, body, error);
}

static void bedrock_free_decoder(struct decoder *decoder)
{
	struct unwrapper *u = unwrapper_of(decoder);

	u->inner->type->free(u->inner);
	json_pool_clear(&u->pool);
	str_clear(&u->event);
	free(u);
}

static const struct decoder_type unwrapper_type = { .event = bedrock_decode_event,
						    .end = bedrock_decode_end,
						    .whole = bedrock_decode_whole,
						    .free = bedrock_free_decoder };

static struct decoder *bedrock_new_decoder(const struct model_request *request, wire_event_fn *emit,
					   void *arg)
{
	struct unwrapper *u = xnew(struct unwrapper);

	u->base = (struct decoder){
		.type = &unwrapper_type, .request = request, .emit = emit, .arg = arg
	};
	u->inner = anthropic_decoder(request, emit, arg);
	return &u->base;
}

const struct provider provider_bedrock = {
	.name = "bedrock",
	.encode = bedrock_encode,
	.sign = bedrock_sign,
	.framing = WIRE_AWS_FRAMES,
	.decoder = bedrock_new_decoder,
	.classify = bedrock_classify,
	.encode_listing = bedrock_encode_listing,
};
