/* Google Vertex: the Anthropic body without the model, posted to a URL that has
 * project, region and model, with a Google access token. */
#include "model/wire/vertex.h"

#include "model/auth/google_auth.h"
#include "model/catalogue/cloud_id.h"
#include "model/wire/cloud.h"
#include "text/percent.h"

/* Some places have a host of their own; all others are called by their region. */
static void vertex_add_host(struct str *out, struct sv region)
{
	if (sv_is(region, "global"))
		str_adds(out, "https://aiplatform.googleapis.com/v1");
	else if (sv_is(region, "us") || sv_is(region, "eu"))
		str_addf(out, "https://aiplatform.%.*s.rep.googleapis.com/v1", SV_ARG(region));
	else
		str_addf(out, "https://%.*s-aiplatform.googleapis.com/v1", SV_ARG(region));
}

/* `verb`: what to do with the model. */
static bool vertex_put_url(struct wire *out, const struct model_config *config, struct sv region,
			   struct sv model, const char *verb, struct err *err)
{
	struct sv base = cloud_base(config->base_url);
	defer(str_clear) struct str url = STR_INIT;

	if (!config->project)
		return err_set(err, ERR_NOT_FOUND, "no Google project: " GOOGLE_PROJECT_ADVICE);
	if (!cloud_check_name(region, "-", "the Vertex region", err) ||
	    !cloud_check_name(sv_cstr(config->project), "-:.", "the Google project", err))
		return false;
	if (base.len > 0)
		str_add(&url, base);
	else
		vertex_add_host(&url, region);
	str_addf(&url, "/projects/%s/locations/%.*s/publishers/anthropic/models/", config->project,
		 SV_ARG(region));
	percent_encode(&url, model, "@");
	str_addf(&url, ":%s", verb);
	out->url = arena_dup(&out->arena, sv_of(&url)).ptr;
	return true;
}

static bool vertex_put_rest(struct wire *out, const struct model_config *config,
			    const struct model_table *table, const struct model_request *request,
			    struct anthropic_options options, struct err *err)
{
	if (!cloud_headers(out, config, err))
		return false;
	cloud_betas(out, config, table, request);
	return anthropic_body(out, config, table, request, options, err);
}

/* The request with Vertex's own id of the model. */
static struct model_request vertex_rename(struct wire *out, const struct model_table *table,
					  const struct model_request *request)
{
	struct model_request copy = *request;

	copy.wire = model_cloud_id(&out->arena, MODEL_VERTEX, SV_EMPTY, table,
				   request_wire_id(request));
	return copy;
}

static bool vertex_encode(struct wire *out, const struct model_config *config,
			  const struct model_table *table, const struct model_request *request,
			  wire_event_fn *note, void *arg, struct err *err)
{
	struct anthropic_options options = { .with_stream = true,
					     .version_in_body = "vertex-2023-10-16" };
	struct model_request own = vertex_rename(out, table, request);

	if (own.wire.len == 0)
		return err_set(err, ERR_INVALID, "no model given");
	anthropic_notes(config, table, request, note, arg);
	return vertex_put_url(out, config, vertex_region(config, own.wire), own.wire,
			      request->whole ? "rawPredict" : "streamRawPredict", err) &&
	       vertex_put_rest(out, config, table, &own, options, err);
}

static bool vertex_encode_count(struct wire *out, const struct model_config *config,
				const struct model_table *table,
				const struct model_request *request, struct err *err)
{
	struct anthropic_options options = { .with_model = true,
					     .version_in_body = "vertex-2023-10-16",
					     .counting = true };
	struct model_request own = vertex_rename(out, table, request);

	return vertex_put_url(out, config, vertex_region(config, own.wire), SV("count-tokens"),
			      "rawPredict", err) &&
	       vertex_put_rest(out, config, table, &own, options, err);
}

static bool vertex_sign(struct wire *wire, const struct model_config *config,
			const struct credential *credential,
			__attribute__((unused)) int64_t wall_ms, struct err *err)
{
	if (config->skip_auth || credential->auth == MODEL_AUTH_NONE)
		return true;
	if (credential->quota_project.len && !wire_find_header(wire, "x-goog-user-project"))
		wire_header(wire, "x-goog-user-project", credential->quota_project);
	return cloud_bearer(wire, credential->secret, "Google Vertex", err);
}

static const struct cloud_error statuses[] = {
	{ "ABORTED", MODEL_FAILED_SERVER },
	{ "CANCELLED", MODEL_FAILED_SERVER },
	{ "DEADLINE_EXCEEDED", MODEL_FAILED_SERVER },
	{ "FAILED_PRECONDITION", MODEL_FAILED_INVALID },
	{ "INTERNAL", MODEL_FAILED_SERVER },
	{ "INVALID_ARGUMENT", MODEL_FAILED_INVALID },
	{ "NOT_FOUND", MODEL_FAILED_NOT_FOUND },
	{ "OUT_OF_RANGE", MODEL_FAILED_INVALID },
	{ "PERMISSION_DENIED", MODEL_FAILED_AUTH },
	{ "RESOURCE_EXHAUSTED", MODEL_FAILED_RATE_LIMIT },
	{ "UNAUTHENTICATED", MODEL_FAILED_AUTH },
	{ "UNAVAILABLE", MODEL_FAILED_OVERLOADED },
	{ "UNKNOWN", MODEL_FAILED_SERVER },
};

static const struct cloud_errors errors = { "Vertex", statuses, countof(statuses) };

static void vertex_classify(struct model_error *out, const struct http_head *head, struct sv body)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json root, error;
	struct err err;
	struct sv status;

	doc = json_parse(body, 0, &err);
	root = json_root(doc);
	if (json_is(root, JSON_ARRAY)) /* a stream that failed before it began */
		root = json_at(root, 0);
	error = json_get(root, "error");
	status = json_str_or(json_get(error, "status"), SV_EMPTY);
	if (status.len == 0)
		anthropic_classify(out, head, body); /* the model's own error */
	else
		cloud_fail(out, &errors, head, status,
			   json_str_or(json_get(error, "message"), SV_EMPTY));
}

const struct provider provider_vertex = {
	.name = "vertex",
	.encode = vertex_encode,
	.sign = vertex_sign,
	.framing = WIRE_SSE,
	.decoder = anthropic_decoder,
	.classify = vertex_classify,
	.encode_count = vertex_encode_count,
};
