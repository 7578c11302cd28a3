/* Cross-application access: the user logs in to the company once, and that identity is exchanged for a token of
 * each server, without a question. The identity token comes from the identity provider (OpenID Connect) and is kept for all
 * servers; the provider turns it into a grant for one authorization server (RFC 8693, ID-JAG), which turns that into a token
 * (RFC 7523).
 *
 * An identity token is worth more than any access token. So it goes to its provider only, and a grant is asked for only when
 * the metadata are about exactly this server and its authorization server is who it says it is. */
#include "mcp/auth/auth_flow.h"

#include "text/base64.h"
#include "text/json/json.h"
#include "text/url.h"

#define IDENTITIES     "mcpXaaIdp"
#define IDENTITY_NAMES "mcpXaaIdpConfig"
#define JWT_BEARER     "urn:ietf:params:oauth:grant-type:jwt-bearer"
#define TOKEN_EXCHANGE "urn:ietf:params:oauth:grant-type:token-exchange"
#define ID_JAG         "urn:ietf:params:oauth:token-type:id-jag"
#define ID_TOKEN       "urn:ietf:params:oauth:token-type:id_token"

enum { IDENTITY_MARGIN_S = 60 };

/* --- the authorization server -------------------------------------------------- */

static bool is_same_url(struct sv a, struct sv b)
{
	struct url x = url_split(a), y = url_split(b);

	if (sv_ends(x.path, SV("/")))
		x.path.len--;
	if (sv_ends(y.path, SV("/")))
		y.path.len--;
	return url_is_same_origin(a, b) && sv_eq(x.path, y.path) && sv_eq(x.query, y.query);
}

struct op *auth_step_guard(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct err err = ERR_INIT;

	if (!f->opts->idp.issuer || !f->opts->idp.client_id)
		err_set(&err, ERR_INVALID,
			"the server wants the identity of your company; set xaaIdp in the "
			"settings");
	else if (!f->config->oauth.client_id)
		err_set(&err, ERR_INVALID,
			"the server needs a registered client; add it again with --client-id");
	else if (!f->has_resource || !f->resource.nservers)
		err_set(&err, ERR_NOT_FOUND, "the server names no authorization server");
	else if (!is_same_url(f->resource.resource, f->url))
		err_set(&err, ERR_ACCESS, "the server's metadata are about another resource");
	else
		return NULL;
	return auth_flow_fail(f, &err, then);
}

static enum oauth_verdict auth_take_willing(void *arg, const struct oauth_response *response,
					    struct err *err)
{
	struct auth_flow *f = arg;
	struct err why = ERR_INIT;

	if (response->status != 200)
		return OAUTH_NEXT;
	if (!oauth_server_read(&f->server, response->body, f->places.issuer[response->i], &f->arena,
			       &why)) {
		*err = why;
		return why.kind == ERR_ACCESS ? OAUTH_FAILED : OAUTH_NEXT;
	}
	f->has_server = !f->server.refuses_jwt_bearer;
	return OAUTH_TAKEN;
}

/* Ask the i-th authorization server that the resource names, unless one was found already. */
static struct op *auth_ask_server(struct auth_flow *f, size_t i, struct then then)
{
	struct oauth_call call = { .take = auth_take_willing, .arg = f, .may_end_empty = true };

	if (f->has_server || i >= f->resource.nservers ||
	    !token_url_is_safe(f->resource.servers[i]))
		return NULL;
	f->places = oauth_server_places(f->resource.servers[i], &f->arena);
	for (size_t k = 0; k < f->places.n; k++)
		auth_flow_get(&call, f->places.at[k]);
	return auth_flow_call(f, &call, then);
}

struct op *auth_step_server_1(void *ctx, struct then then)
{
	return auth_ask_server(ctx, 0, then);
}

struct op *auth_step_server_2(void *ctx, struct then then)
{
	return auth_ask_server(ctx, 1, then);
}

struct op *auth_step_server_3(void *ctx, struct then then)
{
	return auth_ask_server(ctx, 2, then);
}

/* --- the identity ----------------------------------------------------------------- */

