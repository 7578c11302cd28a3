/* Requests come in numbers, and each of them may find that the token has expired or is refused. So what is
 * done about it is a job, one at a time for each server, and all who need it wait for the same job. */
#include "mcp/auth/auth.h"

#include "base/mem.h"
#include "base/vec.h"
#include "mcp/auth/auth_flow.h"

enum {
	EARLY_MS = 5 * 60 * 1000, /* a token is refreshed this long before its end */
	STEP_UPS = 2,             /* logins for more scopes, for one server in one process */
};

struct auth_job {
	struct mcp_auth *auth;
	char *key;
	enum auth_flow_kind kind;
	struct op *flow;
	VEC(struct auth_want *) wants;
};

/* The server of a key has been looked at. */
struct auth_known {
	char *key;
	struct err why; /* what is said about it from then on */
	int step_ups;
};

struct mcp_auth {
	struct mcp_auth_opts opts;
	struct arena arena; /* of opts.idp */
	VEC(struct auth_job *) jobs;
	VEC(struct auth_known) known;
};

/* What a link waits for: a token, or another token after a challenge. */
struct auth_want {
	struct op op;
	struct mcp_auth *auth;
	const struct mcp_config *config;
	struct arena arena;
	const char *key;
	struct auth_job *job;    /* NULL: none */
	struct str token;        /* "Bearer ..." */
	struct auth_entry entry; /* as stored */
	struct op *load;         /* of its secrets; NULL: none */
	void (*next)(struct auth_want *w);

	bool is_challenged;
	int status;
	struct sv challenge, used; /* without "Bearer " */
	bool has_refreshed, has_logged_in;
};

struct mcp_auth *mcp_auth_new(const struct mcp_auth_opts *opts)
{
	struct mcp_auth *auth = xnew(struct mcp_auth);

	auth->opts = *opts;
	auth->opts.keyring = auth_keyring_new();
	if (opts->idp.issuer)
		auth->opts.idp.issuer = arena_dup(&auth->arena, sv_cstr(opts->idp.issuer)).ptr;
	if (opts->idp.client_id)
		auth->opts.idp.client_id =
			arena_dup(&auth->arena, sv_cstr(opts->idp.client_id)).ptr;
	return auth;
}

struct mcp_idp mcp_idp_read(struct json setting)
{
	struct sv issuer = json_str_or(json_get(setting, "issuer"), SV_EMPTY);
	struct sv client = json_str_or(json_get(setting, "clientId"), SV_EMPTY);

	return (struct mcp_idp){
		.issuer = issuer.len ? issuer.ptr : NULL,
		.client_id = client.len ? client.ptr : NULL,
		.callback_port = (int)json_int_or(json_get(setting, "callbackPort"), 0),
	};
}

void mcp_auth_free(struct mcp_auth *auth)
{
	if (!auth)
		return;
	BUG_ON(auth->jobs.n);
	for (size_t i = 0; i < auth->known.n; i++)
		free(auth->known.at[i].key);
	vec_clear(&auth->known);
	vec_clear(&auth->jobs);
	auth_keyring_free(auth->opts.keyring);
	arena_clear(&auth->arena);
	free(auth);
}

static struct auth_known *mcp_auth_known(struct mcp_auth *auth, const char *key)
{
	struct auth_known *known;

	for (size_t i = 0; i < auth->known.n; i++)
		if (strcmp(auth->known.at[i].key, key) == 0)
			return &auth->known.at[i];
	known = vec_add(&auth->known);
	known->key = xstrdup(key);
	return known;
}

/* --- jobs -------------------------------------------------------------------------- */

static void auth_want_go_on(struct auth_want *w, const struct auth_job *job, const struct err *why);

static void auth_job_on_done(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct auth_job *job = owner;
	struct mcp_auth *auth = job->auth;

	for (size_t i = 0; i < auth->jobs.n; i++) {
		if (auth->jobs.at[i] == job) {
			vec_remove(&auth->jobs, i);
			break;
		}
	}
	for (size_t i = 0; i < job->wants.n; i++) {
		job->wants.at[i]->job = NULL;
		auth_want_go_on(job->wants.at[i], job, why);
	}
	vec_clear(&job->wants);
	free(job->key);
	free(job);
}

/* Join the job of this kind, or begin it. */
static void auth_want_wait(struct auth_want *w, enum auth_flow_kind kind, struct sv stale)
{
	struct mcp_auth *auth = w->auth;
	struct auth_job *job;

	for (size_t i = 0; i < auth->jobs.n; i++) {
		job = auth->jobs.at[i];
		if (job->kind == kind && strcmp(job->key, w->key) == 0) {
			w->job = job;
			vec_push(&job->wants, w);
			return;
		}
	}
	job = xnew(struct auth_job);
	job->auth = auth;
	job->key = xstrdup(w->key);
	job->kind = kind;
	w->job = job;
	vec_push(&job->wants, w);
	vec_push(&auth->jobs, job);
	job->flow = auth_flow_start(&(struct auth_flow_opts){ .auth = &auth->opts,
							      .config = w->config,
							      .kind = kind,
							      .challenge = w->challenge,
							      .stale = stale },
				    THEN(auth_job_on_done, job));
}

