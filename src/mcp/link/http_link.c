/* Streamable HTTP, of 2025-03-26 and later.
 *
 * Every message is a POST, and an exchange: the POST, its response, and what it takes to hear the answer.
 * The response is one JSON message, or an event stream with the answer among other messages. A server may
 * cut that stream and be asked for the rest by a GET that names the last event (2025-11-25). So an exchange
 * lives until its owner forgets the request. One more exchange, a GET without a POST, listens for what the server
 * says by itself.
 *
 * A cancelled link first ends its exchanges, then its session with a DELETE.
 *
 * A server that refuses the first message may be one of 2024-11-05. Then that link (sse_link.c) is tried, and everything
 * goes through it if it works. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "mcp/link/remote.h"
#include "mcp/rpc.h"
#include "sys/timer.h"
#include "text/base64.h"
#include "text/json/json.h"
#include "text/json/json_span.h"
#include "text/sse.h"

enum {
	NOTIFY_MS = 60 * 1000, /* for a message without an answer */
	DELETE_MS = 2000,
	LINGER_MS = 2000, /* for a stream to end by itself after the answer */
	RETRY_MS = 1000,  /* before a stream is resumed, unless the server says otherwise */
	RETRY_MAX_MS = 30 * 1000,
	RETRIES = 5, /* in a row without an event */
	HEADERS_FIXED = 10,
	WORDS_MOST = 120, /* bytes of what a server says with an error */
};

enum http_answer {
	ANSWER_NONE, /* no response yet, or one without a body */
	ANSWER_JSON, /* or a body without a type */
	ANSWER_EVENTS,
	ANSWER_OTHER, /* a body of another type */
	ANSWER_ERROR, /* a status that is not a success */
};

struct http_link {
	struct mcp_link link; /* first */
	struct remote remote;
	struct str session; /* Mcp-Session-Id; empty: none */
	char *version;      /* owned; NULL: not agreed */
	bool is_stateless;
	VEC(struct exchange *) exchanges;
	struct op *goodbye; /* the DELETE */

	struct op *old_link; /* of 2024-11-05; NULL: none */
	bool has_old_link;   /* and it works */
	struct str refused;  /* what the server said before; its id and status */
	int64_t refused_id;
	int refused_status;
	struct err why; /* why it is over, if it was not cancelled */
};

struct exchange {
	struct http_link *link;
	int64_t id; /* of the request; 0: none */
	bool is_listener, is_initialize;
	bool had_session;   /* the request named one */
	bool is_resumed;    /* by a GET */
	struct str opening; /* the message that begins a session */
	bool is_forgotten, is_delivering;
	struct op *request, *timer;

	enum http_answer answer;
	int status;
	struct str body;
	struct sse sse;
	bool has_sse;
	struct err broken; /* why the stream could not be read */
	int retries;       /* since the last event */
};

static void exchange_get(struct exchange *x);

/* --- the end --------------------------------------------------------------- */

static void http_link_on_goodbye(__attribute__((unused)) struct op *op, void *owner,
				 __attribute__((unused)) const struct err *why)
{
	struct http_link *l = owner;

	l->goodbye = NULL;
	op_finish(&l->link.op, NULL);
}

/* Go on with closing once no exchange is left. */
static void http_link_settle(struct http_link *l)
{
	struct http_header headers[2] = {
		{ SV("Mcp-Session-Id"), sv_of(&l->session) },
		{ SV("MCP-Protocol-Version"), sv_cstr(l->version) },
	};
	struct remote_send send = { .method = "DELETE",
				    .headers = headers,
				    .nheaders = l->version ? 2 : 1,
				    .total_ms = DELETE_MS };

	if (!(l->link.op.cancelled || l->why.kind != ERR_NONE) || l->exchanges.n || l->goodbye ||
	    l->old_link)
		return;
	if (l->why.kind != ERR_NONE)
		op_finish(&l->link.op, &l->why);
	else if (l->session.len && !l->is_stateless)
		l->goodbye = remote_start(&l->remote, &send, THEN(http_link_on_goodbye, l));
	else
		op_finish(&l->link.op, NULL);
}

static void exchange_free(struct exchange *x)
{
	struct http_link *l = x->link;

	for (size_t i = 0; i < l->exchanges.n; i++) {
		if (l->exchanges.at[i] == x) {
			vec_remove(&l->exchanges, i);
			break;
		}
	}
	str_clear(&x->body);
	str_clear(&x->opening);
	if (x->has_sse)
		sse_clear(&x->sse);
	free(x);
	http_link_settle(l);
}

