#include "model/auth/aws_remote.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/auth/aws_auth.h"
#include "model/auth/aws_credentials.h"
#include "model/auth/aws_sign.h"
#include "model/auth/aws_sso.h"
#include "net/http.h"
#include "net/token_request.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "text/percent.h"

#define CONTAINER_HOST "http://169.254.170.2"
#define METADATA_HOST  "http://169.254.169.254"
#define METADATA_KEYS  "/latest/meta-data/iam/security-credentials/"
#define VENDOR_FILE    "/sys/class/dmi/id/sys_vendor"

enum { ERROR_SHOWN = 120, ROLES_DEEP = 4 };

/* --- configuration ---------------------------------------------------------------------------- */

struct finder {
	struct model_config *config;
	model_env_fn *env;
	void *arg;
};

static const char *aws_remote_keep(const struct finder *f, const char *name)
{
	struct sv value = sv_trim(sv_cstr(f->env(f->arg, name)));

	return value.len ? arena_dup(&f->config->arena, value).ptr : NULL;
}

static void aws_remote_find_identity(const struct finder *f)
{
	struct aws_identity *i = &f->config->aws_identity;

	i->token_file = aws_remote_keep(f, "AWS_WEB_IDENTITY_TOKEN_FILE");
	i->role = aws_remote_keep(f, "AWS_ROLE_ARN");
	i->session = aws_remote_keep(f, "AWS_ROLE_SESSION_NAME");
	i->url = aws_remote_keep(f, "AWS_ENDPOINT_URL_STS");
	if (!i->url)
		i->url = aws_remote_keep(f, "AWS_ENDPOINT_URL");
	f->config->aws_sso.url = aws_remote_keep(f, "AWS_ENDPOINT_URL_SSO");
	if (!f->config->aws_sso.url)
		f->config->aws_sso.url = aws_remote_keep(f, "AWS_ENDPOINT_URL");
}

