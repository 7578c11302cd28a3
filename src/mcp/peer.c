#include "mcp/peer.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sys/timer.h"
#include "text/json/json_write.h"

struct mcp_request {
	struct op op;
	struct mcp_request *next;
	struct mcp_peer *peer; /* NULL: it is over */
	int64_t id;
	bool is_initialize;
	int64_t idle_ms;
	void (*on_progress)(void *arg, struct json params);
	void *arg;
	struct op *deadline, *idle;
	struct json_doc *doc; /* that has the response */
	struct rpc_message response;
	bool has_response, is_undelivered, is_over;
	enum mcp_undelivered undelivered;
	int status;
	struct err why;
};

void mcp_peer_init(struct mcp_peer *peer, struct loop *loop, const struct mcp_peer_events *events)
{
	*peer = (struct mcp_peer){ .loop = loop, .events = *events, .sends_cancelled = true };
}

/* --- sending ------------------------------------------------------------------------ */

static void mcp_peer_send(struct mcp_peer *peer, const struct str *json)
{
	if (peer->link)
		mcp_link_send(peer->link, &(struct mcp_outgoing){ .json = sv_of(json) });
}

void mcp_peer_reply(struct mcp_peer *peer, struct json id, struct sv result)
{
	defer(str_clear) struct str json = STR_INIT;

	rpc_write_result(&json, id, result);
	mcp_peer_send(peer, &json);
}

void mcp_peer_refuse(struct mcp_peer *peer, struct json id, int64_t code, struct sv text)
{
	defer(str_clear) struct str json = STR_INIT;

	rpc_write_error(&json, id, code, text, SV_EMPTY);
	mcp_peer_send(peer, &json);
}

void mcp_peer_notify(struct mcp_peer *peer, struct sv method, struct sv params)
{
	defer(str_clear) struct str json = STR_INIT;

	rpc_write_notification(&json, method, params);
	if (peer->link)
		mcp_link_send(peer->link,
			      &(struct mcp_outgoing){ .json = sv_of(&json), .method = method });
}

/* --- the end of a request ------------------------------------------------------------- */

/* Finish the op once its timers are gone. */
static void mcp_request_settle(struct mcp_request *r)
{
	if (!r->is_over || r->deadline || r->idle)
		return;
	op_finish(&r->op, r->why.kind ? &r->why : NULL);
}

/* The outcome is known, and the peer no longer has the request: nothing that comes later counts. */
static void mcp_request_close(struct mcp_request *r)
{
	r->peer = NULL;
	r->is_over = true;
	op_cancel(r->deadline);
	op_cancel(r->idle);
	mcp_request_settle(r);
}

static void mcp_request_end(struct mcp_request *r)
{
	struct mcp_request **at = &r->peer->requests;

	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	if (r->peer->link)
		mcp_link_forget(r->peer->link, r->id);
	mcp_request_close(r);
}

/* End it and tell the server, which may be working on it. */
static void mcp_request_withdraw(struct mcp_request *r, struct sv reason)
{
	struct mcp_peer *peer = r->peer;
	defer(str_clear) struct str params = STR_INIT;
	struct jw w;

	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_int(&w, "requestId", r->id);
	jw_put_str(&w, "reason", reason);
	jw_end(&w);
	jw_done(&w);
	if (peer->sends_cancelled && !r->is_initialize)
		mcp_peer_notify(peer, SV("notifications/cancelled"), sv_of(&params));
	mcp_request_end(r);
}

static void mcp_request_cancel(struct op *op)
{
	struct mcp_request *r = container_of(op, struct mcp_request, op);

	if (!r->is_over)
		mcp_request_withdraw(r, SV("The request was cancelled."));
}

static void mcp_request_free(struct op *op)
{
	struct mcp_request *r = container_of(op, struct mcp_request, op);

	json_doc_free(r->doc);
	free(r);
}