/* --- what comes in --------------------------------------------------------- */

static bool is_wanted(const struct exchange *x)
{
	return !x->is_forgotten && !x->link->link.op.cancelled;
}

static void exchange_deliver(struct exchange *x, struct sv json)
{
	struct mcp_link *link = &x->link->link;

	if (link->op.cancelled)
		return;
	x->is_delivering = true;
	link->events.message(link->op.then.owner, json);
	x->is_delivering = false;
}

/* Deliver a response that is JSON: one message or, in 2025-03-26, an array of them. */
static void exchange_deliver_body(struct exchange *x)
{
	struct sv text = sv_trim(sv_of(&x->body));
	struct err err = ERR_INIT;
	struct json_span_iter it;
	struct json_item item;

	if (!sv_starts(text, SV("[")) || !json_span_each(&it, text, JSON_SPAN_ALL(text), &err)) {
		exchange_deliver(x, text);
		return;
	}
	while (json_span_next(&it, &item, &err) && !it.done)
		exchange_deliver(x, json_span_sv(text, item.value));
}

static void exchange_report(struct exchange *x, enum mcp_undelivered what, const struct err *err)
{
	struct mcp_link *link = &x->link->link;
	struct mcp_failure failure = {
		.what = what, .status = x->status, .body = sv_of(&x->body), .err = err
	};

	if (is_wanted(x) && !x->is_listener)
		link->events.undelivered(link->op.then.owner, x->id, &failure);
}

static bool exchange_on_event(void *arg, const struct sse_event *event, struct err *err)
{
	struct exchange *x = arg;

	if (x->link->link.op.cancelled)
		return err_set(err, ERR_CANCELLED, "cancelled");
	x->retries = 0;
	/* An event without data only carries an id. */
	if (event->data.len && sv_is(event->type, "message"))
		exchange_deliver(x, event->data);
	return true;
}

static void exchange_take_session(struct exchange *x, const struct http_head *head)
{
	struct sv id = http_header(head, "mcp-session-id");

	for (size_t i = 0; i < id.len; i++)
		if (id.ptr[i] < '!' || id.ptr[i] > '~')
			return;
	if (x->is_initialize && id.len <= LIMIT_MCP_SESSION) /* without one, there is none */
		str_set(&x->link->session, id);
}

static void exchange_on_head(void *owner, const struct http_head *head)
{
	struct exchange *x = owner;

	x->status = head->status;
	str_truncate(&x->body, 0);
	if (head->status < 200 || head->status > 299) {
		x->answer = ANSWER_ERROR;
		return;
	}
	exchange_take_session(x, head);
	if (remote_is_type(head, SV("text/event-stream"))) {
		defer(str_clear) struct str last = STR_INIT;
		int64_t retry_ms = x->has_sse ? x->sse.retry_ms : -1;

		x->answer = ANSWER_EVENTS;
		if (x->has_sse) {
			str_set(&last, sv_of(&x->sse.id));
			sse_clear(&x->sse);
		}
		sse_init(&x->sse, LIMIT_SSE_EVENT);
		str_set(&x->sse.id, sv_of(&last)); /* counts until there is another */
		x->sse.retry_ms = retry_ms;
		x->has_sse = true;
	} else {
		bool is_json = remote_is_type(head, SV("application/json")) ||
			       !http_header(head, "content-type").len;

		x->answer = is_json ? ANSWER_JSON : ANSWER_OTHER;
	}
}

static void exchange_on_body(void *owner, struct sv bytes)
{
	struct exchange *x = owner;
	size_t max = x->answer == ANSWER_JSON ? LIMIT_SSE_EVENT : LIMIT_HTTP_ERROR;

	if (x->answer == ANSWER_EVENTS) {
		if (!sse_feed(&x->sse, bytes, exchange_on_event, x, &x->broken))
			op_cancel(x->request);
	} else if (x->answer == ANSWER_JSON && bytes.len > max - x->body.len) {
		err_set(&x->broken, ERR_TOO_BIG, "the answer is longer than %zu bytes", max);
		op_cancel(x->request);
	} else {
		str_add(&x->body, sv_slice(bytes, 0, max - x->body.len));
	}
}

