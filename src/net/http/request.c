#include "net/http/request.h"

#include "base/limits.h"
#include "base/log.h"
#include "net/http/failure.h"
#include "sys/timer.h"

/* What curl knows about a failure, queried before the handle is gone. */
static void request_explain(struct request *r, CURLcode code)
{
	struct transfer *t = &r->transfer;
	long os_errno = 0, proxy_status = 0;

	if (r->barred && (code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK)) {
		err_set(&r->why, ERR_ACCESS, "%s: " HTTP_NOT_PUBLIC, r->where);
		return;
	}
	t->http->curl.easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &os_errno);
	t->http->curl.easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	fail_explain(&r->why,
		     &(struct failure){
			     .code = code,
			     .where = r->where,
			     .detail = t->detail[0] ? t->detail : t->http->curl.easy_strerror(code),
			     .os_errno = (int)os_errno,
			     .proxy_status = (int)proxy_status,
			     .proxied = t->proxied,
			     .connected = r->phase != PHASE_CONNECT,
		     });
}

void request_end(struct request *r, CURLcode code)
{
	if (r->ended)
		return;
	r->ended = true;
	if (r->waits)
		proxy_auth_leave(r);
	if (code != CURLE_OK && r->why.kind == ERR_NONE)
		request_explain(r, code);
	transfer_drop(&r->transfer);
	loop_post(r->op.loop, &r->step);
}

static void request_go(struct request *r)
{
	r->phase = PHASE_CONNECT;
	r->begun_at = r->moved_at = loop_now(r->op.loop);
	transfer_begin(&r->transfer);
	loop_post(r->op.loop, &r->step); /* starts the first deadline */
}

void request_authorized(struct request *r, const struct err *why)
{
	r->waits = false;
	r->credentials = r->transfer.http->credentials.count;
	if (!why && !r->ended) {
		request_go(r);
		return;
	}
	if (!r->ended)
		r->why = *why;
	request_end(r, CURLE_OK);
	loop_post(r->op.loop, &r->step);
}

/* Whether the proxy asks for credentials that we can get. With a tunnel this is the answer to
 * CONNECT, otherwise the answer to the request. */
static bool is_challenge(const struct request *r)
{
	return r->transfer.asks_proxy && !r->transfer.tunnels && !r->was_refused &&
	       r->head.status == 407 && r->head.state == HEAD_FINAL;
}

static bool is_challenge_in_tunnel(const struct request *r)
{
	const struct transfer *t = &r->transfer;
	long status = 0;

	if (t->asks_proxy && !r->was_refused)
		t->http->curl.easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &status);
	return status == 407;
}

/* As if nothing had been sent or received. */
static void request_start_over(struct request *r)
{
	bool follows = r->head.follows;

	r->was_refused = true;
	transfer_stop(&r->transfer);
	head_clear(&r->head);
	r->head = (struct head){ .follows = follows };
	str_truncate(&r->waiting, 0);
	r->received = r->slice = r->offset = 0;
	r->choked = false;
	r->phase = PHASE_CREDENTIALS;
	proxy_auth_refuse(r);
	if (proxy_auth_await(r))
		request_go(r);
}

/* For curl a connection that closes inside the head is a short response. */
static void request_on_curl_ended(struct transfer *t, CURLcode code)
{
	struct request *r = container_of(t, struct request, transfer);

	if (code == CURLE_OK ? is_challenge(r) : is_challenge_in_tunnel(r)) {
		request_start_over(r);
		return;
	}
	if (code == CURLE_OK) {
		head_settle(&r->head);
		code = r->head.state == HEAD_FINAL ? CURLE_OK : CURLE_GOT_NOTHING;
	}
	request_end(r, code);
}

static bool request_may_deliver(const struct request *r)
{
	return !r->paused && !r->op.cancelled && !is_challenge(r);
}

static bool request_head_waits(const struct request *r)
{
	return r->head.state == HEAD_FINAL && !r->has_reported_head;
}

/* Each call of the owner may pause or cancel the request. */
static void request_deliver(struct request *r)
{
	struct http_head head = head_view(&r->head);
	CURLcode code;

	if (request_may_deliver(r) && request_head_waits(r)) {
		r->has_reported_head = true;
		log_debug("http, op %u: status %d, HTTP version %d.%d", r->op.number, head.status,
			  head.version / 10, head.version % 10);
		if (r->ask.on_head)
			r->ask.on_head(r->op.then.owner, &head);
	}
	if (request_may_deliver(r) && r->waiting.len) {
		r->ask.on_body(r->op.then.owner, sv_of(&r->waiting));
		str_truncate(&r->waiting, 0);
	}
	if (request_may_deliver(r) && r->choked && !r->ended) {
		r->choked = false;
		code = r->transfer.http->curl.easy_pause(r->transfer.easy, CURLPAUSE_CONT);
		if (code != CURLE_OK)
			request_end(r, code);
	}
}

struct deadline {
	int64_t at;
	enum err_kind kind;
	const char *words;
};

static void request_tighten(struct deadline *d, int64_t from, int64_t ms, enum err_kind kind,
			    const char *words)
{
	if (ms >= 0 && ms < d->at - from)
		*d = (struct deadline){ .at = from + ms, .kind = kind, .words = words };
}

/* The deadline that comes first. */
static struct deadline request_next_deadline(const struct request *r)
{
	struct deadline d = { .at = INT64_MAX };