/* --- wants ----------------------------------------------------------------------- */

static void auth_want_cancel(struct op *op)
{
	struct auth_want *w = container_of(op, struct auth_want, op);

	/* The job borrows from the first one who wanted it, so all wait for its end. */
	for (size_t i = 0; w->job && i < w->job->wants.n; i++)
		if (!w->job->wants.at[i]->op.cancelled)
			return;
	if (w->job)
		op_cancel(w->job->flow);
	op_cancel(w->load);
}

static void auth_want_free(struct op *op)
{
	struct auth_want *w = container_of(op, struct auth_want, op);

	arena_clear(&w->arena);
	str_clear(&w->token);
	free(w);
}

static const struct op_type auth_want_type = { .name = "token",
					       .cancel = auth_want_cancel,
					       .free = auth_want_free };

static struct auth_want *auth_want_new(struct mcp_auth *auth, const struct mcp_config *config,
				       struct then then)
{
	struct auth_want *w = xnew(struct auth_want);

	op_init(&w->op, &auth_want_type, auth->opts.loop, then);
	w->auth = auth;
	w->config = config;
	w->key = mcp_config_key(config, &w->arena);
	return w;
}

static void auth_want_on_loaded(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct auth_want *w = owner;

	w->load = NULL;
	if (w->op.cancelled)
		op_finish(&w->op, NULL);
	else
		w->next(w);
}

/* Read what is stored, then go on. A file that cannot be read is as good as none, and said in the log. */
static void auth_want_read(struct auth_want *w, void (*next)(struct auth_want *w))
{
	const struct mcp_auth_opts *opts = &w->auth->opts;
	struct err err = ERR_INIT;

	w->entry = (struct auth_entry){ .expires_at_ms = 0 };
	if (!auth_store_read(opts->credentials_file, w->key, &w->arena, &w->entry, &err))
		log_warn("%s: %s", w->config->name, err.text);
	w->next = next;
	w->load = auth_keyring_load_start(opts, w->key, &w->arena, &w->entry,
					  THEN(auth_want_on_loaded, w));
	if (!w->load)
		next(w);
}

static void auth_want_finish_token(struct auth_want *w)
{
	if (w->entry.access_token.len)
		str_addf(&w->token, "Bearer %.*s", SV_ARG(w->entry.access_token));
	op_finish(&w->op, NULL);
}

static void auth_want_token(struct auth_want *w)
{
	const struct auth_entry *entry = &w->entry;
	bool is_ending = entry->expires_at_ms &&
			 entry->expires_at_ms - loop_wall(w->auth->opts.loop) < EARLY_MS;

	if (is_ending && entry->refresh_token.len && entry->access_token.len)
		auth_want_wait(w, AUTH_REFRESH, entry->access_token);
	else
		auth_want_finish_token(w);
}

struct op *mcp_auth_token_start(struct mcp_auth *auth, const struct mcp_config *config,
				struct then then)
{
	struct auth_want *w = auth_want_new(auth, config, then);

	auth_want_read(w, auth_want_token);
	return &w->op;
}

struct sv mcp_auth_token(const struct op *op)
{
	return sv_of(&container_of(op, const struct auth_want, op)->token);
}

/* --- challenges --------------------------------------------------------------------- */

/* Remember what the server wants, for the login that is to come. */
static void auth_want_note_scope(struct auth_want *w, struct sv scope)
{
	struct auth_entry *entry = &w->entry;
	struct err err = ERR_INIT;

	if (oauth_scope_covers(entry->step_up_scope, scope) || !entry->access_token.len)
		return;
	entry->step_up_scope = oauth_scope_union(entry->step_up_scope, scope, &w->arena);
	if (!auth_store_write(w->auth->opts.credentials_file, w->key, entry, &err))
		log_warn("%s: %s", w->config->name, err.text);
}

static void auth_want_refuse(struct auth_want *w, const struct err *why)
{
	struct err err = ERR_INIT;

	if (why && why->kind != ERR_NONE && why->kind != ERR_CANCELLED)
		err_set(&err, why->kind, "%s: %s", w->config->name, why->text);
	else
		err_set(&err, ERR_ACCESS, "%s needs authorization; run: awl mcp login %s",
			w->config->name, w->config->name);
	op_finish(&w->op, &err);
}

/* Only a person can help now, or their identity. */
static void auth_want_person(struct auth_want *w)
{
	struct auth_known *known = mcp_auth_known(w->auth, w->key);

	if (w->config->oauth.uses_xaa && !w->has_logged_in) {
		w->has_logged_in = true;
		auth_want_wait(w, AUTH_EXCHANGE, SV_EMPTY);
	} else if (w->config->oauth.uses_xaa) {
		auth_want_refuse(w, NULL);
	} else if (w->auth->opts.show_url && !w->has_logged_in && known->step_ups <= STEP_UPS) {
		known->step_ups++;
		w->has_logged_in = true;
		auth_want_wait(w, AUTH_LOGIN, SV_EMPTY);
	} else if (known->why.kind != ERR_NONE) {
		auth_want_refuse(w, &known->why);
	} else {
		auth_want_wait(w, AUTH_LOOK, SV_EMPTY);
	}
}