/* --- how an exchange ends ------------------------------------------------------------ */

static void exchange_on_retry(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct exchange *x = owner;

	x->timer = NULL;
	if (is_wanted(x))
		exchange_get(x);
	else
		exchange_free(x);
}

/* Ask for the rest of the stream after a pause. False when that makes no sense. */
static bool exchange_resume(struct exchange *x)
{
	int64_t ms = x->has_sse && x->sse.retry_ms >= 0 ? x->sse.retry_ms : RETRY_MS;

	ms = min_of(ms, (int64_t)LIMIT_MCP_RETRY_MS);
	if (x->broken.kind != ERR_NONE || x->retries >= RETRIES)
		return false;
	if (!x->is_listener && !(x->has_sse && x->sse.id.len))
		return false;
	if (ms < RETRY_MAX_MS)
		ms = min_of(ms << x->retries, (int64_t)RETRY_MAX_MS);
	x->retries++;
	x->timer = timer_start(x->link->link.op.loop, ms, THEN(exchange_on_retry, x));
	return true;
}

static enum mcp_undelivered exchange_what_failed(enum err_kind kind)
{
	switch ((int)kind) {
	case ERR_DNS:
	case ERR_REFUSED:
	case ERR_TLS:
	case ERR_PROXY:
	case ERR_TIMEOUT_CONNECT:
	case ERR_INVALID: return MCP_NOT_SENT;
	default: return MCP_LOST;
	}
}

/* The request failed, or its stream ended without the answer. */
static void exchange_lose(struct exchange *x, const struct op *op, const struct err *why)
{
	struct err err = ERR_INIT;

	if (x->broken.kind != ERR_NONE) {
		exchange_report(x, MCP_LOST, &x->broken);
	} else if (why) {
		enum mcp_undelivered what = exchange_what_failed(why->kind);

		if (remote_status(op)) {
			what = why->kind == ERR_ACCESS ? MCP_UNAUTHORIZED : MCP_REFUSED;
			x->status = remote_status(op);
			str_set(&x->body, remote_body(op));
		}
		exchange_report(x, what, why);
	} else {
		err_set(&err, ERR_RESET, "%s closed the stream before it had answered",
			x->link->remote.config->name);
		exchange_report(x, MCP_LOST, &err);
	}
}

/* Whether the body of an error is the answer to the request: in the stateless era, errors have a status
 * too. */
static bool exchange_is_answered(const struct exchange *x)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&x->body), 0, &err);
	struct json root = json_root(doc);

	return x->id && json_int_or(json_get(root, "id"), 0) == x->id &&
	       json_is(json_get(root, "error"), JSON_OBJECT);
}

/* --- servers of 2024-11-05 ---------------------------------------------------------- */

static void http_link_on_old_message(void *owner, struct sv json)
{
	struct http_link *l = owner;

	l->has_old_link = true;
	if (!l->link.op.cancelled)
		l->link.events.message(l->link.op.then.owner, json);
}

static void http_link_on_old_undelivered(void *owner, int64_t id, const struct mcp_failure *failure)
{
	struct http_link *l = owner;

	if (!l->link.op.cancelled && l->has_old_link)
		l->link.events.undelivered(l->link.op.then.owner, id, failure);
}

static void http_link_on_old_over(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct http_link *l = owner;
	struct err err = ERR_INIT;
	struct mcp_failure failure = { .what = MCP_REFUSED,
				       .status = l->refused_status,
				       .body = sv_of(&l->refused),
				       .err = &err };

	l->old_link = NULL;
	if (l->has_old_link && why)
		l->why = *why;
	if (!l->has_old_link && !l->link.op.cancelled) { /* it is not such a server either */
		err_set(&err, ERR_PROTOCOL, "%s answered with status %d", l->remote.config->name,
			l->refused_status);
		l->link.events.undelivered(l->link.op.then.owner, l->refused_id, &failure);
	}
	http_link_settle(l);
}

static void exchange_try_old_link(struct exchange *x)
{
	static const struct mcp_link_events events = { .message = http_link_on_old_message,
						       .undelivered =
							       http_link_on_old_undelivered };
	struct http_link *l = x->link;

	l->refused_id = x->id;
	l->refused_status = x->status;
	str_set(&l->refused, sv_of(&x->body));
	l->old_link = mcp_sse_start(&l->remote.env, l->remote.config, &events,
				    THEN(http_link_on_old_over, l));
	mcp_link_send(l->old_link,
		      &(struct mcp_outgoing){ .json = sv_of(&x->opening), .id = x->id });
}

