/* The requests to the metadata service, each only if it is needed:
 *
 *   session token --> availability zone --> name of the role --> keys of the role
 */
#include "model/auth/google_aws.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "model/auth/aws_printed.h"
#include "model/auth/aws_sign.h"
#include "net/token_request.h"
#include "text/json/json_write.h"
#include "text/percent.h"

#define ADVICE "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION"

enum { REGION_MAX = 40 };

/* --- the signed request ----------------------------------------------------------------- */

bool google_aws_url_is_identity(struct sv url)
{
	static const char query[] = "Action=GetCallerIdentity&Version=2011-06-15";
	struct sv host, rest = sv_skip(url, strlen("https://"));

	host = sv_slice(rest, 0, sv_find_char(rest, '?'));
	rest = sv_skip(rest, host.len + 1);
	if (sv_ends(host, SV("/")))
		host.len--;
	for (size_t i = 0; i < host.len; i++)
		if (!ascii_is_alnum(host.ptr[i]) && !ascii_is_one_of(host.ptr[i], "-.{}"))
			return false;
	return sv_starts(url, SV("https://sts.")) && sv_is(rest, query) &&
	       (sv_ends(host, SV(".amazonaws.com")) || sv_ends(host, SV(".amazonaws.com.cn")));
}

static void google_aws_add_url(struct str *out, struct sv pattern, struct sv region)
{
	static const char mark[] = "{region}";
	size_t at = sv_find(pattern, sv_cstr(mark));

	str_add(out, sv_slice(pattern, 0, at));
	if (at == SIZE_MAX)
		return;
	str_add(out, region);
	str_add(out, sv_skip(pattern, at + strlen(mark)));
}

static void google_aws_put_header(struct jw *w, struct sv name, struct sv value)
{
	jw_object(w);
	jw_put_str(w, "key", name);
	jw_put_str(w, "value", value);
	jw_end(w);
}

static struct sv google_aws_host(struct sv url)
{
	struct sv rest = sv_skip(url, strlen("https://"));

	rest = sv_slice(rest, 0, sv_find_char(rest, '?'));
	return sv_slice(rest, 0, sv_find_char(rest, '/'));
}

/* Append the token: the request in JSON, percent-encoded. */
static bool google_aws_sign(struct str *out, const struct google_key *key,
			    const struct credential *credential, struct sv region, int64_t wall_ms,
			    struct err *err)
{
	defer(str_clear) struct str url = STR_INIT;
	defer(str_clear) struct str json = STR_INIT;
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct jw w;

	google_aws_add_url(&url, key->aws_url, region);
	wire.url = str_c(&url);
	if (!aws_sign(&wire, "POST", credential,
		      &(struct aws_scope){
			      .region = region, .service = SV("sts"), .wall_ms = wall_ms },
		      err))
		return false;
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "url", sv_of(&url));
	jw_put_str(&w, "method", SV("POST"));
	jw_put_array(&w, "headers");
	google_aws_put_header(&w, SV("x-goog-cloud-target-resource"), key->audience);
	google_aws_put_header(&w, SV("host"), google_aws_host(sv_of(&url)));
	for (size_t i = 0; i < wire.headers.n; i++)
		google_aws_put_header(&w, wire.headers.at[i].name, wire.headers.at[i].value);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	percent_encode(out, sv_of(&json), "");
	return true;
}

/* --- the op -------------------------------------------------------------------------------- */

struct source {
	struct op op;
	struct http *http;
	const struct google_key *key;
	struct op *request; /* NULL when not in flight */
	struct arena arena;
	struct credential credential;
	struct sv region;
	struct str session; /* token of the metadata service */
	bool has_session;   /* or there is none to have */
	struct sv role;
	struct str token;
};

static void google_aws_go_on(struct source *s);

static void google_aws_fail(struct source *s, const struct err *why)
{
	struct err err = *why;

	err_context(&err, "the AWS keys for Google");
	op_finish(&s->op, &err);
}

/* The body of the response, trimmed and in the arena; empty: the op has ended. */
static struct sv google_aws_response(struct source *s, const struct op *op, const struct err *why)
{
	struct err err = ERR_INIT;
	struct sv body = SV_EMPTY;

	s->request = NULL;
	if (s->op.cancelled) {
		op_finish(&s->op, NULL);
		return SV_EMPTY;
	}
	if (why)
		err = *why;
	else if (token_request_status(op) != 200)
		err_set(&err, ERR_ACCESS, "the metadata service returned status %d",
			token_request_status(op));
	else
		body = arena_dup(&s->arena, sv_trim(token_request_body(op)));
	if (!body.len && !err.kind)
		err_set(&err, ERR_INVALID, "the metadata service returned nothing");
	if (err.kind)
		google_aws_fail(s, &err);
	return body;
}

static void google_aws_get(struct source *s, struct sv url, op_done_fn *done)
{
	struct token_request request = { .url = url, .is_near = true };

	if (s->session.len)
		request.headers[0] =
			(struct http_header){ SV("X-aws-ec2-metadata-token"), sv_of(&s->session) };
	s->request = token_request_start(s->op.loop, s->http, &request, THEN(done, s));
}