static void aws_remote_find_container(const struct finder *f)
{
	struct aws_service *c = &f->config->aws_container;
	const char *path = aws_remote_keep(f, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");

	c->url = path ? arena_printf(&f->config->arena, CONTAINER_HOST "%s", path).ptr
		      : aws_remote_keep(f, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
	c->token = aws_remote_keep(f, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
	c->token_file = aws_remote_keep(f, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
}

static bool aws_remote_is_on_ec2(void)
{
	defer(str_clear) struct str vendor = STR_INIT;
	struct err ignored = ERR_INIT;

	return fs_read(&vendor, VENDOR_FILE, LIMIT_CLOUD_FILE, &ignored) &&
	       sv_starts(sv_of(&vendor), SV("Amazon EC2"));
}

static void aws_remote_find_metadata(const struct finder *f)
{
	const char *off = aws_remote_keep(f, "AWS_EC2_METADATA_DISABLED");
	const char *url = aws_remote_keep(f, "AWS_EC2_METADATA_SERVICE_ENDPOINT");

	if (off && sv_eq_nocase(sv_cstr(off), SV("true")))
		return;
	if (!url && aws_remote_is_on_ec2())
		url = METADATA_HOST;
	f->config->aws_metadata = url;
}

void aws_remote_read(struct model_config *config, model_env_fn *env, void *arg)
{
	struct finder f = { .config = config, .env = env, .arg = arg };

	aws_remote_find_identity(&f);
	aws_remote_find_container(&f);
	aws_remote_find_metadata(&f);
}

static bool aws_remote_has_identity(const struct model_config *config)
{
	return config->aws_identity.token_file && config->aws_identity.role;
}

const char *aws_remote_origin(const struct model_config *config)
{
	if (aws_remote_has_identity(config))
		return "AWS_WEB_IDENTITY_TOKEN_FILE, by way of STS";
	if (config->aws_role.role)
		return "the role of the AWS profile, by way of STS";
	if (config->aws_sso.role)
		return "the SSO login of the AWS profile";
	if (config->aws_container.url)
		return "the credential service of the container";
	return config->aws_metadata ? "the EC2 metadata service" : NULL;
}

/* --- the op ------------------------------------------------------------------------------------- */

struct remote {
	struct op op;
	struct http *http;
	const struct model_config *config;
	struct op *request;         /* NULL when not in flight */
	struct str token;           /* of the metadata service */
	struct str keys;            /* JSON */
	const char *service;        /* for errors */
	struct model_config source; /* where the keys are from that a role is assumed with */
};

static void aws_remote_fail(struct remote *r, const struct err *why)
{
	struct err err = *why;

	err_context(&err, "%s", r->service);
	op_finish(&r->op, &err);
}

/* Return the text of the first element of that name. STS does not escape anything in its keys. */
static struct sv aws_remote_element(struct sv xml, const char *name)
{
	defer(str_clear) struct str tag = STR_INIT;
	size_t at;

	str_addf(&tag, "<%s>", name);
	at = sv_find(xml, sv_of(&tag));
	if (at == SIZE_MAX)
		return SV_EMPTY;
	xml = sv_skip(xml, at + tag.len);
	return sv_trim(sv_slice(xml, 0, sv_find_char(xml, '<')));
}

/* Return whether the response has status 200; else the op has ended. */
static bool aws_remote_check(struct remote *r, const struct op *op, const struct err *why)
{
	defer(str_clear) struct str shown = STR_INIT;
	struct err err = ERR_INIT;
	struct sv message;
	int status;

	r->request = NULL;
	if (r->op.cancelled) {
		op_finish(&r->op, NULL);
		return false;
	}
	if (why) {
		aws_remote_fail(r, why);
		return false;
	}
	status = token_request_status(op);
	if (status == 200)
		return true;
	message = aws_remote_element(token_request_body(op), "Message");
	wire_printable(&shown, message.len ? message : token_request_body(op), ERROR_SHOWN);
	err_set(&err, ERR_ACCESS, "%s returned status %d: %s", r->service, status, str_c(&shown));
	op_finish(&r->op, &err);
	return false;
}

static void aws_remote_on_keys(struct op *op, void *owner, const struct err *why)
{
	struct remote *r = owner;

	if (!aws_remote_check(r, op, why))
		return;
	str_add(&r->keys, token_request_body(op));
	op_finish(&r->op, NULL);
}

/* --- STS ---------------------------------------------------------------------------------------- */

/* Turn the XML of STS into the JSON of the other services. */
static void aws_remote_on_sts(struct op *op, void *owner, const struct err *why)
{
	static const struct {
		const char *element, *member;
	} parts[] = { { "AccessKeyId", "AccessKeyId" },
		      { "SecretAccessKey", "SecretAccessKey" },
		      { "SessionToken", "Token" },
		      { "Expiration", "Expiration" } };
	struct remote *r = owner;
	struct jw w;

	if (!aws_remote_check(r, op, why))
		return;
	jw_init(&w, &r->keys, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; i < countof(parts); i++)
		jw_put_str(&w, parts[i].member,
			   aws_remote_element(token_request_body(op), parts[i].element));
	jw_end(&w);
	jw_done(&w);
	op_finish(&r->op, NULL);
}

static void aws_remote_add_field(struct str *form, const char *name, struct sv value)
{
	str_addf(form, "&%s=", name);
	percent_encode(form, value, "");
}

static void aws_remote_add_sts_url(struct str *url, const struct model_config *config)
{
	if (config->aws_identity.url)
		str_adds(url, config->aws_identity.url);
	else
		str_addf(url, "https://sts.%s.amazonaws.com/", config->region);
}

static void aws_remote_ask_sts(struct remote *r)
{
	const struct aws_identity *i = &r->config->aws_identity;
	defer(str_clear) struct str token = STR_INIT;
	defer(str_clear) struct str form = STR_INIT;
	defer(str_clear) struct str url = STR_INIT;
	struct err err = ERR_INIT;

	r->service = "AWS STS";
	if (!fs_read(&token, i->token_file, LIMIT_CLOUD_TOKEN, &err)) {
		aws_remote_fail(r, &err);
		return;
	}
	aws_remote_add_sts_url(&url, r->config);
	str_adds(&form, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15");
	aws_remote_add_field(&form, "RoleArn", sv_cstr(i->role));
	aws_remote_add_field(&form, "RoleSessionName", sv_cstr(i->session ? i->session : "awl"));
	aws_remote_add_field(&form, "WebIdentityToken", sv_trim(sv_of(&token)));
	r->request = token_request_start(
		r->op.loop, r->http,
		&(struct token_request){ .url = sv_of(&url),
					 .headers = { { SV("Content-Type"),
							SV("application/x-www-form-urlencoded") } },
					 .body = sv_of(&form) },
		THEN(aws_remote_on_sts, r));
}

/* --- roles -------------------------------------------------------------------------------------- */

static bool aws_remote_sign_role(struct remote *r, struct wire *wire,
				 const struct credential *credential, struct err *err)
{
	const struct aws_scope scope = { .region = sv_cstr(r->config->region),
					 .service = SV("sts"),
					 .wall_ms = loop_wall(r->op.loop) };

	wire_header(wire, "Content-Type", SV("application/x-www-form-urlencoded"));
	return aws_sign(wire, "POST", credential, &scope, err);
}

static void aws_remote_add_role(struct str *form, const struct aws_role *role)
{
	str_adds(form, "Action=AssumeRole&Version=2011-06-15");
	aws_remote_add_field(form, "RoleArn", sv_cstr(role->role));
	aws_remote_add_field(form, "RoleSessionName",
			     sv_cstr(role->session ? role->session : "awl"));
	if (role->external_id)
		aws_remote_add_field(form, "ExternalId", sv_cstr(role->external_id));
	if (role->seconds)
		aws_remote_add_field(form, "DurationSeconds", sv_cstr(role->seconds));
}

static bool aws_remote_assume(struct remote *r, const struct credential *credential,
			      struct err *err)
{
	defer(str_clear) struct str form = STR_INIT;
	defer(str_clear) struct str url = STR_INIT;
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct token_request request = { .method = "POST" };

	aws_remote_add_role(&form, &r->config->aws_role);
	aws_remote_add_sts_url(&url, r->config);
	wire.url = str_c(&url);
	wire_body(&wire, sv_of(&form));
	if (!aws_remote_sign_role(r, &wire, credential, err))
		return false;
	request.url = sv_of(&url);
	request.body = sv_of(&form);
	for (size_t i = 0; i < min_of(wire.headers.n, (size_t)TOKEN_REQUEST_HEADERS); i++)
		request.headers[i] = wire.headers.at[i];
	r->request = token_request_start(r->op.loop, r->http, &request, THEN(aws_remote_on_sts, r));
	return true;
}

static void aws_remote_on_source(struct op *op, void *owner, const struct err *why)
{
	struct remote *r = owner;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct credential credential;
	struct err err = ERR_INIT;
	int64_t ignored;

	r->request = NULL;
	if (r->op.cancelled) {
		op_finish(&r->op, NULL);
		return;
	}
	if (!why) {
		credential = aws_auth_take(op, &arena, &ignored);
		if (aws_remote_assume(r, &credential, &err))
			return;
		why = &err;
	}
	err = *why;
	if (!r->config->aws_depth)
		err_context(&err, "the keys to assume %s with", r->config->aws_role.role);
	op_finish(&r->op, &err);
}

/* Describe where the keys of the source are, as a configuration of its own. */
static bool aws_remote_make_source(struct remote *r, struct err *err)
{
	const struct aws_role *role = &r->config->aws_role;
	struct model_config *s = &r->source;
	bool is_own;

	*s = *r->config;
	s->arena = (struct arena)ARENA_INIT;
	s->aws_role = (struct aws_role){ .role = NULL };
	s->aws_sso.role = NULL;
	s->aws_identity.token_file = NULL;
	is_own = role->source &&
		 sv_is(sv_cstr(role->source), s->aws_profile ? s->aws_profile : "default");
	if (++s->aws_depth > ROLES_DEEP)
		return err_set(err, ERR_INVALID,
			       "the AWS profiles name each other as their source");
	if (role->source) {
		s->aws_profile = role->source;
		s->aws_container.url = s->aws_metadata = NULL;
		return is_own || aws_profile_choose(s, err);
	}
	s->aws_credentials_file = s->aws_config_file = NULL;
	if (sv_is(sv_cstr(role->source_kind), "EcsContainer"))
		s->aws_metadata = NULL;
	else if (sv_is(sv_cstr(role->source_kind), "Ec2InstanceMetadata"))
		s->aws_container.url = NULL;
	else
		return err_set(err, ERR_UNSUPPORTED,
			       "credential_source = %s: there are no keys in the environment",
			       role->source_kind);
	if (!s->aws_container.url && !s->aws_metadata)
		s->aws_metadata = METADATA_HOST;
	return true;
}

static void aws_remote_ask_role(struct remote *r)
{
	struct err err = ERR_INIT;

	r->service = "AWS STS";
	if (aws_remote_make_source(r, &err))
		r->request = aws_auth_start(r->op.loop, r->http, &r->source,
					    THEN(aws_remote_on_source, r));
	else
		op_finish(&r->op, &err);
}

/* --- SSO ---------------------------------------------------------------------------------------- */

static void aws_remote_on_sso(struct op *op, void *owner, const struct err *why)
{
	struct remote *r = owner;
	struct err err = ERR_INIT;

	if (!aws_remote_check(r, op, why))
		return;
	if (aws_sso_keys(&r->keys, token_request_body(op), &err))
		op_finish(&r->op, NULL);
	else
		aws_remote_fail(r, &err);
}

static void aws_remote_ask_sso(struct remote *r)
{
	const struct aws_sso *sso = &r->config->aws_sso;
	defer(str_clear) struct str token = STR_INIT;
	defer(str_clear) struct str url = STR_INIT;
	struct err err = ERR_INIT;

	r->service = "AWS SSO";
	if (!aws_sso_token(&token, sso, r->config->aws_profile, loop_wall(r->op.loop), &err)) {
		op_finish(&r->op, &err);
		return;
	}
	if (sso->url)
		str_adds(&url, sso->url);
	else
		str_addf(&url, "https://portal.sso.%s.amazonaws.com", sso->region);
	str_adds(&url, "/federation/credentials?role_name=");
	percent_encode(&url, sv_cstr(sso->role), "");
	str_adds(&url, "&account_id=");
	percent_encode(&url, sv_cstr(sso->account), "");
	r->request = token_request_start(
		r->op.loop, r->http,
		&(struct token_request){
			.url = sv_of(&url),
			.headers = { { SV("x-amz-sso_bearer_token"), sv_of(&token) } } },
		THEN(aws_remote_on_sso, r));
}

/* --- the service of a container ------------------------------------------------------------------ */

/* The agents of ECS and EKS listen on the machine's own link. */
static bool aws_remote_is_near(struct sv url)
{
	static const struct sv near[] = { SV_INIT(CONTAINER_HOST "/"),
					  SV_INIT("http://169.254.170.23/"),
					  SV_INIT("http://[fd00:ec2::23]/") };

	for (size_t i = 0; i < countof(near); i++)
		if (sv_starts(url, near[i]))
			return true;
	return false;
}

static void aws_remote_ask_container(struct remote *r)
{
	const struct aws_service *c = &r->config->aws_container;
	struct token_request request = { .url = sv_cstr(c->url) };
	defer(str_clear) struct str token = STR_INIT;
	struct err err = ERR_INIT;

	r->service = "the credential service of the container";
	request.is_near = aws_remote_is_near(request.url);
	if (!request.is_near && !token_url_is_safe(request.url)) {
		err_set(&err, ERR_INVALID,
			"AWS_CONTAINER_CREDENTIALS_FULL_URI must use https:// or name this "
			"machine");
	} else if (c->token_file) {
		(void)!fs_read(&token, c->token_file, LIMIT_CLOUD_TOKEN, &err);
	} else if (c->token) {
		str_adds(&token, c->token);
	}
	if (err.kind != ERR_NONE) {
		aws_remote_fail(r, &err);
		return;
	}
	if (token.len)
		request.headers[0] =
			(struct http_header){ SV("Authorization"), sv_trim(sv_of(&token)) };
	r->request =
		token_request_start(r->op.loop, r->http, &request, THEN(aws_remote_on_keys, r));
}

/* --- the metadata service of EC2 ------------------------------------------------------------------ */

static void aws_remote_get_metadata(struct remote *r, struct sv role, op_done_fn *done)
{
	defer(str_clear) struct str url = STR_INIT;

	str_addf(&url, "%s" METADATA_KEYS "%.*s", r->config->aws_metadata, SV_ARG(role));
	r->request = token_request_start(
		r->op.loop, r->http,
		&(struct token_request){
			.url = sv_of(&url),
			.headers = { { SV("X-aws-ec2-metadata-token"), sv_of(&r->token) } },
			.is_near = true },
		(struct then){ done, r });
}

static void aws_remote_on_role(struct op *op, void *owner, const struct err *why)
{
	struct remote *r = owner;
	struct err none = ERR_INIT;
	struct sv role, rest;

	if (!aws_remote_check(r, op, why))
		return;
	rest = token_request_body(op);
	sv_cut(&rest, '\n', &role);
	if (sv_trim(role).len) {
		aws_remote_get_metadata(r, sv_trim(role), aws_remote_on_keys);
		return;
	}
	err_set(&none, ERR_NOT_FOUND, "the machine has no role");
	aws_remote_fail(r, &none);
}

static void aws_remote_on_metadata_token(struct op *op, void *owner, const struct err *why)
{
	struct remote *r = owner;

	if (!aws_remote_check(r, op, why))
		return;
	str_add(&r->token, sv_trim(token_request_body(op)));
	aws_remote_get_metadata(r, SV_EMPTY, aws_remote_on_role);
}

static void aws_remote_ask_metadata(struct remote *r)
{
	defer(str_clear) struct str url = STR_INIT;

	r->service = "the EC2 metadata service";
	str_addf(&url, "%s/latest/api/token", r->config->aws_metadata);
	r->request = token_request_start(
		r->op.loop, r->http,
		&(struct token_request){
			.method = "PUT",
			.url = sv_of(&url),
			.headers = { { SV("X-aws-ec2-metadata-token-ttl-seconds"), SV("300") } },
			.is_near = true },
		THEN(aws_remote_on_metadata_token, r));
}

/* --- start ---------------------------------------------------------------------------------------- */

static void remote_cancel(struct op *op)
{
	op_cancel(container_of(op, struct remote, op)->request);
}

static void remote_free(struct op *op)
{
	struct remote *r = container_of(op, struct remote, op);

	str_clear(&r->token);
	str_clear(&r->keys);
	arena_clear(&r->source.arena);
	free(r);
}

static const struct op_type remote_type = { .name = "aws service",
					    .cancel = remote_cancel,
					    .free = remote_free };

struct op *aws_remote_start(struct loop *loop, struct http *http, const struct model_config *config,
			    struct then then)
{
	struct remote *r = xnew(struct remote);

	op_init(&r->op, &remote_type, loop, then);
	r->http = http;
	r->config = config;
	if (aws_remote_has_identity(config))
		aws_remote_ask_sts(r);
	else if (config->aws_role.role)
		aws_remote_ask_role(r);
	else if (config->aws_sso.role)
		aws_remote_ask_sso(r);
	else if (config->aws_container.url)
		aws_remote_ask_container(r);
	else
		aws_remote_ask_metadata(r);
	return &r->op;
}

struct sv aws_remote_keys(const struct op *op)
{
	return sv_of(&container_of(op, const struct remote, op)->keys);
}
