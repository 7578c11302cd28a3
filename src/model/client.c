/* One request from first try to final answer. Each state waits for exactly one
 * op; what its end means is decided in one place, ask_after_failure(), by the
 * pure rules of retry.c. */
#include "model/client.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/uuid.h"
#include "model/attempt.h"
#include "model/auth/credentials.h"
#include "model/cache_watch.h"
#include "model/catalogue/listing.h"
#include "model/retry.h"
#include "model/script/replay.h"
#include "sys/timer.h"

static void client_note_secrets(struct model_client *c)
{
	const char *const secrets[] = { c->config->key, c->config->aws_key_id,
					c->config->aws_secret, c->config->aws_token };

	struct sv headers = sv_cstr(c->config->custom_headers), line, name;

	for (size_t i = 0; i < countof(secrets); i++)
		redact_add(&c->secrets, sv_cstr(secrets[i]));
	while (sv_cut_line(&headers, &line)) {
		sv_cut(&line, ':', &name);
		redact_add(&c->secrets, sv_trim(line.ptr ? line : SV_EMPTY));
	}
}

/* What was fetched is as secret as what was given. */
static void client_note_credential(struct model_client *c)
{
	const struct credential *now = credentials_get(c->credentials);

	if (!now)
		return;
	redact_add(&c->secrets, now->secret);
	redact_add(&c->secrets, now->aws_id);
	redact_add(&c->secrets, now->aws_secret);
	redact_add(&c->secrets, now->aws_token);
}

struct model_client *model_client_new(struct loop *loop, struct http *http,
				      const struct model_config *config, struct model_table *table)
{
	struct model_client *c = xnew(struct model_client);

	c->loop = loop;
	c->config = config;
	c->table = table;
	c->provider = provider_of(config->provider);
	c->credentials = credentials_new(loop, http, config);
	c->transport = transport_http(http);
	c->watch = cache_watch_new();
	c->listings_left = LISTING_TRIES;
	client_note_secrets(c);
	return c;
}

void model_client_free(struct model_client *c)
{
	if (!c)
		return;
	cache_watch_free(c->watch);
	transport_free(c->transport);
	redact_clear(&c->secrets);
	credentials_free(c->credentials);
	free(c);
}

void model_client_freep(struct model_client **c)
{
	model_client_free(*c);
	*c = NULL;
}

enum ask_state { ASK_AUTHORIZING, ASK_STREAMING, ASK_WAITING, ASK_DONE };

static const char *const ask_state_names[] = { "AUTHORIZING", "STREAMING", "WAITING", "DONE" };

struct ask {
	struct op op;
	struct model_client *client;
	struct model_request request; /* as the next attempt will send it */
	model_event_fn *on_event;
	enum ask_state state;
	struct op *current; /* what the state waits for */
	struct op *listing; /* beside it; cancelled at the end, never waited for */
	struct uuid id;     /* of this attempt */
	struct retry_rules rules;
	struct retry_state retry;
	enum credentials_need need; /* before the next attempt */
	unsigned signed_with;       /* the credentials_count() of this one's */
	int64_t wait_ms;            /* of the wait that is left */
	bool shown;                 /* this attempt has emitted something */
	struct usage usage;         /* of this attempt */
	bool has_error;
	struct model_error error; /* of the last attempt */
};

static void ask_enter(struct ask *a, enum ask_state next);

static void client_tell(struct ask *a, const struct model_event *event)
{
	if (a->op.cancelled)
		return;
	a->on_event(a->op.then.owner, event);
}

/* Takes back what a failed attempt has shown. */
static void client_discard(struct ask *a)
{
	if (a->shown)
		client_tell(a, &(struct model_event){ .kind = MODEL_DISCARD });
	a->shown = false;
	a->usage = (struct usage){ 0 };
}

/* Who answers is told by our id for it. */
static void client_tell_renamed(struct ask *a, struct model_event event)
{
	event.model = a->request.model;
	client_tell(a, &event);
}

/* An event of the attempt under way. */
static void ask_on_event(void *arg, const struct model_event *event)
{
	struct ask *a = arg;

	if (a->op.cancelled)
		return;
	if (event->kind == MODEL_NOTE && a->retry.attempts > 0)
		return; /* told before the first attempt */
	if (event->kind == MODEL_START || event->kind == MODEL_USAGE || event->kind == MODEL_STOP)
		a->usage = event->usage;
	if (event->kind != MODEL_NOTE && event->kind != MODEL_STALL)
		a->shown = true;
	if (event->model.len && sv_eq(event->model, a->request.wire))
		client_tell_renamed(a, *event);
	else
		client_tell(a, event);
}