static const struct op_type request_type = {
	.name = "MCP request",
	.cancel = mcp_request_cancel,
	.free = mcp_request_free,
};

static void mcp_request_time_out(struct mcp_request *r, const struct err *why)
{
	if (r->is_over) {
		mcp_request_settle(r);
		return;
	}
	if (why) /* it was not the time that passed */
		return;
	err_set(&r->why, ERR_TIMEOUT, "the server did not answer in time");
	mcp_request_withdraw(r, SV("The request timed out."));
}

static void mcp_request_on_deadline(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct mcp_request *r = owner;

	r->deadline = NULL;
	mcp_request_time_out(r, why);
}

static void mcp_request_on_idle(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct mcp_request *r = owner;

	r->idle = NULL;
	mcp_request_time_out(r, why);
}

/* --- the start of a request ------------------------------------------------------------ */

int64_t mcp_peer_next_id(const struct mcp_peer *peer)
{
	return peer->last_id + 1;
}

struct op *mcp_request_start(struct mcp_peer *peer, const struct mcp_request_opts *opts,
			     struct then then)
{
	struct mcp_request *r = xnew(struct mcp_request);
	defer(str_clear) struct str json = STR_INIT;

	op_init(&r->op, &request_type, peer->loop, then);
	r->id = ++peer->last_id;
	r->is_initialize = opts->is_initialize;
	r->on_progress = opts->on_progress;
	r->arg = opts->arg;
	r->idle_ms = opts->idle_ms;
	if (!peer->link) {
		r->is_over = true;
		err_set(&r->why, ERR_RESET, "Connection closed");
		mcp_request_settle(r);
		return &r->op;
	}
	r->peer = peer;
	r->next = peer->requests;
	peer->requests = r;
	if (opts->timeout_ms)
		r->deadline =
			timer_start(peer->loop, opts->timeout_ms, THEN(mcp_request_on_deadline, r));
	if (opts->idle_ms)
		r->idle = timer_start(peer->loop, opts->idle_ms, THEN(mcp_request_on_idle, r));
	rpc_write_request(&json, r->id, opts->method, opts->params);
	mcp_link_send(peer->link, &(struct mcp_outgoing){ .json = sv_of(&json),
							  .id = r->id,
							  .method = opts->method,
							  .name = opts->name,
							  .params = opts->headers,
							  .nparams = opts->nheaders,
							  .is_initialize = opts->is_initialize });
	return &r->op;
}

struct json mcp_request_result(const struct op *op)
{
	return container_of(op, struct mcp_request, op)->response.result;
}

int64_t mcp_request_code(const struct op *op)
{
	const struct mcp_request *r = container_of(op, struct mcp_request, op);

	return r->has_response && r->response.kind == RPC_ERROR ? r->response.code : 0;
}

struct sv mcp_request_text(const struct op *op)
{
	return container_of(op, struct mcp_request, op)->response.text;
}

struct json mcp_request_data(const struct op *op)
{
	return container_of(op, struct mcp_request, op)->response.data;
}

bool mcp_request_undelivered(const struct op *op, enum mcp_undelivered *why, int *status)
{
	const struct mcp_request *r = container_of(op, struct mcp_request, op);

	if (!r->is_undelivered)
		return false;
	*why = r->undelivered;
	*status = r->status;
	return true;
}

/* --- receiving --------------------------------------------------------------------------- */

static struct mcp_request *mcp_peer_find(const struct mcp_peer *peer, int64_t id)
{
	struct mcp_request *r = peer->requests;

	while (r && r->id != id)
		r = r->next;
	return r;
}

static void mcp_peer_report(struct mcp_peer *peer, const struct err *why)
{
	log_debug("dropped: %s", why->text);
	if (peer->events.nonsense)
		peer->events.nonsense(peer->events.arg, why);
}

