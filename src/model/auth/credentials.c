/* A credential comes from the configuration, from files, from a command or from a service. Whatever
 * takes time is one op, the fetch. Everyone who needs the credential meanwhile waits in a list; when
 * the last of them is cancelled, so is the fetch.
 *
 *   fetch --> found ------------------------------> finish everyone who waits
 *         \-> none, or the rejected one --> login --> fetch, the second and last
 */
#include "model/auth/credentials.h"

#include "base/log.h"
#include "base/mem.h"
#include "model/auth/aws_auth.h"
#include "model/auth/google_auth.h"

enum { KEY_HELPER_MS = 60 * 1000, LOGIN_MS = 3 * 60 * 1000 };

struct wait {
	struct op op;
	struct credentials *credentials;
	helper_line_fn *on_line; /* NULL: nobody would see a login, so do not wait for one */
};

struct credentials {
	struct loop *loop;
	struct http *http;
	const struct model_config *config;
	struct google_auth *google; /* NULL: another provider */
	struct credential now;
	unsigned count;
	int64_t good_until; /* loop time */
	bool dropped;       /* no credential is needed */
	struct op *fetch;   /* NULL when not in flight */
	bool is_login;      /* `fetch` is the login */
	bool had_login;     /* this fetch has logged in already */
	bool refused; /* the service has rejected `now`, so fetching the same again does not help */
	VEC(struct wait *) waiting;
	struct arena arena; /* of AWS keys */
	struct str secret;  /* a key or token that was fetched */
};

struct credentials *credentials_new(struct loop *loop, struct http *http,
				    const struct model_config *config)
{
	struct credentials *c = xnew(struct credentials);

	c->loop = loop;
	c->http = http;
	c->config = config;
	c->now.auth = config->auth;
	c->now.secret = sv_cstr(config->key);
	c->good_until = INT64_MIN;
	if (config->auth == MODEL_AUTH_GOOGLE)
		c->google = google_auth_new(loop, http, config);
	return c;
}

void credentials_free(struct credentials *c)
{
	if (!c)
		return;
	google_auth_free(c->google);
	vec_clear(&c->waiting);
	arena_clear(&c->arena);
	str_clear(&c->secret);
	free(c);
}

const struct credential *credentials_get(const struct credentials *c)
{
	return c->dropped || c->config->skip_auth ? NULL : &c->now;
}

unsigned credentials_count(const struct credentials *c)
{
	return c->count;
}

void credentials_drop(struct credentials *c)
{
	c->dropped = true;
}

static bool is_fetched(enum model_auth auth)
{
	return auth == MODEL_AUTH_HELPER || auth == MODEL_AUTH_AWS || auth == MODEL_AUTH_GOOGLE;
}

bool credentials_renewable(const struct credentials *c)
{
	return is_fetched(c->config->auth) && !c->config->skip_auth && !c->dropped;
}

static void credentials_fetch(struct credentials *c);

/* Finish everyone who waits, with the same result. A fetch that was cancelled starts again for
 * those who are still waiting. */
static void credentials_settle(struct credentials *c, const struct err *why)
{
	bool cancelled = why && why->kind == ERR_CANCELLED;
	size_t left = 0;

	c->fetch = NULL;
	c->is_login = c->had_login = false;
	for (size_t i = 0; i < c->waiting.n; i++) {
		struct wait *w = c->waiting.at[i];

		if (cancelled && !w->op.cancelled)
			c->waiting.at[left++] = w;
		else
			op_finish(&w->op, why);
	}
	c->waiting.n = left;
	if (left)
		credentials_fetch(c);
	else
		c->refused = false;
}

/* --- logging in ------------------------------------------------------------ */

/* Return whether anyone still waits; with `by_listener`, only those who show the output of a
 * login. */
static bool is_awaited(const struct credentials *c, bool by_listener)
{
	for (size_t i = 0; i < c->waiting.n; i++) {
		const struct wait *w = c->waiting.at[i];

		if (!w->op.cancelled && (w->on_line || !by_listener))
			return true;
	}
	return false;
}

/* Emit a line. A listener may stop waiting from inside its callback. */
static void credentials_emit(struct credentials *c, struct sv line)
{
	for (size_t i = 0; i < c->waiting.n;) {
		struct wait *w = c->waiting.at[i];

		if (w->on_line && !w->op.cancelled)
			w->on_line(w->op.then.owner, line);
		if (i < c->waiting.n && c->waiting.at[i] == w)
			i++;
	}
}

static void credentials_on_login_line(void *owner, struct sv line)
{
	struct credentials *c = owner;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s: %.*s", c->config->login_name, SV_ARG(line));
	credentials_emit(c, sv_of(&text));
}

static void credentials_on_logged_in(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct credentials *c = owner;

	c->is_login = false;
	if (!why && is_awaited(c, false))
		credentials_fetch(c);
	else
		credentials_settle(c, why);
}

/* Allow one login per fetch, and only if someone sees its output. */
static bool credentials_may_log_in(const struct credentials *c)
{
	return c->config->login && !c->had_login && is_awaited(c, true);
}

static void credentials_log_in(struct credentials *c, const char *because)
{
	struct helper helper = { .name = c->config->login_name,
				 .command = c->config->login,
				 .env = c->config->helper_env,
				 .deadline_ms = LOGIN_MS,
				 .on_line = credentials_on_login_line };
	defer(str_clear) struct str text = STR_INIT;

	c->is_login = c->had_login = true;
	c->fetch = helper_start(c->loop, &helper, THEN(credentials_on_logged_in, c));
	str_addf(&text, "running %s: %s", c->config->login_name, because);
	log_info("%s", str_c(&text));
	credentials_emit(c, sv_of(&text));
}

