/* One model request, from the first attempt to the final response or failure.
 *
 * The problem: a request may take many attempts. Credentials must be fetched or renewed,
 * overloads waited out, a broken stream repeated without streaming, a fallback model used,
 * max_tokens reduced. The caller must see one consistent stream of events meanwhile, and must be
 * able to cancel at any moment.
 *
 * The idea: a state machine in which each state waits for exactly one op, `current`: the
 * credential, the attempt, or the timer of a wait. When that op ends in failure,
 * client_after_failure() decides what comes next. It is the only place that decides, and it
 * follows the pure rules of retry.c, which know nothing of ops and events.
 *
 * Invariants:
 *   - Between two attempts nothing is in flight, so only then may `request` change.
 *   - If a failed attempt has emitted content, MODEL_DISCARD is emitted before the next attempt
 *     emits any. So the caller never shows content twice.
 *   - A model listing may run beside an attempt. Nothing waits for it, and it is cancelled when
 *     the request is done.
 *   - Text that comes from a server or a login command may contain secrets, so it is redacted
 *     before it is emitted. */
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
#include "text/duration.h"

static void client_note_secrets(struct model_client *c)
{
	const char *const secrets[] = { c->config->key, c->config->aws_key_id,
					c->config->aws_secret, c->config->aws_token,
					c->config->aws_container.token };

	struct sv headers = sv_cstr(c->config->custom_headers), line, name;

	for (size_t i = 0; i < countof(secrets); i++)
		redact_add(&c->secrets, sv_cstr(secrets[i]));
	while (sv_cut_line(&headers, &line)) {
		sv_cut(&line, ':', &name);
		redact_add(&c->secrets, sv_trim(line.ptr ? line : SV_EMPTY));
	}
}

/* Adds the fetched credential to the values that are never recorded or shown. */
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

struct model_fast model_client_fast(const struct model_client *client)
{
	int64_t left = client->fast_again_at - loop_now(client->loop);

	return (struct model_fast){ .is_refused = client->fast_is_refused,
				    .cooldown_ms = max_of(left, (int64_t)0) };
}

const char *model_client_credential(const struct model_client *client)
{
	return client->config->auth_origin;
}