/* When the token ends, in seconds since 1970; 0: it does not say. */
static int64_t auth_identity_end(struct sv token)
{
	struct sv rest = token, head, claims;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (!sv_cut(&rest, '.', &head) || !sv_cut(&rest, '.', &claims) ||
	    !base64_decode(&text, claims, BASE64_URL, &err))
		return 0;
	doc = json_parse(sv_of(&text), 0, &err);
	return json_int_or(json_get(json_root(doc), "exp"), 0);
}

/* Take the identity that is kept, if it is still good. */
static bool auth_read_identity(struct auth_flow *f, struct err *err)
{
	defer(str_clear) struct str kept = STR_INIT;

	if (!auth_store_get(f->opts->credentials_file, IDENTITIES, sv_cstr(f->opts->idp.issuer),
			    "idToken", &kept, err))
		return false;
	if (auth_identity_end(sv_of(&kept)) > loop_wall(f->opts->loop) / 1000 + IDENTITY_MARGIN_S)
		f->id_token = arena_dup(&f->arena, sv_of(&kept));
	return true;
}

static void auth_keep_identity(struct auth_flow *f, struct sv token)
{
	struct err err = ERR_INIT;

	if (!auth_store_put(f->opts->credentials_file, IDENTITIES, sv_cstr(f->opts->idp.issuer),
			    "idToken", token, &err))
		log_warn("%s", err.text);
}

static enum oauth_verdict auth_take_idp(void *arg, const struct oauth_response *response,
					struct err *err)
{
	struct auth_flow *f = arg;

	if (response->status != 200)
		return OAUTH_NEXT;
	return oauth_server_read(&f->idp, response->body, sv_cstr(f->opts->idp.issuer), &f->arena,
				 err)
		       ? OAUTH_TAKEN
		       : OAUTH_FAILED;
}

struct op *auth_step_idp(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct oauth_call call = { .take = auth_take_idp, .arg = f };
	struct sv issuer = sv_cstr(f->opts->idp.issuer);
	struct oauth_places places = oauth_server_places(issuer, &f->arena);
	struct err err = ERR_INIT;

	if (!f->has_server)
		err_set(&err, ERR_ACCESS,
			"no authorization server of this server takes an identity (jwt-bearer)");
	else if (!token_url_is_safe(issuer))
		err_set(&err, ERR_INVALID, "the issuer in xaaIdp must begin with https://");
	else if (!auth_read_identity(f, &err))
		return auth_flow_fail(f, &err, then);
	if (err.kind != ERR_NONE)
		return auth_flow_fail(f, &err, then);
	for (size_t i = places.n; i-- > 0;) /* OpenID Connect first */
		auth_flow_get(&call, places.at[i]);
	return auth_flow_call(f, &call, then);
}

/* Log in to the provider, if its token is not there. */
struct op *auth_step_identify(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct err err = ERR_INIT;

	if (f->id_token.len)
		return NULL;
	if (!f->opts->show_url) {
		err_set(&err, ERR_ACCESS, "run: awl mcp login %s", f->config->name);
		return auth_flow_fail(f, &err, then);
	}
	f->redirect = auth_redirect_new(f->opts->loop, f->opts->idp.callback_port, &err);
	if (!f->redirect)
		return auth_flow_fail(f, &err, then);
	return auth_flow_authorize(
		f,
		&(struct auth_request){ .server = &f->idp,
					.client_id = sv_cstr(f->opts->idp.client_id),
					.scope = SV("openid") },
		then);
}

static enum oauth_verdict auth_take_identity(void *arg, const struct oauth_response *response,
					     struct err *err)
{
	struct auth_flow *f = arg;
	struct oauth_tokens tokens;

	if (!oauth_tokens_read(&tokens, response->status, response->body, &f->arena, err))
		return OAUTH_FAILED;
	if (!tokens.id_token.len) {
		err_set(err, ERR_PROTOCOL, "the identity provider returned no identity token");
		return OAUTH_FAILED;
	}
	f->id_token = tokens.id_token;
	auth_keep_identity(f, f->id_token);
	return OAUTH_TAKEN;
}