/* --- fetching -------------------------------------------------------------- */

/* No credential was found. A login may help if it is missing or was rejected. */
static void credentials_give_up(struct credentials *c, const struct err *why)
{
	bool mends = why->kind == ERR_NOT_FOUND || why->kind == ERR_ACCESS;

	if (mends && credentials_may_log_in(c))
		credentials_log_in(c, why->text);
	else
		credentials_settle(c, why);
}

static void credentials_take_secret(struct credentials *c, struct sv secret)
{
	if (sv_eq(sv_of(&c->secret), secret))
		return;
	str_set(&c->secret, secret);
	c->now.secret = sv_of(&c->secret);
	c->count++;
}

static void credentials_on_token(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct credentials *c = owner;

	if (why) {
		credentials_give_up(c, why);
		return;
	}
	credentials_take_secret(c, google_auth_token(c->google));
	c->now.quota_project = google_auth_quota_project(c->google);
	credentials_settle(c, NULL);
}

static void credentials_on_key(struct op *op, void *owner, const struct err *why)
{
	struct credentials *c = owner;
	struct err err;

	if (!why && !helper_output(op).len) {
		err_set(&err, ERR_ACCESS, "apiKeyHelper printed no key");
		why = &err;
	}
	if (!why) {
		credentials_take_secret(c, helper_output(op));
		c->good_until = loop_now(c->loop) + c->config->key_helper_ttl_ms;
	}
	credentials_settle(c, why);
}

static bool credentials_is_same(const struct credential *a, const struct credential *b)
{
	return sv_eq(a->aws_id, b->aws_id) && sv_eq(a->aws_secret, b->aws_secret) &&
	       sv_eq(a->aws_token, b->aws_token);
}

static void credentials_on_keys(struct op *op, void *owner, const struct err *why)
{
	struct credentials *c = owner;
	struct arena arena = ARENA_INIT;
	struct credential keys;
	int64_t keep_ms;

	if (why) {
		credentials_give_up(c, why);
		return;
	}
	keys = aws_auth_take(op, &arena, &keep_ms);
	if (c->refused && credentials_is_same(&keys, &c->now) && credentials_may_log_in(c)) {
		arena_clear(&arena);
		credentials_log_in(c, "AWS rejected the credentials");
		return;
	}
	arena_clear(&c->arena); /* of the old keys */
	c->arena = arena;
	c->now = keys;
	c->count++;
	c->good_until = loop_now(c->loop) + keep_ms;
	credentials_settle(c, NULL);
}

static void credentials_fetch(struct credentials *c)
{
	struct helper helper = { .name = "apiKeyHelper",
				 .command = c->config->key_helper,
				 .env = c->config->helper_env,
				 .deadline_ms = KEY_HELPER_MS };

	if (c->google)
		c->fetch = google_auth_start(c->google, THEN(credentials_on_token, c));
	else if (c->config->auth == MODEL_AUTH_HELPER)
		c->fetch = helper_start(c->loop, &helper, THEN(credentials_on_key, c));
	else
		c->fetch =
			aws_auth_start(c->loop, c->http, c->config, THEN(credentials_on_keys, c));
}

/* --- waiting --------------------------------------------------------------- */

static void credentials_remove_wait(struct credentials *c, const struct wait *w)
{
	for (size_t i = 0; i < c->waiting.n; i++) {
		if (c->waiting.at[i] == w) {
			vec_remove(&c->waiting, i);
			return;
		}
	}
}

static void credentials_stop_waiting(struct op *op)
{
	struct wait *w = container_of(op, struct wait, op);
	struct credentials *c = w->credentials;

	if (c->waiting.n == 1) {
		op_cancel(c->fetch); /* when it ends, this op ends */
		return;
	}
	credentials_remove_wait(c, w);
	op_finish(op, NULL);
	if (c->is_login && !is_awaited(c, true))
		op_cancel(c->fetch); /* the others continue without a login */
}

static void wait_free(struct op *op)
{
	free(container_of(op, struct wait, op));
}

static const struct op_type wait_type = { .name = "credential",
					  .cancel = credentials_stop_waiting,
					  .free = wait_free };

/* Forget the current credential if it is the one that was rejected. Return whether it was. */
static bool credentials_renew(struct credentials *c, const struct credentials_want *want)
{
	if (want->need == CREDENTIALS_ANY || want->refused != c->count)
		return false;
	c->good_until = INT64_MIN;
	c->refused |= want->need == CREDENTIALS_RENEWED;
	if (c->google)
		google_auth_forget(c->google);
	return true;
}

struct op *credentials_start(struct credentials *c, const struct credentials_want *want,
			     struct then then)
{
	struct wait *w = xnew(struct wait);

	op_init(&w->op, &wait_type, c->loop, then);
	w->credentials = c;
	w->on_line = want->on_line;
	if (!credentials_renewable(c) ||
	    (!credentials_renew(c, want) && !c->google && loop_now(c->loop) < c->good_until)) {
		op_finish(&w->op, NULL);
		return &w->op;
	}
	vec_push(&c->waiting, w);
	if (!c->fetch)
		credentials_fetch(c);
	return &w->op;
}
