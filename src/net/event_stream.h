/* event_stream.h - a server's event stream as one op, on any http.h: the request is
 * sent, its answer checked and decoded. */
#ifndef AWL_NET_EVENT_STREAM_H
#define AWL_NET_EVENT_STREAM_H

#include "net/http.h"
#include "text/sse.h"

/* One event, from the FIFO, in order. All views die on return. */
typedef void events_fn(void *owner, const struct sse_event *event);

/* As http_start(), with `on_each` in place of request->on_body. An Accept for
 * event streams is added when there is none, and compression is not asked for,
 * as it may hold events back.
 *
 * Done well when the stream ends between two events. Else it fails as the
 * request does, with ERR_RESET when the stream ends inside an event, with
 * ERR_TOO_BIG when one is longer than LIMIT_SSE_EVENT, each text telling the
 * byte of the stream, or with ERR_PROTOCOL when the answer is no event stream:
 * then events_refusal() has what came instead. */
struct op *events_start(struct http *http, const struct http_request *request, events_fn *on_each,
			struct then then);

/* An answer whose status is not 200 or whose type is not text/event-stream. */
struct events_refusal {
	struct http_head head;
	struct sv body; /* its first LIMIT_HTTP_ERROR bytes, or what came of them */
};

/* In `done`, and only there: NULL unless there was one, whatever the failure. */
const struct events_refusal *events_refusal(const struct op *op);

#endif
