/* Tokens that there are already: renewing them, one process at a time, and giving them back. */
#include "mcp/auth/auth_flow.h"

#include "base/limits.h"
#include "sys/work.h"
#include "text/digest.h"
#include "text/hex.h"

enum { REFRESH_LOCK_MS = 30 * 1000 };

/* --- one at a time ------------------------------------------------------------------- */

/* On a worker thread: another process may take a while. */
static bool auth_take_lock(void *arg, struct err *err)
{
	struct auth_flow *f = arg;
	struct sv file = sv_cstr(f->opts->credentials_file);
	defer(str_clear) struct str path = STR_INIT;
	struct digest digest = sha256(sv_cstr(f->key));
	size_t slash = sv_rfind_char(file, '/');

	fs_join(&path, slash == SIZE_MAX ? SV(".") : sv_slice(file, 0, slash), SV("awl"));
	if (!fs_mkdirs(str_c(&path), 0700, err))
		return false;
	str_adds(&path, "/mcp-");
	hex_encode(&path, sv_slice(digest_sv(&digest), 0, 8));
	str_adds(&path, ".lock");
	f->lock = fs_lock_within(str_c(&path), REFRESH_LOCK_MS, err);
	return f->lock != NULL;
}

struct op *auth_step_lock(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return work_start(f->opts->loop, auth_take_lock, f, then);
}

/* --- refreshing -------------------------------------------------------------------- */

static enum oauth_verdict auth_take_refreshed(void *arg, const struct oauth_response *response,
					      struct err *err)
{
	struct auth_flow *f = arg;
	struct oauth_tokens tokens;
	struct err ignored = ERR_INIT;

	if (!oauth_tokens_read(&tokens, response->status, response->body, &f->arena, err)) {
		if (err->kind != ERR_STALE && err->kind != ERR_NOT_FOUND)
			return OAUTH_FAILED; /* the server is ill; the tokens may be fine */
		f->entry.access_token = f->entry.refresh_token = SV_EMPTY;
		f->entry.expires_at_ms = 0;
		if (err->kind == ERR_NOT_FOUND) /* register again */
			f->entry.client_id = f->entry.client_secret = SV_EMPTY;
		if (!auth_flow_save(f, &ignored))
			log_warn("%s", ignored.text);
		return OAUTH_FAILED;
	}
	f->entry.access_token = tokens.access_token;
	if (tokens.refresh_token.len)
		f->entry.refresh_token = tokens.refresh_token;
	if (tokens.scope.len)
		f->entry.scope = tokens.scope;
	f->entry.expires_at_ms =
		tokens.expires_in > 0 ? loop_wall(f->opts->loop) + tokens.expires_in * 1000 : 0;
	return auth_flow_save(f, err) ? OAUTH_TAKEN : OAUTH_FAILED;
}

struct op *auth_step_refresh(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	defer(str_clear) struct str form = STR_INIT;
	struct oauth_call call = { .n = 1, .take = auth_take_refreshed, .arg = f };

	if (f->is_fresh)
		return NULL;
	oauth_form_add(&form, "grant_type", SV("refresh_token"));
	oauth_form_add(&form, "refresh_token", f->entry.refresh_token);
	oauth_form_add(&form, "resource", f->entry.resource);
	auth_flow_form(&call.requests[0], f->server.token_endpoint, SV_EMPTY);
	auth_flow_sign(f, &form, &call.requests[0]);
	call.requests[0].body = sv_of(&form);
	return auth_flow_call(f, &call, then);
}

/* We have the lock: what has somebody stored while we waited? */
struct op *auth_step_read_again(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct err err = ERR_INIT;

	if (!auth_store_read(f->opts->credentials_file, f->key, &f->arena, &f->entry, &err))
		return auth_flow_fail(f, &err, then);
	return NULL;
}

struct op *auth_step_look_again(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;
	struct err err = ERR_INIT;

	f->is_fresh = f->entry.access_token.len && !sv_eq(f->entry.access_token, f->stale);
	if (f->is_fresh || f->entry.refresh_token.len)
		return NULL;
	err_set(&err, ERR_STALE, "there is no refresh token");
	return auth_flow_fail(f, &err, then);
}

/* --- revoking ---------------------------------------------------------------------- */

/* Whatever the server says, we forget the token. */
static enum oauth_verdict auth_take_revoked(__attribute__((unused)) void *arg,
					    const struct oauth_response *response,
					    __attribute__((unused)) struct err *err)
{
	/* Some servers want the token itself as the proof. */
	return response->status == 401 ? OAUTH_NEXT : OAUTH_TAKEN;
}

static struct op *auth_revoke(struct auth_flow *f, struct sv token, const char *hint,
			      struct then then)
{
	defer(str_clear) struct str form = STR_INIT;
	defer(str_clear) struct str bare = STR_INIT;
	struct oauth_call call = {
		.n = 2, .take = auth_take_revoked, .arg = f, .may_end_empty = true
	};

	if (!token.len || !f->server.revocation_endpoint.len)
		return NULL;
	oauth_form_add(&form, "token", token);
	oauth_form_add(&form, "token_type_hint", sv_cstr(hint));
	str_set(&bare, sv_of(&form));
	auth_flow_form(&call.requests[0], f->server.revocation_endpoint, SV_EMPTY);
	auth_flow_sign(f, &form, &call.requests[0]);
	call.requests[0].body = sv_of(&form);
	auth_flow_form(&call.requests[1], f->server.revocation_endpoint, sv_of(&bare));
	call.requests[1].headers[2] =
		(struct http_header){ .name = SV("Authorization"),
				      .value = arena_printf(&f->arena, "Bearer %.*s",
							    SV_ARG(f->entry.access_token)) };
	return auth_flow_call(f, &call, then);
}

struct op *auth_step_revoke_refresh(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return auth_revoke(f, f->entry.refresh_token, "refresh_token", then);
}

struct op *auth_step_revoke_access(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	return auth_revoke(f, f->entry.access_token, "access_token", then);
}
