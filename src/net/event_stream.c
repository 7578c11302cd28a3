#include "net/event_stream.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"

struct events {
	struct op op;
	struct op *request;
	http_head_fn *on_head;
	events_fn *on_event;
	struct sse sse;
	uint64_t fed;
	struct err why; /* our own failure, not that of the request */

	bool refused;
	struct events_refusal refusal;
	struct arena head; /* memory of refusal.head */
	struct str body;   /* memory of refusal.body */
};

static bool is_event_stream(const struct http_head *head)
{
	struct sv type = http_header(head, "content-type"), media;

	return head->status == 200 && sv_cut(&type, ';', &media) &&
	       sv_eq_nocase(sv_trim(media), SV("text/event-stream"));
}

/* The head is only valid during on_head, our copy until `done`. */
static void event_stream_keep_head(struct events *e, const struct http_head *head)
{
	struct http_header *copy = arena_calloc(&e->head, head->nheaders, sizeof(*copy));

	for (size_t i = 0; i < head->nheaders; i++) {
		copy[i].name = arena_dup(&e->head, head->headers[i].name);
		copy[i].value = arena_dup(&e->head, head->headers[i].value);
	}
	e->refusal.head = *head;
	e->refusal.head.headers = copy;
}

static void event_stream_on_head(void *owner, const struct http_head *head)
{
	struct events *e = owner;

	e->refused = !is_event_stream(head);
	if (e->refused)
		event_stream_keep_head(e, head);
	if (e->on_head)
		e->on_head(e->op.then.owner, head);
}

static bool event_stream_on_event(void *arg, const struct sse_event *event, struct err *err)
{
	struct events *e = arg;

	if (e->op.cancelled)
		return err_set(err, ERR_CANCELLED, "cancelled");
	e->on_event(e->op.then.owner, event);
	return true;
}

static void event_stream_on_body(void *owner, struct sv bytes)
{
	struct events *e = owner;
	bool enough;

	if (e->refused) {
		str_add(&e->body, sv_slice(bytes, 0, LIMIT_HTTP_ERROR - e->body.len));
		enough = e->body.len == LIMIT_HTTP_ERROR;
	} else {
		enough = !sse_feed(&e->sse, bytes, event_stream_on_event, e, &e->why);
		e->fed += bytes.len;
	}
	if (enough)
		op_cancel(e->request);
}

/* Why the stream failed, given how the request ended; ERR_NONE if it did not. */
static void event_stream_judge(struct events *e, const struct err *why)
{
	if (e->why.kind != ERR_NONE)
		return;
	if (e->refused && (!why || why->kind == ERR_CANCELLED))
		err_set(&e->why, ERR_PROTOCOL, "status %d, and not an event stream",
			e->refusal.head.status);
	else if (why && e->fed)
		err_set(&e->why, why->kind, "%s, after %" PRIu64 " bytes of events", why->text,
			e->fed);
	else if (why)
		e->why = *why;
	else if (sse_is_pending(&e->sse))
		err_set(&e->why, ERR_RESET,
			"the event stream ended inside an event, at byte %" PRIu64, e->fed);
}

static void event_stream_on_done(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct events *e = owner;

	e->request = NULL;
	e->refusal.body = sv_of(&e->body);
	event_stream_judge(e, why);
	op_finish(&e->op, e->why.kind == ERR_NONE ? NULL : &e->why);
}

static void events_cancel(struct op *op)
{
	op_cancel(container_of(op, struct events, op)->request);
}

static void events_free(struct op *op)
{
	struct events *e = container_of(op, struct events, op);

	sse_clear(&e->sse);
	arena_clear(&e->head);
	str_clear(&e->body);
	free(e);
}

static const struct op_type events_type = { .name = "events",
					    .cancel = events_cancel,
					    .free = events_free };

static bool event_stream_has_header(const struct http_request *request, struct sv name)
{
	for (size_t i = 0; i < request->nheaders; i++)
		if (sv_eq_nocase(request->headers[i].name, name))
			return true;
	return false;
}

struct op *events_start(struct http *http, const struct http_request *request, events_fn *on_each,
			struct then then)
{
	static const struct http_header extra[] = {
		{ SV_INIT("Accept"), SV_INIT("text/event-stream") },
		{ SV_INIT("Accept-Encoding"), SV_INIT("identity") },
	};
	struct events *e = xnew(struct events);
	struct http_request ask = *request;
	VEC(struct http_header) headers = VEC_INIT;

	for (size_t i = 0; i < request->nheaders; i++)
		vec_push(&headers, request->headers[i]);
	for (size_t i = 0; i < countof(extra); i++)
		if (!event_stream_has_header(request, extra[i].name))
			vec_push(&headers, extra[i]);
	ask.headers = headers.at;
	ask.nheaders = headers.n;
	ask.on_head = event_stream_on_head;
	ask.on_body = event_stream_on_body;
	e->on_head = request->on_head;
	e->on_event = on_each;
	sse_init(&e->sse, LIMIT_SSE_EVENT);
	e->request = http_start(http, &ask, THEN(event_stream_on_done, e));
	op_init(&e->op, &events_type, e->request->loop, then);
	vec_clear(&headers);
	return &e->op;
}

const struct events_refusal *events_refusal(const struct op *op)
{
	const struct events *e = container_of(op, struct events, op);

	return e->refused ? &e->refusal : NULL;
}