static void ask_fail(struct ask *a)
{
	a->has_error = true;
	client_discard(a);
	ask_enter(a, ASK_DONE);
}

/* A server may repeat what it was sent. */
static void client_hide_secrets(struct ask *a)
{
	defer(str_clear) struct str text = STR_INIT;

	redact_text(&text, &a->client->secrets, sv_cstr(a->error.err.text));
	err_set(&a->error.err, a->error.err.kind, "%s", str_c(&text));
}

/* Between two attempts nothing is in flight, so the request may change. */
static void ask_apply(struct ask *a, const struct retry_plan *plan)
{
	switch (plan->action) {
	case RETRY_GIVE_UP: ask_fail(a); return;
	case RETRY_WAIT:
		a->wait_ms = plan->wait_ms;
		ask_enter(a, ASK_WAITING);
		return;
	case RETRY_RENEW:
		a->need = a->error.denied ? CREDENTIALS_ANOTHER : CREDENTIALS_RENEWED;
		break;
	case RETRY_WHOLE: a->request.whole = true; break;
	case RETRY_FALL_BACK:
		a->request.model = a->request.fallback;
		a->request.wire = SV_EMPTY;
		client_tell(a, &(struct model_event){ .kind = MODEL_FALLBACK,
						      .model = a->request.model });
		break;
	case RETRY_SLOW_DOWN:
		a->client->fast_again_at = loop_now(a->client->loop) + plan->wait_ms;
		a->request.fast = a->retry.fast = false;
		client_tell(
			a,
			&(struct model_event){
				.kind = MODEL_NOTE,
				.text = SV(
					"fast mode is at its limit; going on at standard speed") });
		break;
	case RETRY_SHRINK: a->request.max_tokens = plan->output; break;
	}
	ask_enter(a, ASK_AUTHORIZING);
}

static void ask_after_failure(struct ask *a, bool streamed)
{
	struct retry_plan plan =
		retry_decide(&a->retry, &a->rules, &a->error, streamed, loop_rng(a->client->loop));

	log_info("attempt %d failed: %s", a->retry.attempts, a->error.err.text);
	client_discard(a);
	ask_apply(a, &plan);
}

static void client_watch_cache(struct ask *a)
{
	defer(str_clear) struct str why = STR_INIT;

	if (cache_watch_answer(a->client->watch, &a->request, &a->usage, loop_now(a->client->loop),
			       &why))
		client_tell(a, &(struct model_event){ .kind = MODEL_CACHE_DROP,
						      .text = sv_of(&why),
						      .usage = a->usage });
}

/* More of it than an error has room for. */
static void client_show_difference(struct ask *a)
{
	struct transport *replay = a->client->replay;
	struct sv diff = replay ? replay_difference(replay) : SV_EMPTY;
	defer(str_clear) struct str text = STR_INIT;

	if (!diff.len)
		return;
	str_addf(&text, "how the request differs from the recorded one:\n%.*s", SV_ARG(diff));
	client_tell(a, &(struct model_event){ .kind = MODEL_NOTE,
					      .text = sv_trim(sv_of(&text)),
					      .error = &a->error });
}

static void ask_on_attempt(struct op *op, void *owner, const struct err *why)
{
	struct ask *a = owner;

	a->current = NULL;
	if (a->op.cancelled) {
		ask_enter(a, ASK_DONE);
	} else if (why) {
		a->error = *attempt_error(op);
		client_hide_secrets(a);
		if (a->error.failure == MODEL_FAILED_REPLAY)
			client_show_difference(a);
		ask_after_failure(a, attempt_had_begun(op));
	} else {
		client_watch_cache(a);
		ask_enter(a, ASK_DONE);
	}
}

static void ask_on_credential(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct ask *a = owner;

	a->current = NULL;
	a->need = CREDENTIALS_ANY;
	if (a->op.cancelled) {
		ask_enter(a, ASK_DONE);
	} else if (why) {
		a->error = (struct model_error){ .failure = MODEL_FAILED_AUTH,
						 .err = *why,
						 .retry_after_ms = -1 };
		client_hide_secrets(a);
		ask_fail(a);
	} else {
		client_note_credential(a->client);
		ask_enter(a, ASK_STREAMING);
	}
}

static void ask_on_waited(__attribute__((unused)) struct op *op, void *owner,
			  __attribute__((unused)) const struct err *why)
{
	struct ask *a = owner;

	a->current = NULL;
	if (a->op.cancelled)
		ask_enter(a, ASK_DONE);
	else
		ask_enter(a, a->wait_ms > 0 ? ASK_WAITING : ASK_AUTHORIZING);
}

