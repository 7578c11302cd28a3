#include "mcp/auth/auth_flow.h"

#include "base/mem.h"
#include "text/base64.h"
#include "text/percent.h"
#include "text/url.h"

enum { DISCOVER_HOPS = 3 };

static struct op *auth_step_load(void *ctx, struct then then);
static struct op *auth_step_keep_secrets(void *ctx, struct then then);
static struct op *auth_step_keep_entry(void *ctx, struct then then);
static struct op *auth_step_clear_secrets(void *ctx, struct then then);

static const struct step auth_login[] = {
	{ "asking the keyring", auth_step_load },
	{ "asking the server", auth_step_probe },
	{ "looking for its authorization server", auth_step_resource },
	{ "asking the authorization server", auth_step_server },
	{ "listening for the browser", auth_step_listen },
	{ "registering", auth_step_client },
	{ "waiting for the browser", auth_step_authorize },
	{ "getting a token", auth_step_redeem },
	{ "asking the keyring", auth_step_keep_secrets },
	{ "storing the tokens", auth_step_keep_entry },
};
static const struct step auth_refresh[] = {
	{ "waiting for other processes", auth_step_lock },
	{ "reading the tokens", auth_step_read_again },
	{ "asking the keyring", auth_step_load },
	{ "looking at the tokens", auth_step_look_again },
	{ "asking the authorization server", auth_step_server },
	{ "refreshing the token", auth_step_refresh },
	{ "asking the keyring", auth_step_keep_secrets },
	{ "storing the tokens", auth_step_keep_entry },
};
static const struct step auth_look[] = {
	{ "looking for its authorization server", auth_step_resource },
	{ "asking the authorization server", auth_step_server },
};
static const struct step auth_logout[] = {
	{ "asking the keyring", auth_step_load },
	{ "clearing the keyring", auth_step_clear_secrets },
	{ "asking the authorization server", auth_step_server },
	{ "revoking the refresh token", auth_step_revoke_refresh },
	{ "revoking the access token", auth_step_revoke_access },
};
static const struct step auth_exchange[] = {
	{ "asking the keyring", auth_step_load },
	{ "asking the server", auth_step_probe },
	{ "looking for its authorization server", auth_step_resource },
	{ "checking what it says", auth_step_guard },
	{ "asking the authorization server", auth_step_server_1 },
	{ "asking the authorization server", auth_step_server_2 },
	{ "asking the authorization server", auth_step_server_3 },
	{ "asking the identity provider", auth_step_idp },
	{ "waiting for the browser", auth_step_identify },
	{ "getting your identity", auth_step_identity },
	{ "exchanging your identity", auth_step_exchange },
	{ "getting a token", auth_step_grant },
	{ "asking the keyring", auth_step_keep_secrets },
	{ "storing the tokens", auth_step_keep_entry },
};

static const struct auth_steps {
	const struct step *steps;
	size_t n;
} auth_steps[] = {
	[AUTH_LOGIN] = { auth_login, countof(auth_login) },
	[AUTH_REFRESH] = { auth_refresh, countof(auth_refresh) },
	[AUTH_LOOK] = { auth_look, countof(auth_look) },
	[AUTH_LOGOUT] = { auth_logout, countof(auth_logout) },
	[AUTH_EXCHANGE] = { auth_exchange, countof(auth_exchange) },
};

/* --- for the steps ------------------------------------------------------------ */

static void auth_failed_cancel(__attribute__((unused)) struct op *op)
{
	BUG("it has finished");
}

static void auth_failed_free(struct op *op)
{
	free(op);
}

static const struct op_type auth_failed_type = { .name = "failed step",
						 .cancel = auth_failed_cancel,
						 .free = auth_failed_free };

struct op *auth_flow_fail(struct auth_flow *f, const struct err *err, struct then then)
{
	struct op *op = xnew(struct op);

	op_init(op, &auth_failed_type, f->opts->loop, then);
	op_finish(op, err);
	return op;
}

struct op *auth_flow_call(struct auth_flow *f, const struct oauth_call *call, struct then then)
{
	return oauth_call_start(f->opts->loop, f->opts->http, call, then);
}

static void auth_sign_basic(struct auth_flow *f, struct token_request *request)
{
	defer(str_clear) struct str pair = STR_INIT;
	defer(str_clear) struct str value = STR_INIT;
	size_t i = 0;

	percent_encode(&pair, f->entry.client_id, "");
	str_addc(&pair, ':');
	percent_encode(&pair, f->entry.client_secret, "");
	str_adds(&value, "Basic ");
	base64_encode(&value, sv_of(&pair), BASE64_STD);
	while (request->headers[i].name.len)
		i++;
	request->headers[i] = (struct http_header){ .name = SV("Authorization"),
						    .value = arena_dup(&f->arena, sv_of(&value)) };
}