	request_tighten(&d, r->started_at, r->ask.total_ms, ERR_TIMEOUT, "not complete in time");
	switch (r->phase) {
	case PHASE_CREDENTIALS: break; /* the source of the credentials has a deadline of its own */
	case PHASE_CONNECT:
		request_tighten(&d, r->begun_at, r->ask.connect_ms, ERR_TIMEOUT_CONNECT,
				"no connection in time");
		break;
	case PHASE_SEND:
		request_tighten(&d, r->moved_at, r->ask.first_byte_ms, ERR_TIMEOUT_FIRST_BYTE,
				"no answer in time");
		break;
	case PHASE_RECEIVE:
		if (!r->paused)
			request_tighten(&d, r->moved_at, r->ask.idle_ms, ERR_TIMEOUT_IDLE,
					"the answer stopped in the middle");
		break;
	}
	return d;
}

static void request_on_timer(__attribute__((unused)) struct op *timer, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct request *r = owner;

	r->timer = NULL;
	loop_post(r->op.loop, &r->step);
}

/* Bytes only ever extend a deadline, so a running timer is left alone unless it would fire too
 * late. */
static void request_watch_deadlines(struct request *r)
{
	int64_t now = loop_now(r->op.loop);
	struct deadline d = request_next_deadline(r);

	if (r->ended)
		return;
	if (d.at <= now) {
		err_set(&r->why, d.kind, "%s: %s", r->where, d.words);
		request_end(r, CURLE_OK);
	} else if (d.at < INT64_MAX && !r->timer) {
		r->timer = timer_start(r->op.loop, d.at - now, THEN(request_on_timer, r));
		r->timer_at = d.at;
	} else if (d.at < INT64_MAX && d.at < r->timer_at) {
		timer_restart(r->timer, d.at - now);
		r->timer_at = d.at;
	}
}

/* Finishes the op once nothing of it is pending. */
static void request_settle(struct request *r)
{
	bool failed = r->op.cancelled || r->why.kind != ERR_NONE;

	if (!r->ended || r->waits || r->step.posted)
		return;
	if (!failed && (r->waiting.len || request_head_waits(r)))
		return; /* for a paused reader */
	op_cancel(r->timer);
	if (r->timer)
		return;
	r->transfer.http->requests--;
	op_finish(&r->op, r->why.kind == ERR_NONE ? NULL : &r->why);
}

static void request_run_step(struct task *task)
{
	struct request *r = container_of(task, struct request, step);

	if (r->moved) {
		r->moved = false;
		r->moved_at = loop_now(r->op.loop);
	}
	request_deliver(r);
	request_watch_deadlines(r);
	request_settle(r);
}

static void request_cancel(struct op *op)
{
	request_end(container_of(op, struct request, op), CURLE_OK);
	loop_post(op->loop, &container_of(op, struct request, op)->step);
}

static void request_free(struct op *op)
{
	struct request *r = container_of(op, struct request, op);

	head_clear(&r->head);
	str_clear(&r->waiting);
	free(r->body);
	free(r->where);
	free(r);
}

static const struct op_type request_type = { .name = "http",
					     .cancel = request_cancel,
					     .free = request_free };

static int64_t request_or_default(int64_t ms, int64_t fallback)
{
	return ms ? ms : fallback;
}

static void request_begin(struct request *r)
{
	defer(str_clear) struct str where = STR_INIT;
	struct http_url url;

	if (!http_request_check(&r->ask, &r->why) || !http_url_parse(&url, r->ask.url, &r->why)) {
		r->ended = true;
		loop_post(r->op.loop, &r->step);
		return;
	}
	http_url_origin(&where, &url);
	r->where = str_detach(&where);
	log_debug("http, op %u: %s %s", r->op.number,
		  r->ask.method  ? r->ask.method
		  : r->ask.nbody ? "POST"
				 : "GET",
		  r->where);
	if (r->ask.nbody)
		r->body = xmemdup(r->ask.body, r->ask.nbody * sizeof(*r->body));
	exchange_init(r);
	if (proxy_auth_await(r))
		request_go(r);
	else
		loop_post(r->op.loop, &r->step);
}

struct op *http_start(struct http *http, const struct http_request *request, struct then then)
{
	struct request *r = xnew(struct request);

	op_init(&r->op, &request_type, http->loop, then);
	http->requests++;
	r->transfer.http = http;
	r->transfer.ended = request_on_curl_ended;
	r->step = (struct task){ .run = request_run_step, .session = log_session };
	r->ask = *request;
	r->ask.connect_ms = request_or_default(request->connect_ms, HTTP_CONNECT_MS);
	r->ask.first_byte_ms = request_or_default(request->first_byte_ms, HTTP_FIRST_BYTE_MS);
	r->ask.idle_ms = request_or_default(request->idle_ms, HTTP_IDLE_MS);
	r->ask.total_ms = request_or_default(request->total_ms, HTTP_NO_DEADLINE);
	r->ask.max_body = request->max_body ? request->max_body : LIMIT_HTTP_BODY;
	r->started_at = r->moved_at = loop_now(http->loop);
	request_begin(r);
	return &r->op;
}

void http_pause(struct op *op, bool paused)
{
	struct request *r = container_of(op, struct request, op);

	if (op->finished || r->paused == paused)
		return;
	r->paused = paused;
	r->moved |= !paused; /* we caused the silence ourselves */
	loop_post(op->loop, &r->step);
}