/* Takes the document, or leaves it if nobody waits for the response. */
static void mcp_peer_take_response(struct mcp_peer *peer, struct json_doc **doc,
				   const struct rpc_message *message)
{
	struct mcp_request *r = mcp_peer_find(peer, message->number);

	if (!r) {
		log_debug("a response to request %lld, which does not wait",
			  (long long)message->number);
		return;
	}
	r->response = *message;
	r->has_response = true;
	if (message->kind == RPC_ERROR)
		err_set(&r->why, r->why.kind == ERR_BUSY ? ERR_BUSY : ERR_PROTOCOL, "%.*s",
			SV_ARG(message->text.len ? message->text
						 : SV("the server reports an error")));
	r->doc = move(*doc);
	mcp_request_end(r);
}

static void mcp_peer_take_progress(struct mcp_peer *peer, struct json params)
{
	struct mcp_request *r =
		mcp_peer_find(peer, json_int_or(json_get(params, "progressToken"), 0));

	if (!r)
		return;
	if (r->idle)
		timer_restart(r->idle, r->idle_ms);
	if (r->on_progress)
		r->on_progress(r->arg, params);
}

static void mcp_peer_take(struct mcp_peer *peer, struct json_doc **doc, struct json value)
{
	struct rpc_message message;
	struct err err = ERR_INIT;

	if (!rpc_read(&message, value, &err)) {
		mcp_peer_report(peer, &err);
		return;
	}
	switch (message.kind) {
	case RPC_REQUEST: peer->events.request(peer->events.arg, &message); break;
	case RPC_NOTIFICATION:
		if (sv_is(message.method, "notifications/progress"))
			mcp_peer_take_progress(peer, message.params);
		else
			peer->events.notification(peer->events.arg, &message);
		break;
	case RPC_RESULT:
	case RPC_ERROR: mcp_peer_take_response(peer, doc, &message); break;
	}
}

/* Take a batch, which one version of the protocol allowed. Its responses need a document each. */
static void mcp_peer_take_batch(struct mcp_peer *peer, struct json batch)
{
	struct json_iter it = json_each(batch);
	struct json item;

	while (json_next(&it, NULL, &item)) {
		defer(json_doc_freep) struct json_doc *copy = json_copy(item);

		mcp_peer_take(peer, &copy, json_root(copy));
	}
}

void mcp_peer_receive(struct mcp_peer *peer, struct sv json)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &err);

	if (!doc)
		mcp_peer_report(peer, &err);
	else if (json_is(json_root(doc), JSON_ARRAY))
		mcp_peer_take_batch(peer, json_root(doc));
	else
		mcp_peer_take(peer, &doc, json_root(doc));
}

/* An HTTP error may have a JSON-RPC error as its body: then that is the response. Whether the server is busy, the status
 * says. */
static bool mcp_peer_take_body(struct mcp_peer *peer, struct mcp_request *r, struct sv body)
{
	struct rpc_message message;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		body.len ? json_parse(body, 0, &ignored) : NULL;

	if (!doc || !rpc_read(&message, json_root(doc), &ignored) || message.kind != RPC_ERROR)
		return false;
	message.number = r->id;
	mcp_peer_take_response(peer, &doc, &message);
	return true;
}

void mcp_peer_undelivered(struct mcp_peer *peer, int64_t id, const struct mcp_failure *failure)
{
	struct mcp_request *r = id ? mcp_peer_find(peer, id) : NULL;

	if (!r) {
		log_debug("not delivered: %s", failure->err->text);
		return;
	}
	r->is_undelivered = true;
	r->undelivered = failure->what;
	r->status = failure->status;
	r->why = *failure->err;
	if (failure->what == MCP_REFUSED && mcp_peer_take_body(peer, r, failure->body))
		return;
	mcp_request_end(r);
}

void mcp_peer_disconnect(struct mcp_peer *peer, const struct err *why)
{
	struct mcp_request *r;

	peer->link = NULL;
	while ((r = peer->requests)) {
		peer->requests = r->next;
		r->why = *why;
		mcp_request_close(r);
	}
}