static void google_aws_on_session(struct op *op, void *owner, const struct err *why)
{
	struct source *s = owner;
	struct sv session = google_aws_response(s, op, why);

	if (!session.len)
		return;
	str_add(&s->session, session);
	s->has_session = true;
	google_aws_go_on(s);
}

static void google_aws_ask_session(struct source *s)
{
	s->request = token_request_start(
		s->op.loop, s->http,
		&(struct token_request){
			.method = "PUT",
			.url = s->key->aws_session_url,
			.headers = { { SV("X-aws-ec2-metadata-token-ttl-seconds"), SV("300") } },
			.is_near = true },
		THEN(google_aws_on_session, s));
}

/* "us-east-1b" is in the region us-east-1. */
static void google_aws_on_zone(struct op *op, void *owner, const struct err *why)
{
	struct source *s = owner;
	struct sv zone = google_aws_response(s, op, why);
	struct err err = ERR_INIT;

	if (!zone.len)
		return;
	s->region = sv_slice(zone, 0, zone.len - 1);
	for (size_t i = 0; i < s->region.len; i++)
		if (!ascii_is_alnum(s->region.ptr[i]) && s->region.ptr[i] != '-')
			err_set(&err, ERR_INVALID, "the metadata service returned no region");
	if (!s->region.len || s->region.len > REGION_MAX || err.kind) {
		err_set(&err, ERR_INVALID, "the metadata service returned no region");
		google_aws_fail(s, &err);
		return;
	}
	google_aws_go_on(s);
}

static void google_aws_on_role(struct op *op, void *owner, const struct err *why)
{
	struct source *s = owner;

	s->role = google_aws_response(s, op, why);
	if (s->role.len)
		google_aws_go_on(s);
}

static void google_aws_on_keys(struct op *op, void *owner, const struct err *why)
{
	struct source *s = owner;
	struct sv keys = google_aws_response(s, op, why);
	struct aws_printed printed;
	struct err err = ERR_INIT;

	if (!keys.len)
		return;
	if (!aws_printed_parse(&printed, &s->arena, keys, AWS_FORM_SERVICE, &err)) {
		google_aws_fail(s, &err);
		return;
	}
	s->credential = printed.credential;
	google_aws_go_on(s);
}

static void google_aws_finish(struct source *s)
{
	struct err err = ERR_INIT;

	if (google_aws_sign(&s->token, s->key, &s->credential, s->region, loop_wall(s->op.loop),
			    &err))
		op_finish(&s->op, NULL);
	else
		google_aws_fail(s, &err);
}

static void google_aws_ask_keys(struct source *s)
{
	google_aws_get(
		s,
		arena_printf(&s->arena, "%.*s/%.*s", SV_ARG(s->key->aws_keys_url), SV_ARG(s->role)),
		google_aws_on_keys);
}

/* Ask for the next thing that is missing. */
static void google_aws_go_on(struct source *s)
{
	bool needs_keys = !s->credential.aws_id.len, needs_region = !s->region.len;
	struct err err = ERR_INIT;

	if ((needs_keys && !s->key->aws_keys_url.len) ||
	    (needs_region && !s->key->aws_region_url.len)) {
		err_set(&err, ERR_NOT_FOUND, "%s is not known: " ADVICE,
			needs_keys ? "the AWS key" : "the AWS region");
		google_aws_fail(s, &err);
	} else if (!needs_keys && !needs_region) {
		google_aws_finish(s);
	} else if (!s->has_session && s->key->aws_session_url.len) {
		google_aws_ask_session(s);
	} else if (needs_region) {
		google_aws_get(s, s->key->aws_region_url, google_aws_on_zone);
	} else if (!s->role.len) {
		google_aws_get(s, s->key->aws_keys_url, google_aws_on_role);
	} else {
		google_aws_ask_keys(s);
	}
}

static void source_cancel(struct op *op)
{
	op_cancel(container_of(op, struct source, op)->request);
}

static void source_free(struct op *op)
{
	struct source *s = container_of(op, struct source, op);

	str_clear(&s->session);
	str_clear(&s->token);
	arena_clear(&s->arena);
	free(s);
}

static const struct op_type source_type = { .name = "aws keys for google",
					    .cancel = source_cancel,
					    .free = source_free };

struct op *google_aws_start(struct loop *loop, struct http *http, const struct model_config *config,
			    const struct google_key *key, struct then then)
{
	struct source *s = xnew(struct source);

	op_init(&s->op, &source_type, loop, then);
	s->http = http;
	s->key = key;
	s->region = sv_cstr(config->google_aws_region);
	if (config->aws_key_id && config->aws_secret)
		s->credential = (struct credential){ .aws_id = sv_cstr(config->aws_key_id),
						     .aws_secret = sv_cstr(config->aws_secret),
						     .aws_token = sv_cstr(config->aws_token) };
	google_aws_go_on(s);
	return &s->op;
}

struct sv google_aws_token(const struct op *op)
{
	return sv_of(&container_of(op, struct source, op)->token);
}
