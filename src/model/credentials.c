/* A credential is given, read from files, printed by a helper or fetched from
 * Google. What takes time is one op, the fetch, for all who ask meanwhile: they
 * wait in a list, and the last of them to be cancelled takes the fetch along. */
#include "model/credentials.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/aws_credentials.h"
#include "model/google_auth.h"
#include "sys/child.h"

enum { HELPER_DEADLINE_MS = 60 * 1000, FILES_TTL_MS = 5 * 60 * 1000 };

struct wait {
	struct op op;
	struct credentials *credentials;
};

struct credentials {
	struct loop *loop;
	const struct model_config *config;
	struct google_auth *google; /* NULL unless it is Google's */
	struct credential now;
	int64_t good_until; /* loop time */
	bool dropped;       /* none is needed */
	struct op *fetch;   /* NULL when none is under way */
	VEC(struct wait *) waiting;
	struct arena arena;   /* of what was read from files */
	struct str key;       /* the helper's last good one */
	struct str printed;   /* by the helper under way */
	struct str complaint; /* its standard error */
};

struct credentials *credentials_new(struct loop *loop, struct http *http,
				    const struct model_config *config)
{
	struct credentials *c = xnew(struct credentials);

	c->loop = loop;
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
	str_clear(&c->key);
	str_clear(&c->printed);
	str_clear(&c->complaint);
	free(c);
}

const struct credential *credentials_get(const struct credentials *c)
{
	return c->dropped || c->config->skip_auth ? NULL : &c->now;
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

static void fetch(struct credentials *c);

/* Everybody who waits hears the same; but a fetch that was cancelled is begun
 * again for those who came after that. */
static void settle(struct credentials *c, const struct err *why)
{
	bool cancelled = why && why->kind == ERR_CANCELLED;
	size_t left = 0;

	c->fetch = NULL;
	for (size_t i = 0; i < c->waiting.n; i++) {
		struct wait *w = c->waiting.at[i];

		if (cancelled && !w->op.cancelled)
			c->waiting.at[left++] = w;
		else
			op_finish(&w->op, why);
	}
	c->waiting.n = left;
	if (left)
		fetch(c);
}

static bool read_files(struct credentials *c, struct err *err)
{
	struct arena arena = ARENA_INIT;
	const char *origin;

	if (!aws_credentials_read(&c->now, &origin, &arena, c->config, err)) {
		arena_clear(&arena);
		return false;
	}
	arena_clear(&c->arena); /* of the one before */
	c->arena = arena;
	c->good_until = loop_now(c->loop) + FILES_TTL_MS;
	return true;
}

static void on_token(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct credentials *c = owner;

	c->now.secret = google_auth_token(c->google);
	settle(c, why);
}

static void on_helper_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct credentials *c = owner;
	struct str *to = from == CHILD_OUT ? &c->printed : &c->complaint;

	str_add(to, bytes); /* bounded by the child's max_output */
}

/* Its words help; what it printed as the key is never repeated. */
static bool check_helper(struct credentials *c, struct child_result result, struct err *err)
{
	struct sv key = sv_trim(sv_of(&c->printed));
	struct sv words = sv_trim(sv_of(&c->complaint));

	if (result.code != 0)
		return err_set(err, ERR_ACCESS, "apiKeyHelper ended with status %d: %.*s",
			       result.code, SV_ARG(words));
	if (!key.len)
		return err_set(err, ERR_ACCESS, "apiKeyHelper printed no key");
	str_truncate(&c->key, 0);
	str_add(&c->key, key);
	c->now.secret = sv_of(&c->key);
	c->good_until = loop_now(c->loop) + c->config->key_helper_ttl_ms;
	return true;
}

static void on_helper(struct op *op, void *owner, const struct err *why)
{
	struct credentials *c = owner;
	struct err err = ERR_INIT;

	if (why) {
		err = *why;
		err_context(&err, "apiKeyHelper");
		settle(c, &err);
	} else {
		settle(c, check_helper(c, child_result(op), &err) ? NULL : &err);
	}
}

/* The setting is a shell command by definition; nothing is pasted into it. */
static struct op *start_helper(struct credentials *c)
{
	const char *const argv[] = { "/bin/sh", "-c", c->config->key_helper, NULL };
	struct child_opts opts = {
		.argv = argv,
		.max_output = LIMIT_MODEL_SECRET,
		.deadline_ms = HELPER_DEADLINE_MS,
		.on_data = on_helper_data,
	};

	str_truncate(&c->printed, 0);
	str_truncate(&c->complaint, 0);
	return child_start(c->loop, &opts, THEN(on_helper, c));
}

/* Starts what takes time, or does at once what does not. */
static void fetch(struct credentials *c)
{
	struct err err = ERR_INIT;

	if (c->google)
		c->fetch = google_auth_start(c->google, THEN(on_token, c));
	else if (c->config->auth == MODEL_AUTH_HELPER)
		c->fetch = start_helper(c);
	else
		settle(c, read_files(c, &err) ? NULL : &err);
}

static void stop_waiting(struct op *op)
{
	struct wait *w = container_of(op, struct wait, op);
	struct credentials *c = w->credentials;

	if (c->waiting.n == 1 && c->fetch) {
		op_cancel(c->fetch); /* its end is ours */
		return;
	}
	for (size_t i = 0; i < c->waiting.n; i++) {
		if (c->waiting.at[i] == w) {
			vec_remove(&c->waiting, i);
			break;
		}
	}
	op_finish(op, NULL);
}

static void wait_free(struct op *op)
{
	free(container_of(op, struct wait, op));
}

static const struct op_type wait_type = { .name = "credential",
					  .cancel = stop_waiting,
					  .free = wait_free };

struct op *credentials_start(struct credentials *c, bool renew, struct then then)
{
	struct wait *w = xnew(struct wait);
	bool needed = credentials_renewable(c) &&
		      (renew || c->google || loop_now(c->loop) >= c->good_until);

	op_init(&w->op, &wait_type, c->loop, then);
	w->credentials = c;
	if (!needed) {
		op_finish(&w->op, NULL);
		return &w->op;
	}
	if (renew)
		c->good_until = INT64_MIN;
	if (renew && c->google)
		google_auth_forget(c->google);
	vec_push(&c->waiting, w);
	if (!c->fetch)
		fetch(c);
	return &w->op;
}