static void auth_want_challenge(struct auth_want *w)
{
	const struct auth_entry *entry = &w->entry;
	struct challenge challenge = challenge_read(w->challenge, &w->arena);
	bool wants_more = w->status == 403 && sv_is(challenge.error, "insufficient_scope");
	struct err err = ERR_INIT;

	if (w->status == 403 && !wants_more) {
		err_set(&err, ERR_INVALID, "access is denied (status 403)");
		auth_want_refuse(w, &err);
	} else if (wants_more && oauth_scope_covers(entry->scope, challenge.scope) &&
		   entry->scope.len) {
		err_set(&err, ERR_INVALID,
			"the server wants the scope %.100s, which it has been granted already",
			challenge.scope.ptr);
		auth_want_refuse(w, &err);
	} else if (wants_more && !w->auth->opts.show_url) {
		auth_want_note_scope(w, challenge.scope);
		err_set(&err, ERR_ACCESS,
			"the server wants more access (%.100s); run: awl mcp login %s",
			challenge.scope.ptr ? challenge.scope.ptr : "", w->config->name);
		auth_want_refuse(w, &err);
	} else if (wants_more) {
		auth_want_note_scope(w, challenge.scope);
		auth_want_person(w);
	} else if (entry->access_token.len && !sv_eq(entry->access_token, w->used)) {
		op_finish(&w->op, NULL); /* somebody has got another one */
	} else if (entry->refresh_token.len && !w->has_refreshed) {
		w->has_refreshed = true;
		auth_want_wait(w, AUTH_REFRESH, w->used);
	} else {
		auth_want_person(w);
	}
}

struct op *mcp_auth_challenged_start(struct mcp_auth *auth, const struct mcp_config *config,
				     int status, struct sv challenge, struct sv used,
				     struct then then)
{
	struct auth_want *w = auth_want_new(auth, config, then);

	w->is_challenged = true;
	w->status = status;
	w->challenge = arena_dup(&w->arena, challenge);
	if (sv_starts(used, SV("Bearer ")))
		used = sv_skip(used, strlen("Bearer "));
	w->used = arena_dup(&w->arena, used);
	auth_want_read(w, auth_want_challenge);
	return &w->op;
}

/* Refuse with what a look at the server has found, which is remembered unless it may be different another
 * time. */
static void auth_want_refuse_looked(struct auth_want *w, const struct err *why)
{
	struct auth_known *known = mcp_auth_known(w->auth, w->key);
	struct err err = ERR_INIT;

	if (why)
		err = *why;
	else
		err_set(&err, ERR_ACCESS, "needs authorization; run: awl mcp login %s",
			w->config->name);
	if (err.kind == ERR_ACCESS || err.kind == ERR_NOT_FOUND)
		known->why = err;
	auth_want_refuse(w, &err);
}

/* The job that it waited for is over. */
static void auth_want_go_on(struct auth_want *w, const struct auth_job *job, const struct err *why)
{
	bool has_token = w->is_challenged && job->kind != AUTH_LOOK && !why;

	if (w->op.cancelled || has_token) {
		op_finish(&w->op, NULL);
	} else if (!w->is_challenged) {
		auth_want_read(
			w,
			auth_want_finish_token); /* of an expired token the server itself will tell */
	} else if (job->kind == AUTH_LOOK) {
		auth_want_refuse_looked(w, why);
	} else if (job->kind == AUTH_REFRESH) {
		log_info("%s: %s", w->config->name, why ? why->text : "");
		auth_want_person(w);
	} else {
		auth_want_refuse(w, why);
	}
}

/* --- logging in and out ------------------------------------------------------------ */

struct op *mcp_auth_login_start(struct mcp_auth *auth, const struct mcp_config *config,
				struct then then)
{
	return auth_flow_start(&(struct auth_flow_opts){ .auth = &auth->opts,
							 .config = config,
							 .kind = config->oauth.uses_xaa
									 ? AUTH_EXCHANGE
									 : AUTH_LOGIN },
			       then);
}

bool mcp_auth_paste(struct op *login, struct sv text, struct err *err)
{
	struct auth_flow *f = (struct auth_flow *)login;

	if (!f->redirect)
		return err_set(err, ERR_INVALID, "no authorization is waiting for this");
	return auth_redirect_paste(f->redirect, text, err);
}

struct op *mcp_auth_logout_start(struct mcp_auth *auth, const struct mcp_config *config,
				 struct then then)
{
	return auth_flow_start(&(struct auth_flow_opts){ .auth = &auth->opts,
							 .config = config,
							 .kind = AUTH_LOGOUT },
			       then);
}

bool mcp_auth_set_client_secret(const char *credentials_file, const struct mcp_config *config,
				struct sv secret, struct err *err)
{
	struct arena arena = ARENA_INIT;
	bool ok = auth_store_put(credentials_file, "mcpOAuthClientConfig",
				 sv_cstr(mcp_config_key(config, &arena)), "clientSecret", secret,
				 err);

	arena_clear(&arena);
	return ok;
}