static void ask_finish(struct ask *a)
{
	if (a->listing)
		return;
	if (a->op.cancelled)
		a->error = (struct model_error){ .failure = MODEL_FAILED_CANCELLED,
						 .retry_after_ms = -1 };
	op_finish(&a->op, a->has_error ? &a->error.err : NULL);
}

static void ask_on_listing(__attribute__((unused)) struct op *op, void *owner,
			   __attribute__((unused)) const struct err *why)
{
	struct ask *a = owner;

	a->listing = NULL;
	if (a->state == ASK_DONE)
		ask_finish(a);
}

/* Of the login under way, which may have secrets to say as well. */
static void ask_on_login_line(void *owner, struct sv line)
{
	struct ask *a = owner;
	defer(str_clear) struct str text = STR_INIT;

	redact_text(&text, &a->client->secrets, line);
	client_tell(a, &(struct model_event){ .kind = MODEL_LOGIN, .text = sv_of(&text) });
}

/* Nobody is asked to log in for an answer that nobody waits for. */
static void client_start_authorizing(struct ask *a)
{
	struct credentials_want want = { .need = a->need,
					 .refused = a->signed_with,
					 .on_line =
						 a->rules.foreground ? ask_on_login_line : NULL };

	a->current = credentials_start(a->client->credentials, &want, THEN(ask_on_credential, a));
}

static void client_start_attempt(struct ask *a)
{
	struct model_client *c = a->client;
	struct attempt_opts opts = {
		.provider = c->provider,
		.config = c->config,
		.table = c->table,
		.request = &a->request,
		.credential = credentials_get(c->credentials),
		.transport = c->transport,
	};

	a->signed_with = credentials_count(c->credentials);
	a->id = uuid_v4(loop_rng(c->loop));
	a->request.client_request_id = sv_cstr(a->id.text);
	log_debug("attempt %d has the client request id %s", a->retry.attempts + 1, a->id.text);
	a->current = attempt_start(c->loop, &opts, ask_on_event, THEN(ask_on_attempt, a));
	if (listing_is_wanted(c, a->request.model))
		a->listing = listing_start(c, THEN(ask_on_listing, a));
}

/* Long waits are cut into heartbeats, so that a host sees that we are alive. */
static void client_start_wait(struct ask *a)
{
	int64_t part =
		a->rules.unattended ? min_of(a->wait_ms, (int64_t)RETRY_HEARTBEAT_MS) : a->wait_ms;

	int64_t left = a->wait_ms;

	a->wait_ms -= part;
	a->current = timer_start(a->client->loop, part, THEN(ask_on_waited, a));
	client_tell(a, &(struct model_event){ .kind = MODEL_RETRY,
					      .error = &a->error,
					      .attempt = a->retry.attempts,
					      .attempts = a->rules.max_retries,
					      .wait_ms = left });
}

static void ask_enter(struct ask *a, enum ask_state next)
{
	if (a->op.cancelled) /* by whoever was told something on the way here */
		next = ASK_DONE;
	log_state("request", ask_state_names[a->state], ask_state_names[next]);
	a->state = next;
	switch (next) {
	case ASK_AUTHORIZING: client_start_authorizing(a); break;
	case ASK_STREAMING: client_start_attempt(a); break;
	case ASK_WAITING: client_start_wait(a); break;
	case ASK_DONE:
		op_cancel(a->listing);
		ask_finish(a);
		break;
	}
}

static void ask_cancel(struct op *op)
{
	op_cancel(container_of(op, struct ask, op)->current);
}

static void ask_free(struct op *op)
{
	free(container_of(op, struct ask, op));
}

static const struct op_type ask_type = { .name = "model", .cancel = ask_cancel, .free = ask_free };

struct op *model_start(struct model_client *client, const struct model_request *request,
		       model_event_fn *on_event, struct then then)
{
	struct ask *a = xnew(struct ask);

	op_init(&a->op, &ask_type, client->loop, then);
	a->client = client;
	a->request = *request;
	a->on_event = on_event;
	a->request.fast = request->fast && loop_now(client->loop) >= client->fast_again_at;
	a->retry.fast = a->request.fast;
	a->retry.whole = request->whole;
	a->rules = (struct retry_rules){
		.max_retries = client->config->max_retries,
		.foreground = request->source <= MODEL_LAST_FOREGROUND,
		.unattended = client->config->unattended,
		.renewable = credentials_renewable(client->credentials),
		.may_go_whole = !client->config->no_whole_fallback,
		.has_fallback =
			request->fallback.len > 0 && !sv_eq(request->fallback, request->model),
	};
	ask_enter(a, ASK_AUTHORIZING);
	return &a->op;
}

const struct model_error *model_error(const struct op *op)
{
	return &container_of(op, const struct ask, op)->error;
}