/* Whether the answer to the first message is that of a server that does not know this transport. */
static bool exchange_is_too_new(const struct exchange *x)
{
	return x->is_initialize && is_wanted(x) && !x->link->old_link &&
	       (x->status == 400 || x->status == 404 || x->status == 405);
}

/* Whether the server does not know our session any more. That is a 404, but servers that are made from the examples of
 * an SDK answer 400 and say it in words. */
static bool exchange_is_expired(const struct exchange *x)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		x->body.len ? json_parse(sv_of(&x->body), 0, &ignored) : NULL;
	struct json error = json_get(json_root(doc), "error");
	struct sv text = json_str_or(json_get(error, "message"), SV_EMPTY);

	if (!x->had_session)
		return false;
	return x->status == 404 || json_int_or(json_get(error, "code"), 0) == RPC_SESSION_EXPIRED ||
	       (x->status == 400 && !exchange_is_answered(x) &&
		sv_find_nocase(text, SV("session")) != SIZE_MAX);
}

/* What a server that has cut a stream answers when it is asked for the rest. */
static void exchange_lose_stream(struct exchange *x)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_RESET,
		"%s cut the stream before it had answered, and cannot resume it (status %d)",
		x->link->remote.config->name, x->status);
	exchange_report(x, MCP_LOST, &err);
}

/* The first line of what the server said with an error, unless it is a page for a browser. */
static struct sv exchange_words(const struct exchange *x)
{
	struct sv body = sv_trim(sv_of(&x->body)), line = SV_EMPTY;

	if (sv_starts(body, SV("<")) || !sv_cut_line(&body, &line))
		return SV_EMPTY;
	return utf8_prefix(sv_trim(line), WORDS_MOST);
}

static void exchange_refuse(struct exchange *x)
{
	struct http_link *l = x->link;
	struct sv words = exchange_words(x);
	struct err err = ERR_INIT;

	if (exchange_is_expired(x)) {
		err_set(&err, ERR_STALE, "the session with %s has expired", l->remote.config->name);
		exchange_report(x, MCP_SESSION_EXPIRED, &err);
		return;
	}
	if (exchange_is_answered(x)) {
		exchange_deliver(x, sv_of(&x->body));
		return;
	}
	if (exchange_is_too_new(x)) {
		exchange_try_old_link(x);
		return;
	}
	if (x->is_resumed) {
		exchange_lose_stream(x);
		return;
	}
	if (x->answer == ANSWER_OTHER)
		err_set(&err, ERR_PROTOCOL, "%s answered with something that is not JSON",
			l->remote.config->name);
	else
		err_set(&err, remote_kind(x->status), "%s answered with status %d%s%.*s",
			l->remote.config->name, x->status, words.len ? ": " : "", SV_ARG(words));
	exchange_report(x, MCP_REFUSED, &err);
}

static bool http_link_receives(const struct http_link *l)
{
	for (size_t i = 0; i < l->exchanges.n; i++)
		if (l->exchanges.at[i]->is_listener && l->exchanges.at[i]->answer == ANSWER_EVENTS)
			return true;
	return false;
}

/* The response is complete and has no answer to the request. With an empty one, the server may still answer on the
 * stream where it speaks by itself. */
static void exchange_miss(struct exchange *x)
{
	struct err err = ERR_INIT;

	if (!x->id || !is_wanted(x) || (!x->body.len && http_link_receives(x->link)))
		return;
	err_set(&err, ERR_PROTOCOL, "%s did not answer the request in its response",
		x->link->remote.config->name);
	exchange_report(x, MCP_REFUSED, &err);
}

/* Whether the exchange goes on after its request. */
static bool exchange_goes_on(struct exchange *x, const struct op *op, const struct err *why)
{
	if (!is_wanted(x))
		return false;
	if (why && (x->answer != ANSWER_EVENTS || remote_status(op)) && !x->is_listener) {
		exchange_lose(x, op, why);
	} else if (x->answer == ANSWER_EVENTS || (why && !remote_status(op))) {
		if ((x->id || x->is_listener) && exchange_resume(x))
			return true;
		if (x->id || why)
			exchange_lose(x, op, why);
	} else if (x->answer == ANSWER_ERROR ||
		   (x->answer == ANSWER_OTHER && x->id && x->body.len)) {
		exchange_refuse(x);
	} else if (!x->is_listener) {
		if (x->answer == ANSWER_JSON && x->body.len)
			exchange_deliver_body(x);
		exchange_miss(x);
	}
	return false;
}

