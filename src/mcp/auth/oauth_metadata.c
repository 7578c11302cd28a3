#include "mcp/auth/oauth_metadata.h"

#include "base/secret_mask.h"
#include "net/token_request.h"
#include "text/invisible.h"
#include "text/json/json.h"
#include "text/percent.h"
#include "text/url.h"

enum { OAUTH_WORDS_SHOWN = 160 }; /* bytes of a server's own words in an error */

/* --- places ---------------------------------------------------------------- */

struct oauth_address {
	struct sv origin; /* "https://host:port" */
	struct sv path;   /* without a slash at its end; may be empty */
};

static struct oauth_address oauth_address(struct sv text, struct arena *arena)
{
	struct url url = url_split(text);
	struct oauth_address out = { .path = url.path };

	out.origin = arena_printf(arena, "%.*s://%.*s", SV_ARG(url.scheme), SV_ARG(url.authority));
	while (sv_ends(out.path, SV("/")))
		out.path.len--;
	return out;
}

static void oauth_places_add(struct oauth_places *places, struct sv url, struct sv issuer)
{
	places->issuer[places->n] = issuer;
	places->at[places->n++] = url;
}

struct oauth_places oauth_resource_places(struct sv server_url, struct arena *arena)
{
	struct oauth_address a = oauth_address(server_url, arena);
	struct oauth_places out = { .n = 0 };

	if (a.path.len)
		oauth_places_add(&out,
				 arena_printf(arena,
					      "%.*s/.well-known/oauth-protected-resource%.*s",
					      SV_ARG(a.origin), SV_ARG(a.path)),
				 SV_EMPTY);
	oauth_places_add(
		&out,
		arena_printf(arena, "%.*s/.well-known/oauth-protected-resource", SV_ARG(a.origin)),
		SV_EMPTY);
	return out;
}

struct oauth_places oauth_server_places(struct sv issuer, struct arena *arena)
{
	struct oauth_address a = oauth_address(issuer, arena);
	struct oauth_places out = { .n = 0 };

	oauth_places_add(&out,
			 arena_printf(arena, "%.*s/.well-known/oauth-authorization-server%.*s",
				      SV_ARG(a.origin), SV_ARG(a.path)),
			 issuer);
	oauth_places_add(&out,
			 arena_printf(arena, "%.*s/.well-known/openid-configuration%.*s",
				      SV_ARG(a.origin), SV_ARG(a.path)),
			 issuer);
	if (a.path.len)
		oauth_places_add(&out,
				 arena_printf(arena, "%.*s%.*s/.well-known/openid-configuration",
					      SV_ARG(a.origin), SV_ARG(a.path)),
				 issuer);
	return out;
}

struct oauth_places oauth_own_places(struct sv server_url, struct arena *arena)
{
	struct oauth_address a = oauth_address(server_url, arena);
	struct oauth_places out = { .n = 0 };

	if (a.path.len)
		oauth_places_add(&out,
				 arena_printf(arena,
					      "%.*s/.well-known/oauth-authorization-server%.*s",
					      SV_ARG(a.origin), SV_ARG(a.path)),
				 SV_EMPTY);
	oauth_places_add(&out,
			 arena_printf(arena, "%.*s/.well-known/oauth-authorization-server",
				      SV_ARG(a.origin)),
			 SV_EMPTY);
	return out;
}

/* --- scopes ------------------------------------------------------------------ */

static bool oauth_scope_has(struct sv list, struct sv word)
{
	struct sv one;

	while (sv_cut(&list, ' ', &one))
		if (sv_eq(one, word))
			return true;
	return false;
}

static void oauth_scope_add(struct str *out, struct sv list)
{
	struct sv one;

	while (sv_cut(&list, ' ', &one)) {
		if (!one.len || oauth_scope_has(sv_of(out), one))
			continue;
		if (out->len)
			str_addc(out, ' ');
		str_add(out, one);
	}
}

struct sv oauth_scope_union(struct sv a, struct sv b, struct arena *arena)
{
	defer(str_clear) struct str out = STR_INIT;

	oauth_scope_add(&out, a);
	oauth_scope_add(&out, b);
	return arena_dup(arena, sv_of(&out));
}

bool oauth_scope_covers(struct sv whole, struct sv part)
{
	struct sv one;

	while (sv_cut(&part, ' ', &one))
		if (one.len && !oauth_scope_has(whole, one))
			return false;
	return true;
}

/* The strings of an array, separated by blanks. */
static struct sv oauth_join(struct json array, struct arena *arena)
{
	defer(str_clear) struct str out = STR_INIT;
	struct json_iter it;
	struct json item;

	for (it = json_each(array); json_next(&it, NULL, &item);)
		oauth_scope_add(&out, json_str_or(item, SV_EMPTY));
	return arena_dup(arena, sv_of(&out));
}

