/* The part of a login that a person takes part in: which client we are, the browser, the code, the token. */
#include "mcp/auth/auth_flow.h"

#include "base/rng.h"
#include "net/browser.h"
#include "net/env_var.h"
#include "text/base64.h"
#include "text/digest.h"
#include "text/json/json_write.h"

#define CLIENT_SECRETS "mcpOAuthClientConfig"

enum { AUTH_RANDOM_BYTES = 32 };

static struct sv auth_random(struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;
	char bytes[AUTH_RANDOM_BYTES];

	rng_os_bytes(bytes, sizeof(bytes));
	base64_encode(&text, sv_from(bytes, sizeof(bytes)), BASE64_URL);
	return arena_dup(arena, sv_of(&text));
}

/* --- the address that the browser comes back to --------------------------------------- */

static int auth_configured_port(const struct auth_flow *f)
{
	const char *variable = env_var(f->opts->env, "MCP_OAUTH_CALLBACK_PORT");
	int64_t port = 0;

	if (f->config->oauth.callback_port)
		return f->config->oauth.callback_port;
	return variable && sv_to_int(sv_cstr(variable), &port) && port > 0 && port < 65536
		       ? (int)port
		       : 0;
}

struct op *auth_step_listen(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct err err = ERR_INIT;
	int fixed = auth_configured_port(f);
	int earlier =
		auth_redirect_port(f->entry.redirect_uri); /* the client is registered for it */

	f->redirect = auth_redirect_new(f->opts->loop, fixed ? fixed : earlier, &err);
	if (!f->redirect && !fixed && earlier)
		f->redirect = auth_redirect_new(f->opts->loop, 0, &err);
	return f->redirect ? NULL : auth_flow_fail(f, &err, then);
}

/* --- the client -------------------------------------------------------------------- */

static enum oauth_verdict auth_take_client(void *arg, const struct oauth_response *response,
					   struct err *err)
{
	struct auth_flow *f = arg;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(response->body, 0, &ignored);
	struct json root = json_root(doc);
	struct sv id = json_str_or(json_get(root, "client_id"), SV_EMPTY);

	if (response->status < 200 || response->status > 299 || !id.len) {
		err_set(err, ERR_ACCESS,
			"the authorization server refused to register awl (status %d)",
			response->status);
		return OAUTH_FAILED;
	}
	f->entry.client_id = arena_dup(&f->arena, id);
	f->entry.client_secret =
		arena_dup(&f->arena, json_str_or(json_get(root, "client_secret"), SV_EMPTY));
	f->entry.client_auth = arena_dup(
		&f->arena, json_str_or(json_get(root, "token_endpoint_auth_method"), SV_EMPTY));
	return OAUTH_TAKEN;
}

static void auth_write_registration(struct auth_flow *f, struct str *out)
{
	const char *method = f->server.takes_none    ? "none"
			     : f->server.takes_basic ? "client_secret_basic"
						     : "client_secret_post";
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_strf(&w, "client_name", "awl (%s)", f->config->name);
	jw_put_array(&w, "redirect_uris");
	jw_str(&w, auth_redirect_uri(f->redirect));
	jw_end(&w);
	jw_put_array(&w, "grant_types");
	jw_str(&w, SV("authorization_code"));
	jw_str(&w, SV("refresh_token"));
	jw_end(&w);
	jw_put_array(&w, "response_types");
	jw_str(&w, SV("code"));
	jw_end(&w);
	jw_put_str(&w, "token_endpoint_auth_method", sv_cstr(method));
	jw_put_str(&w, "application_type", SV("native"));
	if (f->scope.len)
		jw_put_str(&w, "scope", f->scope);
	jw_end(&w);
	jw_done(&w);
}

static struct op *auth_register(struct auth_flow *f, struct then then)
{
	defer(str_clear) struct str body = STR_INIT;
	struct oauth_call call = { .n = 1, .take = auth_take_client, .arg = f };
	struct err err = ERR_INIT;

	if (!f->server.registration_endpoint.len) {
		err_set(&err, ERR_ACCESS,
			"the authorization server does not register clients automatically; "
			"register awl there and add the server again with --client-id");
		return auth_flow_fail(f, &err, then);
	}
	auth_write_registration(f, &body);
	call.requests[0] = (struct token_request){
		.method = "POST",
		.url = f->server.registration_endpoint,
		.headers = { { SV("Content-Type"), SV("application/json") },
			     { SV("Accept"), SV("application/json") } },
		.body = sv_of(&body),
	};
	return auth_flow_call(f, &call, then);
}

/* The scopes to ask for: what the user says, else what the server's challenge or metadata say; and what was granted
 * before, if the server wants more than that. */
static void auth_choose_scope(struct auth_flow *f)
{
	struct sv wanted = sv_cstr(f->config->oauth.scopes);

	if (!wanted.len)
		wanted = f->challenge.scope;
	if (!wanted.len)
		wanted = f->resource.scopes;
	if (f->entry.step_up_scope.len) {
		wanted = oauth_scope_union(f->entry.scope, wanted, &f->arena);
		wanted = oauth_scope_union(wanted, f->entry.step_up_scope, &f->arena);
	}
	if (wanted.len && f->server.offers_offline_access)
		wanted = oauth_scope_union(wanted, SV("offline_access"), &f->arena);
	f->scope = wanted;
}

bool auth_flow_use_configured_client(struct auth_flow *f, struct err *err)
{
	defer(str_clear) struct str secret = STR_INIT;

	if (!auth_store_get(f->opts->credentials_file, CLIENT_SECRETS, sv_cstr(f->key),
			    "clientSecret", &secret, err))
		return false;
	f->entry.client_id = sv_cstr(f->config->oauth.client_id);
	f->entry.client_secret = arena_dup(&f->arena, sv_of(&secret));
	f->entry.client_auth = SV_EMPTY;
	return true;
}