struct model_client *model_client_new(struct loop *loop, struct http *http,
				      const struct model_config *config, struct model_table *table)
{
	struct model_client *c = xnew(struct model_client);

	c->loop = loop;
	c->http = http;
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

void model_forget_cache(struct model_client *c, enum model_source source, struct sv first)
{
	if (c)
		cache_watch_forget(c->watch, source, first);
}

enum client_state {
	CLIENT_AUTHORIZING,
	CLIENT_STREAMING,
	CLIENT_LISTING,
	CLIENT_WAITING,
	CLIENT_DONE
};

static const char *const client_state_names[] = { "AUTHORIZING", "STREAMING", "LISTING", "WAITING",
						  "DONE" };

struct client_request {
	struct op op;
	struct model_client *client;
	struct model_request request; /* the request that the next attempt sends */
	model_event_fn *on_event;
	enum client_state state;
	struct op *current; /* the op that the current state waits for */
	struct op *listing; /* runs beside `current`; cancelled at the end, never waited for */
	struct uuid id;     /* of this attempt */
	struct retry_rules rules;
	struct retry_state retry;
	enum credentials_need need; /* which credential the next attempt needs */
	unsigned signed_with;       /* credentials_count() of the current attempt's credential */
	int64_t wait_ms;            /* remaining wait */
	bool shown;                 /* this attempt has emitted something */
	struct usage usage;         /* of this attempt */
	bool has_error;
	struct model_error error; /* of the last attempt */
};

static void client_enter(struct client_request *r, enum client_state next);

static void client_emit(struct client_request *r, const struct model_event *event)
{
	if (r->op.cancelled)
		return;
	r->on_event(r->op.then.owner, event);
}

/* Withdraws what a failed attempt has emitted. */
static void client_discard(struct client_request *r)
{
	if (r->shown)
		client_emit(r, &(struct model_event){ .kind = MODEL_DISCARD });
	r->shown = false;
	r->usage = (struct usage){ 0 };
}

/* Emits an event with our id of the model instead of the provider's. */
static void client_emit_renamed(struct client_request *r, struct model_event event)
{
	event.model = r->request.model;
	client_emit(r, &event);
}

/* Handle an event of the current attempt. */
static void client_on_event(void *arg, const struct model_event *event)
{
	struct client_request *r = arg;

	if (r->op.cancelled)
		return;
	if (event->kind == MODEL_NOTE && r->retry.attempts > 0)
		return; /* emitted before the first attempt */
	if (event->kind == MODEL_START || event->kind == MODEL_USAGE || event->kind == MODEL_STOP)
		r->usage = event->usage;
	if (event->kind != MODEL_NOTE && event->kind != MODEL_STALL &&
	    event->kind != MODEL_RATE_LIMIT)
		r->shown = true;
	if (event->model.len && sv_eq(event->model, r->request.wire))
		client_emit_renamed(r, *event);
	else
		client_emit(r, event);
}

static void client_fail(struct client_request *r)
{
	r->has_error = true;
	client_discard(r);
	client_enter(r, CLIENT_DONE);
}

/* Redact an error text: a server may echo the credential. */
static void client_hide_secrets(struct client_request *r)
{
	defer(str_clear) struct str text = STR_INIT;

	redact_text(&text, &r->client->secrets, sv_cstr(r->error.err.text));
	err_set(&r->error.err, r->error.err.kind, "%s", str_c(&text));
}

static void client_slow_down(struct client_request *r, int64_t cooldown_ms)
{
	struct model_client *c = r->client;

	if (cooldown_ms < 0)
		c->fast_is_refused = true;
	else
		c->fast_again_at = loop_now(c->loop) + cooldown_ms;
	r->request.fast = r->retry.fast = false;
	client_emit(r, &(struct model_event){
			       .kind = MODEL_NOTE,
			       .text = cooldown_ms < 0 ? SV("the service does not grant fast mode; "
							    "continuing at standard speed")
						       : SV("fast mode has reached its limit; "
							    "continuing at standard speed") });
}

/* Change the request. Allowed because nothing is in flight between two attempts. */
static void client_apply(struct client_request *r, const struct retry_plan *plan)
{
	switch (plan->action) {
	case RETRY_GIVE_UP: client_fail(r); return;
	case RETRY_WAIT:
		r->wait_ms = plan->wait_ms;
		client_enter(r, CLIENT_WAITING);
		return;
	case RETRY_RENEW:
		r->need = r->error.denied ? CREDENTIALS_ANOTHER : CREDENTIALS_RENEWED;
		break;
	case RETRY_WHOLE: r->request.whole = true; break;
	case RETRY_FALL_BACK:
		r->request.model = r->request.fallback;
		r->request.wire = SV_EMPTY;
		r->request.fast = r->retry.fast = false;
		client_emit(r, &(struct model_event){ .kind = MODEL_FALLBACK,
						      .model = r->request.model });
		break;
	case RETRY_SLOW_DOWN: client_slow_down(r, plan->wait_ms); break;
	case RETRY_SHRINK: r->request.max_tokens = plan->output; break;
	case RETRY_RENAME:
		r->request.other_limit = r->client->other_limit = !r->request.other_limit;
		break;
	}
	client_enter(r, CLIENT_AUTHORIZING);
}

/* Bedrock rejects the usual id of a model for which the account has another inference profile. */
static bool client_may_have_profile(const struct client_request *r)
{
	return r->client->config->provider == MODEL_BEDROCK &&
	       r->error.failure == MODEL_FAILED_NOT_FOUND && !r->request.wire.len &&
	       listing_is_possible(r->client);
}

/* Say how long the server asks to wait. */
static void client_explain_wait(struct client_request *r)
{
	defer(str_clear) struct str wait = STR_INIT;

	duration_write(&wait, r->error.retry_after_ms);
	err_context(&r->error.err, "the service asks awl to wait %s before the next request",
		    wait.ptr);
}

static void client_after_failure(struct client_request *r, bool streamed)
{
	struct retry_plan plan =
		retry_decide(&r->retry, &r->rules, &r->error, streamed, loop_rng(r->client->loop));

	log_info("attempt %d failed: %s", r->retry.attempts, r->error.err.text);
	client_discard(r);
	if (plan.action == RETRY_GIVE_UP && r->error.retry_after_ms > RETRY_LONGEST_MS)
		client_explain_wait(r);
	if (client_may_have_profile(r))
		client_enter(r, CLIENT_LISTING);
	else
		client_apply(r, &plan);
}

static void client_watch_cache(struct client_request *r)
{
	defer(str_clear) struct str why = STR_INIT;

	if (cache_watch_response(r->client->watch, &r->request, &r->usage,
				 loop_now(r->client->loop), &why))
		client_emit(r, &(struct model_event){ .kind = MODEL_CACHE_DROP,
						      .text = sv_of(&why),
						      .usage = r->usage });
}

/* Shows how the request differs from the recorded one; an error has no room for that. */
static void client_show_difference(struct client_request *r)
{
	struct transport *replay = r->client->replay;
	struct sv diff = replay ? replay_difference(replay) : SV_EMPTY;
	defer(str_clear) struct str text = STR_INIT;

	if (!diff.len)
		return;
	str_addf(&text, "how the request differs from the recorded one:\n%.*s", SV_ARG(diff));
	client_emit(r, &(struct model_event){ .kind = MODEL_NOTE,
					      .text = sv_trim(sv_of(&text)),
					      .error = &r->error });
}

static void client_on_attempt(struct op *op, void *owner, const struct err *why)
{
	struct client_request *r = owner;

	r->current = NULL;
	if (r->op.cancelled) {
		client_enter(r, CLIENT_DONE);
	} else if (why) {
		r->error = *attempt_error(op);
		client_hide_secrets(r);
		if (r->error.failure == MODEL_FAILED_REPLAY)
			client_show_difference(r);
		client_after_failure(r, attempt_had_begun(op));
	} else {
		client_watch_cache(r);
		client_enter(r, CLIENT_DONE);
	}
}

static void client_on_credential(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct client_request *r = owner;

	r->current = NULL;
	r->need = CREDENTIALS_ANY;
	if (r->op.cancelled) {
		client_enter(r, CLIENT_DONE);
	} else if (why) {
		r->error = (struct model_error){ .failure = MODEL_FAILED_AUTH,
						 .err = *why,
						 .retry_after_ms = -1 };
		client_hide_secrets(r);
		client_fail(r);
	} else {
		client_note_credential(r->client);
		client_enter(r, CLIENT_STREAMING);
	}
}

static void client_on_waited(__attribute__((unused)) struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct client_request *r = owner;

	r->current = NULL;
	if (r->op.cancelled)
		client_enter(r, CLIENT_DONE);
	else
		client_enter(r, r->wait_ms > 0 ? CLIENT_WAITING : CLIENT_AUTHORIZING);
}

/* Try again with what was learned. A listing is made only once, so this cannot go on for ever. */
static void client_on_profiles(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct client_request *r = owner;

	r->current = NULL;
	client_enter(r, CLIENT_AUTHORIZING);
}

static void client_finish(struct client_request *r)
{
	if (r->listing)
		return;
	if (r->op.cancelled)
		r->error = (struct model_error){ .failure = MODEL_FAILED_CANCELLED,
						 .retry_after_ms = -1 };
	op_finish(&r->op, r->has_error ? &r->error.err : NULL);
}

static void client_on_listing(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct client_request *r = owner;

	r->listing = NULL;
	if (r->state == CLIENT_DONE)
		client_finish(r);
}

/* Shows a line of the login command's output, which may contain secrets too. */
static void client_on_login_line(void *owner, struct sv line)
{
	struct client_request *r = owner;
	defer(str_clear) struct str text = STR_INIT;

	redact_text(&text, &r->client->secrets, line);
	client_emit(r, &(struct model_event){ .kind = MODEL_LOGIN, .text = sv_of(&text) });
}

/* Only a foreground request may start a login: nobody watches the others. */
static void client_start_authorizing(struct client_request *r)
{
	struct credentials_want want = { .need = r->need,
					 .refused = r->signed_with,
					 .on_line = r->rules.foreground ? client_on_login_line
									: NULL };

	r->current =
		credentials_start(r->client->credentials, &want, THEN(client_on_credential, r));
}

static void client_start_attempt(struct client_request *r)
{
	struct model_client *c = r->client;
	struct attempt_opts opts = {
		.provider = c->provider,
		.config = c->config,
		.table = c->table,
		.request = &r->request,
		.credential = credentials_get(c->credentials),
		.transport = c->transport,
	};

	r->signed_with = credentials_count(c->credentials);
	r->id = uuid_v4(loop_rng(c->loop));
	r->request.client_request_id = sv_cstr(r->id.text);
	log_debug("attempt %d has the client request id %s", r->retry.attempts + 1, r->id.text);
	r->current = attempt_start(c->loop, &opts, client_on_event, THEN(client_on_attempt, r));
	if (listing_is_wanted(c, r->request.model))
		r->listing = listing_start(c, r->request.model, THEN(client_on_listing, r));
}

/* Long waits are cut into heartbeats, so that a host sees that we are alive. */
static void client_start_wait(struct client_request *r)
{
	int64_t part =
		r->rules.unattended ? min_of(r->wait_ms, (int64_t)RETRY_HEARTBEAT_MS) : r->wait_ms;

	int64_t left = r->wait_ms;

	r->wait_ms -= part;
	r->current = timer_start(r->client->loop, part, THEN(client_on_waited, r));
	client_emit(r, &(struct model_event){ .kind = MODEL_RETRY,
					      .error = &r->error,
					      .attempt = r->retry.attempts,
					      .attempts = r->rules.max_retries,
					      .wait_ms = left });
}

static void client_enter(struct client_request *r, enum client_state next)
{
	if (r->op.cancelled) /* an event listener has cancelled the request */
		next = CLIENT_DONE;
	log_state("request", client_state_names[r->state], client_state_names[next]);
	r->state = next;
	switch (next) {
	case CLIENT_AUTHORIZING: client_start_authorizing(r); break;
	case CLIENT_STREAMING: client_start_attempt(r); break;
	case CLIENT_LISTING:
		r->current =
			listing_start(r->client, r->request.model, THEN(client_on_profiles, r));
		break;
	case CLIENT_WAITING: client_start_wait(r); break;
	case CLIENT_DONE:
		op_cancel(r->listing);
		client_finish(r);
		break;
	}
}

static void client_cancel(struct op *op)
{
	op_cancel(container_of(op, struct client_request, op)->current);
}

static void client_free(struct op *op)
{
	free(container_of(op, struct client_request, op));
}

static const struct op_type client_type = { .name = "model",
					    .cancel = client_cancel,
					    .free = client_free };

static bool client_may_be_fast(const struct model_client *client)
{
	struct model_fast fast = model_client_fast(client);

	return !fast.is_refused && !fast.cooldown_ms;
}

struct op *model_start(struct model_client *client, const struct model_request *request,
		       model_event_fn *on_event, struct then then)
{
	struct client_request *r = xnew(struct client_request);

	op_init(&r->op, &client_type, client->loop, then);
	r->client = client;
	r->request = *request;
	r->on_event = on_event;
	r->request.fast = request->fast && client_may_be_fast(client);
	r->retry.fast = r->request.fast;
	r->request.other_limit = client->other_limit;
	r->retry.whole = request->whole;
	r->rules = (struct retry_rules){
		.max_retries = client->config->max_retries,
		.foreground = request->source <= MODEL_LAST_FOREGROUND,
		.unattended = client->config->unattended,
		.renewable = credentials_renewable(client->credentials),
		.may_go_whole = !client->config->no_whole_fallback,
		.has_fallback =
			request->fallback.len > 0 && !sv_eq(request->fallback, request->model),
	};
	client_enter(r, CLIENT_AUTHORIZING);
	return &r->op;
}

static void client_ignore(__attribute__((unused)) void *arg,
			  __attribute__((unused)) const struct model_event *event)
{
}

/* Only with TLS: a plain connection costs next to nothing, and curl would open a second one for a
 * request that comes while the first is being made. */
static void client_preconnect(struct model_client *c, struct sv model)
{
	struct sv message = SV("{\"role\":\"user\",\"content\":\"\"}"); /* only the URL matters */
	struct model_request request = { .model = model, .messages = &message, .nmessages = 1 };
	defer(wire_clear) struct wire wire = { 0 };
	struct err ignored = ERR_INIT;

	if (c->http &&
	    c->provider->encode(&wire, c->config, c->table, &request, client_ignore, NULL,
				&ignored) &&
	    sv_starts(sv_cstr(wire.url), SV("https://")))
		http_preconnect(c->http, wire.url);
}

struct op *model_prepare_start(struct model_client *client, struct sv model, struct then then)
{
	struct credentials_want want = { .need = CREDENTIALS_ANY };

	client_preconnect(client, model);
	return credentials_start(client->credentials, &want, then);
}

const struct model_error *model_error(const struct op *op)
{
	return &container_of(op, const struct client_request, op)->error;
}