/* --- the resource ------------------------------------------------------------- */

/* Whether the path of the resource contains the other, part by part. */
static bool is_path_below(struct sv path, struct sv top)
{
	while (sv_ends(top, SV("/")))
		top.len--;
	return sv_starts(path, top) && (path.len == top.len || path.ptr[top.len] == '/');
}

static bool oauth_resource_covers(struct sv resource, struct sv server_url)
{
	defer(str_clear) struct str web = STR_INIT;
	struct url a, b = url_split(server_url);

	url_add_web(&web, resource);
	a = url_split(sv_of(&web));
	return url_is_same_origin(sv_of(&web), server_url) && is_path_below(b.path, a.path);
}

bool oauth_resource_read(struct oauth_resource *out, struct sv json, struct sv server_url,
			 struct arena *arena, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, err);
	struct json root = json_root(doc), server;
	struct oauth_resource found = { .nservers = 0 };
	struct json_iter it;
	struct sv text;

	if (!doc || !json_need_str(root, "resource", &text, err))
		return err_context(err, "the metadata of the protected resource");
	if (!oauth_resource_covers(text, server_url))
		return err_set(
			err, ERR_ACCESS,
			"the server's metadata are about another resource (%.*s); not authorizing",
			(int)(text.len < OAUTH_WORDS_SHOWN ? text.len : OAUTH_WORDS_SHOWN),
			text.ptr);
	found.resource = arena_dup(arena, text);
	for (it = json_each(json_get(root, "authorization_servers"));
	     found.nservers < OAUTH_SERVERS && json_next(&it, NULL, &server);)
		if (json_str(server, &text))
			found.servers[found.nservers++] = arena_dup(arena, text);
	found.scopes = oauth_join(json_get(root, "scopes_supported"), arena);
	*out = found;
	return true;
}

/* --- the authorization server ---------------------------------------------------- */

/* A slash at the end is the one difference that is forgiven: URL parsers add it. */
static bool is_same_issuer(struct sv a, struct sv b)
{
	if (sv_ends(a, SV("/")))
		a.len--;
	if (sv_ends(b, SV("/")))
		b.len--;
	return sv_eq(a, b);
}

static bool oauth_endpoint(struct json root, const char *name, bool is_required, struct sv *out,
			   struct arena *arena, struct err *err)
{
	struct sv text = json_str_or(json_get(root, name), SV_EMPTY);

	if (!text.len && !is_required)
		return true;
	if (!text.len)
		return err_set(err, ERR_PROTOCOL, "the authorization server names no %s", name);
	if (!token_url_is_safe(text))
		return err_set(err, ERR_ACCESS,
			       "the %s of the authorization server is not https; not authorizing",
			       name);
	*out = arena_dup(arena, text);
	return true;
}

static void oauth_server_read_methods(struct oauth_server *out, struct json root,
				      struct arena *arena)
{
	struct json listed = json_get(root, "token_endpoint_auth_methods_supported");
	struct sv methods = oauth_join(listed, arena);

	/* Without a list, RFC 8414 says basic; a client without a secret just names itself. */
	out->takes_none = !methods.len || oauth_scope_has(methods, SV("none"));
	out->takes_basic = !methods.len || oauth_scope_has(methods, SV("client_secret_basic"));
	out->takes_post = oauth_scope_has(methods, SV("client_secret_post"));
}

bool oauth_server_read(struct oauth_server *out, struct sv json, struct sv issuer,
		       struct arena *arena, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, err);
	struct json root = json_root(doc), pkce, grants;
	struct oauth_server s = { .issuer = SV_EMPTY };

	if (!doc)
		return err_context(err, "the metadata of the authorization server");
	s.issuer = arena_dup(arena, json_str_or(json_get(root, "issuer"), SV_EMPTY));
	if (issuer.len && !is_same_issuer(s.issuer, issuer))
		return err_set(
			err, ERR_ACCESS,
			"the authorization server calls itself %.80s, not %.80s; not authorizing",
			s.issuer.ptr, arena_dup(arena, issuer).ptr);
	if (!oauth_endpoint(root, "authorization_endpoint", false, &s.authorization_endpoint, arena,
			    err) ||
	    !oauth_endpoint(root, "token_endpoint", true, &s.token_endpoint, arena, err) ||
	    !oauth_endpoint(root, "registration_endpoint", false, &s.registration_endpoint, arena,
			    err) ||
	    !oauth_endpoint(root, "revocation_endpoint", false, &s.revocation_endpoint, arena, err))
		return false;
	pkce = json_get(root, "code_challenge_methods_supported");
	if (json_len(pkce) && !oauth_scope_has(oauth_join(pkce, arena), SV("S256")))
		return err_set(err, ERR_ACCESS,
			       "the authorization server cannot do PKCE with S256");
	grants = json_get(root, "grant_types_supported");
	s.refuses_jwt_bearer = json_len(grants) &&
			       !oauth_scope_has(oauth_join(grants, arena),
						SV("urn:ietf:params:oauth:grant-type:jwt-bearer"));
	s.offers_offline_access = oauth_scope_has(
		oauth_join(json_get(root, "scopes_supported"), arena), SV("offline_access"));
	s.promises_iss = json_bool_or(
		json_get(root, "authorization_response_iss_parameter_supported"), false);
	s.takes_metadata_url =
		json_bool_or(json_get(root, "client_id_metadata_document_supported"), false);
	oauth_server_read_methods(&s, root, arena);
	*out = s;
	return true;
}