static void exchange_on_done(struct op *op, void *owner, const struct err *why)
{
	struct exchange *x = owner;

	x->request = NULL;
	if (exchange_goes_on(x, op, why))
		return;
	if (x->timer) { /* lingering: its end is the end of the exchange */
		op_cancel(x->timer);
		return;
	}
	exchange_free(x);
}

/* The answer has come, but the stream does not end. */
static void exchange_on_lingered(__attribute__((unused)) struct op *op, void *owner,
				 __attribute__((unused)) const struct err *why)
{
	struct exchange *x = owner;

	x->timer = NULL;
	if (x->request)
		op_cancel(x->request);
	else
		exchange_free(x);
}

/* --- what goes out ----------------------------------------------------------- */

struct header_set {
	struct http_header *at;
	size_t n;
	struct arena arena;
};

static void header_set_add(struct header_set *set, struct sv name, struct sv value)
{
	set->at[set->n++] = (struct http_header){ .name = name, .value = value };
}

/* A value that is not plain ASCII, or has blanks at its ends, is sent as =?base64?...?=. */
static struct sv header_set_encode(struct header_set *set, struct sv value)
{
	defer(str_clear) struct str text = STR_INIT;
	bool is_plain = sv_eq(sv_trim(value), value) &&
			!(sv_starts(value, SV("=?base64?")) && sv_ends(value, SV("?=")));

	for (size_t i = 0; i < value.len; i++)
		is_plain = is_plain && value.ptr[i] >= ' ' && value.ptr[i] <= '~';
	if (is_plain)
		return value;
	str_adds(&text, "=?base64?");
	base64_encode(&text, value, BASE64_STD);
	str_adds(&text, "?=");
	return arena_dup(&set->arena, sv_of(&text));
}

static void header_set_add_session(struct header_set *set, const struct http_link *l)
{
	if (l->session.len && !l->is_stateless)
		header_set_add(set, SV("Mcp-Session-Id"), sv_of(&l->session));
	if (l->version)
		header_set_add(set, SV("MCP-Protocol-Version"), sv_cstr(l->version));
}

static void header_set_add_facts(struct header_set *set, const struct mcp_outgoing *message)
{
	if (message->method.len)
		header_set_add(set, SV("Mcp-Method"), header_set_encode(set, message->method));
	if (message->name.len)
		header_set_add(set, SV("Mcp-Name"), header_set_encode(set, message->name));
	for (size_t i = 0; i < message->nparams; i++)
		header_set_add(set, message->params[i].name,
			       header_set_encode(set, message->params[i].value));
}

static bool http_link_is_over(const struct http_link *l)
{
	return l->link.op.cancelled || l->link.op.finished || l->why.kind != ERR_NONE;
}

static struct exchange *exchange_new(struct http_link *l)
{
	struct exchange *x = xnew(struct exchange);

	x->link = l;
	vec_push(&l->exchanges, x);
	return x;
}

static void http_link_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct http_link *l = (struct http_link *)link;
	struct exchange *x;
	struct header_set set = { .arena = ARENA_INIT };
	struct remote_send send = { .method = "POST",
				    .body = message->json,
				    .total_ms = message->id ? 0 : NOTIFY_MS,
				    .on_head = exchange_on_head,
				    .on_body = exchange_on_body };

	if (http_link_is_over(l))
		return;
	if (l->old_link) {
		mcp_link_send(l->old_link, message);
		return;
	}
	x = exchange_new(l);
	set.at = arena_calloc(&set.arena, HEADERS_FIXED + message->nparams, sizeof(*set.at));
	header_set_add(&set, SV("Content-Type"), SV("application/json"));
	header_set_add(&set, SV("Accept"), SV("application/json, text/event-stream"));
	header_set_add(&set, SV("Accept-Encoding"), SV("identity")); /* else events may come late */
	if (!message->is_initialize)
		header_set_add_session(&set, l);
	if (l->is_stateless && !message->is_initialize)
		header_set_add_facts(&set, message);
	send.headers = set.at;
	send.nheaders = set.n;
	x->id = message->id;
	x->is_initialize = message->is_initialize;
	if (x->is_initialize)
		str_set(&x->opening, message->json);
	x->had_session = !message->is_initialize && !l->is_stateless && l->session.len > 0;
	x->request = remote_start(&l->remote, &send, THEN(exchange_on_done, x));
	arena_clear(&set.arena);
}