void auth_flow_sign(struct auth_flow *f, struct str *form, struct token_request *request)
{
	const struct auth_entry *e = &f->entry;
	bool is_post = f->server.takes_post &&
		       (sv_is(e->client_auth, "client_secret_post") || !f->server.takes_basic);
	bool is_none = !e->client_secret.len || sv_is(e->client_auth, "none") ||
		       (!is_post && !f->server.takes_basic);

	if (!is_none && !is_post) {
		auth_sign_basic(f, request);
		return;
	}
	oauth_form_add(form, "client_id", e->client_id);
	if (is_post)
		oauth_form_add(form, "client_secret", e->client_secret);
}

void auth_flow_get(struct oauth_call *call, struct sv url)
{
	call->requests[call->n++] =
		(struct token_request){ .method = "GET",
					.url = url,
					.headers = { { SV("Accept"), SV("application/json") } },
					.max_redirects = DISCOVER_HOPS };
}

void auth_flow_form(struct token_request *request, struct sv url, struct sv form)
{
	*request = (struct token_request){
		.method = "POST",
		.url = url,
		.headers = { { SV("Content-Type"), SV("application/x-www-form-urlencoded") },
			     { SV("Accept"), SV("application/json") } },
		.body = form,
	};
}

bool auth_flow_save(struct auth_flow *f, struct err *err)
{
	f->entry.server_name = sv_cstr(f->config->name);
	f->entry.server_url = sv_cstr(f->config->url);
	f->must_keep = f->entry.access_token.len && auth_keyring_is_used(f->opts);
	if (f->must_keep)
		return true;
	f->entry.fingerprint = SV_EMPTY;
	return auth_store_write(f->opts->credentials_file, f->key, &f->entry, err);
}

bool auth_flow_take_tokens(struct auth_flow *f, const struct oauth_tokens *tokens, struct err *err)
{
	int64_t now = loop_wall(f->opts->loop);

	f->entry.access_token = tokens->access_token;
	f->entry.refresh_token = tokens->refresh_token;
	f->entry.expires_at_ms = tokens->expires_in > 0 ? now + tokens->expires_in * 1000 : 0;
	f->entry.scope = tokens->scope.len ? tokens->scope : f->scope;
	f->entry.issuer = f->server.issuer;
	f->entry.step_up_scope = SV_EMPTY;
	return auth_flow_save(f, err);
}

/* --- the keyring ------------------------------------------------------------------ */

static struct op *auth_step_load(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return auth_keyring_load_start(f->opts, f->key, &f->arena, &f->entry, then);
}

static struct op *auth_step_keep_secrets(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return f->must_keep ? auth_keyring_store_start(f->opts, f->key, &f->arena, &f->entry, then)
			    : NULL;
}

static struct op *auth_step_keep_entry(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct err err = ERR_INIT;

	if (!f->must_keep || auth_store_write(f->opts->credentials_file, f->key, &f->entry, &err))
		return NULL;
	return auth_flow_fail(f, &err, then);
}

static struct op *auth_step_clear_secrets(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return f->entry.fingerprint.len ? auth_keyring_clear_start(f->opts, f->key, then) : NULL;
}

/* --- the op --------------------------------------------------------------------- */

static void auth_flow_on_done(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct auth_flow *f = owner;
	struct err err = ERR_INIT;

	f->seq = NULL;
	fs_unlock(f->lock);
	f->lock = NULL;
	if (f->kind == AUTH_LOGOUT && !f->op.cancelled) { /* even if the server could not be told */
		if (why)
			log_warn("%s: %s", f->config->name, why->text);
		why = auth_store_remove(f->opts->credentials_file, f->key, &err) ? NULL : &err;
	}
	op_finish(&f->op, why);
}

static void auth_flow_cancel(struct op *op)
{
	op_cancel(((struct auth_flow *)op)->seq);
}

static void auth_flow_free(struct op *op)
{
	struct auth_flow *f = (struct auth_flow *)op;

	auth_redirect_free(f->redirect);
	str_clear(&f->code);
	arena_clear(&f->arena);
	free(f);
}

static const struct op_type auth_flow_type = { .name = "authorization",
					       .cancel = auth_flow_cancel,
					       .free = auth_flow_free };

struct op *auth_flow_start(const struct auth_flow_opts *opts, struct then then)
{
	struct auth_flow *f = xnew(struct auth_flow);
	const struct auth_steps *steps = &auth_steps[opts->kind];
	defer(str_clear) struct str url = STR_INIT;
	struct err err = ERR_INIT;

	op_init(&f->op, &auth_flow_type, opts->auth->loop, then);
	f->opts = opts->auth;
	f->config = opts->config;
	f->kind = opts->kind;
	f->key = mcp_config_key(opts->config, &f->arena);
	url_add_web(&url, sv_cstr(opts->config->url));
	f->url = arena_dup(&f->arena, sv_of(&url));
	f->challenge = challenge_read(opts->challenge, &f->arena);
	f->stale = arena_dup(&f->arena, opts->stale);
	if (!auth_store_read(f->opts->credentials_file, f->key, &f->arena, &f->entry, &err)) {
		op_finish(&f->op, &err);
		return &f->op;
	}
	f->seq = seq_start(f->opts->loop, steps->steps, steps->n, f, THEN(auth_flow_on_done, f));
	return &f->op;
}