struct oauth_server oauth_server_default(struct sv server_url, struct arena *arena)
{
	struct sv origin = oauth_address(server_url, arena).origin;

	return (struct oauth_server){
		.issuer = origin,
		.authorization_endpoint = arena_printf(arena, "%.*s/authorize", SV_ARG(origin)),
		.token_endpoint = arena_printf(arena, "%.*s/token", SV_ARG(origin)),
		.registration_endpoint = arena_printf(arena, "%.*s/register", SV_ARG(origin)),
		.takes_basic = true,
		.takes_post = true,
		.takes_none = true,
	};
}

/* --- tokens -------------------------------------------------------------------- */

/* Fail with what the server says, made fit to be shown. */
static bool oauth_fail(struct json root, struct sv code, struct err *err)
{
	static const char *const over[] = { "invalid_grant", "invalid_refresh_token",
					    "expired_refresh_token", "token_expired" };
	defer(str_clear) struct str words = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;
	struct sv more = json_str_or(json_get(root, "error_description"), SV_EMPTY);
	enum err_kind kind = ERR_ACCESS;

	for (size_t i = 0; i < countof(over); i++)
		if (sv_is(code, over[i]))
			kind = ERR_STALE;
	if (sv_is(code, "invalid_client") || sv_is(code, "unauthorized_client"))
		kind = ERR_NOT_FOUND;
	str_add(&words, kind == ERR_STALE ? SV("invalid_grant") : code);
	if (more.len)
		str_addf(&words, ": %.*s", SV_ARG(more));
	str_truncate(&words, words.len < OAUTH_WORDS_SHOWN ? words.len : OAUTH_WORDS_SHOWN);
	secret_mask(&shown, sv_of(&words));
	str_truncate(&words, 0);
	invisible_escape(&words, sv_of(&shown), invisible_misleads_in_line);
	return err_set(err, kind, "the authorization server says: %s", str_c(&words));
}

/* Whether it can be sent in a header. */
static bool is_token_text(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] < '!' || text.ptr[i] > '~')
			return false;
	return text.len > 0;
}

bool oauth_tokens_read(struct oauth_tokens *out, int status, struct sv json, struct arena *arena,
		       struct err *err)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &ignored);
	struct json root = json_root(doc);
	struct sv token = json_str_or(json_get(root, "access_token"), SV_EMPTY);
	struct sv error = json_str_or(json_get(root, "error"), SV_EMPTY);

	if (!token.len && error.len)
		return oauth_fail(root, error, err);
	if (status < 200 || status > 299 || !is_token_text(token))
		return err_set(
			err, ERR_PROTOCOL,
			"the authorization server answered with status %d and without a token",
			status);
	*out = (struct oauth_tokens){
		.access_token = arena_dup(arena, token),
		.refresh_token =
			arena_dup(arena, json_str_or(json_get(root, "refresh_token"), SV_EMPTY)),
		.scope = arena_dup(arena, json_str_or(json_get(root, "scope"), SV_EMPTY)),
		.id_token = arena_dup(arena, json_str_or(json_get(root, "id_token"), SV_EMPTY)),
	};
	if (!json_int(json_get(root, "expires_in"), &out->expires_in) &&
	    !sv_to_int(json_str_or(json_get(root, "expires_in"), SV_EMPTY), &out->expires_in))
		out->expires_in = 0;
	return true;
}

/* --- forms --------------------------------------------------------------------- */

void oauth_form_add(struct str *form, const char *name, struct sv value)
{
	if (!value.len)
		return;
	str_addf(form, "%s%s=", form->len ? "&" : "", name);
	percent_encode(form, value, "");
}

bool oauth_query_get(struct sv query, const char *name, struct str *out)
{
	struct sv pair, key, found = SV_EMPTY;
	size_t times = 0;

	while (sv_cut(&query, '&', &pair)) {
		struct sv value = pair;

		if (!sv_cut(&value, '=', &key) || !sv_is(key, name))
			continue;
		found = value;
		times++;
	}
	if (times != 1)
		return false;
	str_truncate(out, 0);
	percent_decode_form(out, found);
	return true;
}
