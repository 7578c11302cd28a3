/* Who authorizes access to a server, and how? In this order: the address that the user has configured; what
 * the server's metadata say (RFC 9728), which its challenge may name; the server itself (2025-03-26). */
#include "mcp/auth/auth_flow.h"

#include "text/url.h"

/* --- the resource -------------------------------------------------------------- */

static enum oauth_verdict auth_take_resource(void *arg, const struct oauth_response *response,
					     struct err *err)
{
	struct auth_flow *f = arg;
	struct err why = ERR_INIT;

	if (response->status != 200)
		return OAUTH_NEXT;
	f->has_resource =
		oauth_resource_read(&f->resource, response->body, f->url, &f->arena, &why);
	if (f->has_resource) {
		f->entry.resource_metadata_url = f->places.at[response->i];
		return OAUTH_TAKEN;
	}
	if (why.kind != ERR_ACCESS)
		return OAUTH_NEXT;
	*err = why;
	return OAUTH_FAILED;
}

/* The challenge may name an address, if it is a safe one. */
static bool is_usable(struct sv url, const struct auth_flow *f)
{
	struct url parts = url_split(url);

	return url_is_web(&parts) &&
	       (sv_eq_nocase(parts.scheme, SV("https")) || url_is_same_origin(url, f->url));
}

struct op *auth_step_resource(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct oauth_call call = { .take = auth_take_resource, .arg = f, .may_end_empty = true };
	struct oauth_places places = oauth_resource_places(f->url, &f->arena);
	struct sv named = f->challenge.resource_metadata;

	if (f->config->oauth.metadata_url)
		return NULL;
	f->places = (struct oauth_places){ .n = 0 };
	if (is_usable(named, f))
		f->places.at[f->places.n++] = named;
	for (size_t i = 0; i < places.n; i++)
		if (!sv_eq(places.at[i], named))
			f->places.at[f->places.n++] = places.at[i];
	for (size_t i = 0; i < f->places.n; i++)
		auth_flow_get(&call, f->places.at[i]);
	return auth_flow_call(f, &call, then);
}

/* --- the authorization server ------------------------------------------------- */

static enum oauth_verdict auth_take_server(void *arg, const struct oauth_response *response,
					   struct err *err)
{
	struct auth_flow *f = arg;
	struct err why = ERR_INIT;

	if (response->status != 200)
		return OAUTH_NEXT;
	f->has_server = oauth_server_read(&f->server, response->body, f->places.issuer[response->i],
					  &f->arena, &why);
	if (f->has_server)
		return OAUTH_TAKEN;
	if (why.kind != ERR_ACCESS)
		return OAUTH_NEXT;
	*err = why;
	return OAUTH_FAILED;
}

/* Where to ask; the order is the one above. */
static bool auth_find_places(struct auth_flow *f, struct err *err)
{
	const char *configured = f->config->oauth.metadata_url;
	bool is_renewal = f->kind == AUTH_REFRESH || f->kind == AUTH_LOGOUT;

	f->places = (struct oauth_places){ .n = 0 };
	if (configured && !sv_starts(sv_cstr(configured), SV("https://")))
		return err_set(err, ERR_INVALID, "authServerMetadataUrl must begin with https://");
	if (configured) {
		f->places.at[f->places.n++] = sv_cstr(configured);
	} else if (is_renewal && f->entry.issuer.len) {
		f->places = oauth_server_places(f->entry.issuer, &f->arena);
	} else if (f->has_resource && f->resource.nservers) {
		f->places = oauth_server_places(f->resource.servers[0], &f->arena);
	} else {
		f->places = oauth_own_places(f->url, &f->arena);
	}
	return true;
}

struct op *auth_step_server(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct oauth_call call = { .take = auth_take_server, .arg = f };
	struct err err = ERR_INIT;

	if (f->is_fresh)
		return NULL;
	if (!auth_find_places(f, &err))
		return auth_flow_fail(f, &err, then);
	for (size_t i = 0; i < f->places.n; i++) {
		if (!f->config->oauth.metadata_url && f->has_resource &&
		    !token_url_is_safe(f->places.at[i])) {
			err_set(&err, ERR_ACCESS,
				"the authorization server is not reached by https; not "
				"authorizing");
			return auth_flow_fail(f, &err, then);
		}
		auth_flow_get(&call, f->places.at[i]);
	}
	/* An old server that publishes nothing has its endpoints at known places. */
	call.may_end_empty =
		f->kind == AUTH_LOGOUT ||
		(f->kind == AUTH_LOGIN && !f->has_resource && !f->config->oauth.metadata_url) ||
		(f->kind == AUTH_REFRESH && !f->entry.resource.len);
	if (call.may_end_empty)
		f->server = oauth_server_default(f->url, &f->arena);
	return auth_flow_call(f, &call, then);
}
