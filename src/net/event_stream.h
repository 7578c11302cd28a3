/* event_stream.h - an event stream of a server as one op, on any http.h: sends the request, checks
 * and decodes the response. */
#ifndef AWL_NET_EVENT_STREAM_H
#define AWL_NET_EVENT_STREAM_H

#include "net/http.h"
#include "text/sse.h"

/* One event, from the FIFO, in order. All views are valid until it returns. */
typedef void events_fn(void *owner, const struct sse_event *event);

/* As http_start(), with `on_each` instead of request->on_body. Adds an Accept header for event
 * streams when there is none, and does not ask for compression, which may delay events.
 *
 * Succeeds when the stream ends between two events. Otherwise it fails as the request does; with
 * ERR_RESET when the stream ends inside an event; with ERR_TOO_BIG when an event is longer than
 * LIMIT_SSE_EVENT (both messages name the byte of the stream); or with ERR_PROTOCOL when the
 * response is not an event stream. Then events_refusal() has the response. */
struct op *events_start(struct http *http, const struct http_request *request, events_fn *on_each,
			struct then then);

/* A response whose status is not 200 or whose type is not text/event-stream. */
struct events_refusal {
	struct http_head head;
	struct sv body; /* its first LIMIT_HTTP_ERROR bytes, as far as they came */
};

/* Only inside `done`. NULL unless there was such a response, whatever the failure. */
const struct events_refusal *events_refusal(const struct op *op);

#endif