struct op *auth_step_client(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	const char *document = env_var(f->opts->env, "MCP_OAUTH_CLIENT_METADATA_URL");
	bool is_locked =
		f->entry.fingerprint.len && !f->entry.access_token.len; /* by the keyring */
	bool is_known = f->entry.client_id.len && !is_locked &&
			sv_eq(f->entry.issuer, f->server.issuer) &&
			sv_eq(f->entry.redirect_uri, auth_redirect_uri(f->redirect));
	struct err err = ERR_INIT;

	if (!sv_eq(f->entry.issuer, f->server.issuer)) /* nothing of it is valid elsewhere */
		f->entry.scope = f->entry.refresh_token = f->entry.access_token = SV_EMPTY;
	auth_choose_scope(f);
	if (f->config->oauth.client_id)
		return auth_flow_use_configured_client(f, &err) ? NULL
								: auth_flow_fail(f, &err, then);
	if (document && f->server.takes_metadata_url) {
		f->entry.client_id = arena_dup(&f->arena, sv_cstr(document));
		f->entry.client_secret = f->entry.client_auth = SV_EMPTY;
		return NULL;
	}
	return is_known ? NULL : auth_register(f, then);
}

/* --- the browser ------------------------------------------------------------------- */

static void auth_open_browser(struct auth_flow *f, struct sv url)
{
	struct err err = ERR_INIT;

	if (!browser_open(url, f->opts->env, &err))
		log_warn("%s", err.text);
}

static struct sv auth_authorize_url(struct auth_flow *f, const struct auth_request *request)
{
	defer(str_clear) struct str url = STR_INIT;
	defer(str_clear) struct str query = STR_INIT;
	defer(str_clear) struct str challenge = STR_INIT;
	struct digest digest = sha256(f->verifier);
	struct sv endpoint = request->server->authorization_endpoint;

	base64_encode(&challenge, digest_sv(&digest), BASE64_URL);
	oauth_form_add(&query, "response_type", SV("code"));
	oauth_form_add(&query, "client_id", request->client_id);
	oauth_form_add(&query, "code_challenge", sv_of(&challenge));
	oauth_form_add(&query, "code_challenge_method", SV("S256"));
	oauth_form_add(&query, "redirect_uri", auth_redirect_uri(f->redirect));
	oauth_form_add(&query, "state", f->state);
	oauth_form_add(&query, "scope", request->scope);
	oauth_form_add(&query, "resource", request->resource);
	if (oauth_scope_covers(request->scope,
			       SV("offline_access"))) /* OpenID Connect wants both */
		oauth_form_add(&query, "prompt", SV("consent"));
	str_add(&url, endpoint);
	str_addc(&url, sv_find_char(endpoint, '?') == SIZE_MAX ? '?' : '&');
	str_add(&url, sv_of(&query));
	return arena_dup(&f->arena, sv_of(&url));
}

struct op *auth_flow_authorize(struct auth_flow *f, const struct auth_request *request,
			       struct then then)
{
	const struct oauth_server *server = request->server;
	struct err err = ERR_INIT;
	struct auth_expected expected;
	struct op *wait;
	struct sv url;

	if (!server->authorization_endpoint.len) {
		err_set(&err, ERR_PROTOCOL,
			"the authorization server names no authorization_endpoint");
		return auth_flow_fail(f, &err, then);
	}
	f->verifier = auth_random(&f->arena);
	f->state = auth_random(&f->arena);
	expected = (struct auth_expected){ .state = f->state,
					   .issuer = server->issuer,
					   .promises_iss = server->promises_iss };
	url = auth_authorize_url(f, request);
	wait = auth_redirect_wait(f->redirect, &expected, &f->code, then);
	if (f->opts->opens_browser)
		auth_open_browser(f, url);
	if (f->opts->show_url)
		f->opts->show_url(f->opts->arg, f->config->name, url.ptr);
	return wait;
}

struct op *auth_step_authorize(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return auth_flow_authorize(f,
				   &(struct auth_request){ .server = &f->server,
							   .client_id = f->entry.client_id,
							   .scope = f->scope,
							   .resource = f->resource.resource },
				   then);
}

/* --- the token --------------------------------------------------------------------- */

static enum oauth_verdict auth_take_tokens(void *arg, const struct oauth_response *response,
					   struct err *err)
{
	struct auth_flow *f = arg;
	struct oauth_tokens tokens;

	if (!oauth_tokens_read(&tokens, response->status, response->body, &f->arena, err))
		return OAUTH_FAILED;
	f->entry.redirect_uri = auth_redirect_uri(f->redirect);
	f->entry.resource = f->resource.resource;
	return auth_flow_take_tokens(f, &tokens, err) ? OAUTH_TAKEN : OAUTH_FAILED;
}

struct op *auth_step_redeem(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	defer(str_clear) struct str form = STR_INIT;
	struct oauth_call call = { .n = 1, .take = auth_take_tokens, .arg = f };

	oauth_form_add(&form, "grant_type", SV("authorization_code"));
	oauth_form_add(&form, "code", sv_of(&f->code));
	oauth_form_add(&form, "code_verifier", f->verifier);
	oauth_form_add(&form, "redirect_uri", auth_redirect_uri(f->redirect));
	oauth_form_add(&form, "resource", f->resource.resource);
	auth_flow_form(&call.requests[0], f->server.token_endpoint, SV_EMPTY);
	auth_flow_sign(f, &form, &call.requests[0]);
	call.requests[0].body = sv_of(&form);
	return auth_flow_call(f, &call, then);
}