/* Add the id and, if there is one, the secret of our client at the provider. */
static void auth_sign_identity(struct auth_flow *f, struct str *form)
{
	defer(str_clear) struct str secret = STR_INIT;
	struct err ignored = ERR_INIT;

	oauth_form_add(form, "client_id", sv_cstr(f->opts->idp.client_id));
	if (auth_store_get(f->opts->credentials_file, IDENTITY_NAMES, sv_cstr(f->opts->idp.issuer),
			   "clientSecret", &secret, &ignored))
		oauth_form_add(form, "client_secret", sv_of(&secret));
}

struct op *auth_step_identity(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	defer(str_clear) struct str form = STR_INIT;
	struct oauth_call call = { .n = 1, .take = auth_take_identity, .arg = f };

	if (f->id_token.len)
		return NULL;
	oauth_form_add(&form, "grant_type", SV("authorization_code"));
	oauth_form_add(&form, "code", sv_of(&f->code));
	oauth_form_add(&form, "code_verifier", f->verifier);
	oauth_form_add(&form, "redirect_uri", auth_redirect_uri(f->redirect));
	auth_sign_identity(f, &form);
	auth_flow_form(&call.requests[0], f->idp.token_endpoint, sv_of(&form));
	return auth_flow_call(f, &call, then);
}

/* --- the exchange -------------------------------------------------------------------- */

static enum oauth_verdict auth_take_grant(void *arg, const struct oauth_response *response,
					  struct err *err)
{
	struct auth_flow *f = arg;
	struct oauth_tokens tokens;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(response->body, 0, &ignored);
	bool ok = oauth_tokens_read(&tokens, response->status, response->body, &f->arena, err);

	if (ok &&
	    !sv_is(json_str_or(json_get(json_root(doc), "issued_token_type"), SV_EMPTY), ID_JAG))
		ok = err_set(err, ERR_PROTOCOL, "the identity provider returned no ID-JAG");
	if (ok) {
		f->assertion = tokens.access_token;
		return OAUTH_TAKEN;
	}
	/* While the provider is ill, the identity may be fine; after any other answer it is not. */
	if (response->status < 500)
		auth_keep_identity(f, SV_EMPTY);
	return OAUTH_FAILED;
}

struct op *auth_step_exchange(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	defer(str_clear) struct str form = STR_INIT;
	struct oauth_call call = { .n = 1, .take = auth_take_grant, .arg = f };

	oauth_form_add(&form, "grant_type", SV(TOKEN_EXCHANGE));
	oauth_form_add(&form, "requested_token_type", SV(ID_JAG));
	oauth_form_add(&form, "audience", f->server.issuer);
	oauth_form_add(&form, "resource", f->resource.resource);
	oauth_form_add(&form, "subject_token", f->id_token);
	oauth_form_add(&form, "subject_token_type", SV(ID_TOKEN));
	auth_sign_identity(f, &form);
	auth_flow_form(&call.requests[0], f->idp.token_endpoint, sv_of(&form));
	return auth_flow_call(f, &call, then);
}

static enum oauth_verdict auth_take_access(void *arg, const struct oauth_response *response,
					   struct err *err)
{
	struct auth_flow *f = arg;
	struct oauth_tokens tokens;

	if (!oauth_tokens_read(&tokens, response->status, response->body, &f->arena, err))
		return OAUTH_FAILED;
	f->entry.resource = f->resource.resource;
	return auth_flow_take_tokens(f, &tokens, err) ? OAUTH_TAKEN : OAUTH_FAILED;
}

struct op *auth_step_grant(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	defer(str_clear) struct str form = STR_INIT;
	struct oauth_call call = { .n = 1, .take = auth_take_access, .arg = f };
	struct err err = ERR_INIT;

	if (!auth_flow_use_configured_client(f, &err))
		return auth_flow_fail(f, &err, then);
	oauth_form_add(&form, "grant_type", SV(JWT_BEARER));
	oauth_form_add(&form, "assertion", f->assertion);
	auth_flow_form(&call.requests[0], f->server.token_endpoint, SV_EMPTY);
	auth_flow_sign(f, &form, &call.requests[0]);
	call.requests[0].body = sv_of(&form);
	return auth_flow_call(f, &call, then);
}