/* Listen, or ask for the rest of a stream. */
static void exchange_get(struct exchange *x)
{
	struct http_header headers[HEADERS_FIXED];
	struct header_set set = { .at = headers };
	struct remote_send send = { .method = "GET",
				    .headers = headers,
				    .on_head = exchange_on_head,
				    .on_body = exchange_on_body };

	header_set_add(&set, SV("Accept"), SV("text/event-stream"));
	header_set_add(&set, SV("Accept-Encoding"), SV("identity"));
	header_set_add_session(&set, x->link);
	if (x->has_sse && x->sse.id.len)
		header_set_add(&set, SV("Last-Event-ID"), sv_of(&x->sse.id));
	send.nheaders = set.n;
	x->had_session = x->link->session.len > 0;
	x->is_resumed = true;
	x->answer = ANSWER_NONE;
	x->request = remote_start(&x->link->remote, &send, THEN(exchange_on_done, x));
}

static void http_link_listen(struct mcp_link *link)
{
	struct http_link *l = (struct http_link *)link;
	struct exchange *x;

	if (http_link_is_over(l) || l->is_stateless || l->old_link)
		return;
	for (size_t i = 0; i < l->exchanges.n; i++)
		if (l->exchanges.at[i]->is_listener)
			return;
	x = exchange_new(l);
	x->is_listener = true;
	exchange_get(x);
}

static void exchange_forget(struct exchange *x)
{
	x->is_forgotten = true;
	if (x->is_delivering && x->request) { /* the answer has come: let the stream end */
		x->timer = timer_start(x->link->link.op.loop, LINGER_MS,
				       THEN(exchange_on_lingered, x));
		return;
	}
	op_cancel(x->request);
	op_cancel(x->timer);
}

static void http_link_forget(struct mcp_link *link, int64_t id)
{
	struct http_link *l = (struct http_link *)link;

	for (size_t i = 0; id && i < l->exchanges.n; i++) {
		if (l->exchanges.at[i]->id == id && !l->exchanges.at[i]->is_forgotten) {
			exchange_forget(l->exchanges.at[i]);
			return;
		}
	}
}

static void http_link_agreed(struct mcp_link *link, const char *version, bool is_stateless)
{
	struct http_link *l = (struct http_link *)link;

	free(l->version);
	l->version = xstrdup(version);
	l->is_stateless = is_stateless;
}

/* --- the op ------------------------------------------------------------------------ */

static void http_link_cancel(struct op *op)
{
	struct http_link *l = (struct http_link *)op;

	for (size_t i = 0; i < l->exchanges.n; i++) {
		op_cancel(l->exchanges.at[i]->request);
		op_cancel(l->exchanges.at[i]->timer);
	}
	op_cancel(l->old_link);
	http_link_settle(l);
}

static void http_link_free(struct op *op)
{
	struct http_link *l = (struct http_link *)op;

	remote_clear(&l->remote);
	vec_clear(&l->exchanges);
	str_clear(&l->session);
	str_clear(&l->refused);
	free(l->version);
	free(l);
}

static const struct op_type http_link_op = { .name = "mcp http link",
					     .cancel = http_link_cancel,
					     .free = http_link_free };

static const struct mcp_link_type http_link_type = { .send = http_link_send,
						     .forget = http_link_forget,
						     .agreed = http_link_agreed,
						     .listen = http_link_listen };

struct op *mcp_http_start(const struct mcp_link_env *env, const struct mcp_config *config,
			  const struct mcp_link_events *events, struct then then)
{
	struct http_link *l = xnew(struct http_link);
	struct err err = ERR_INIT;

	op_init(&l->link.op, &http_link_op, env->loop, then);
	l->link.type = &http_link_type;
	l->link.events = *events;
	remote_init(&l->remote, env, config);
	if (!env->http) {
		err_set(&err, ERR_UNSUPPORTED, "%s: there is no network here", config->name);
		op_finish(&l->link.op, &err);
	}
	return &l->link.op;
}
