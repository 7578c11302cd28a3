/* sse.h - an incremental text/event-stream decoder that follows the WHATWG standard.
 * Callers may split the stream into chunks anywhere; the events and their order do not
 * depend on the split. Pure: no I/O, no clock.
 *
 * An event that lies within one chunk is passed on as views into that chunk. Only the
 * unfinished part of a chunk is copied, so memory stays within a small multiple of `max`
 * whatever the stream sends. The decoder does not change or check bytes: the consumer
 * decides whether they are UTF-8. */
#ifndef AWL_TEXT_SSE_H
#define AWL_TEXT_SSE_H

#include "base/err.h"
#include "base/str.h"

/* One dispatched event. All views are valid until `emit` returns. */
struct sse_event {
	struct sv type; /* "message" when the stream does not name a type */
	struct sv data; /* lines joined by "\n"; may be empty */
	struct sv id;   /* the last id seen so far, in this event or an earlier one */
};

/* Returns false, with `err` filled, to end the feed with that error. It must not feed
 * the decoder that calls it. */
typedef bool sse_emit_fn(void *arg, const struct sse_event *event, struct err *err);

/* A value being read: a view into the chunk being fed, or into `kept` once the value has
 * to outlive the chunk. */
struct sse_value {
	struct sv now;
	struct str kept;
};

struct sse {
	size_t max;
	struct str line;             /* the start of a line whose end has not arrived */
	struct sse_value type, data; /* of the event being read */
	struct str id;               /* survives events */
	int64_t retry_ms;            /* the delay that the server requested; -1: none yet */
	uint64_t fed;                /* bytes of all chunks before the current one */
	uint64_t line_at;            /* stream offset of the line being read */
	size_t size;                 /* bytes of the fields of the event being read */
	bool has_data;
	bool after_cr; /* the last line ended in CR: an LF now belongs to it */
};

/* Cannot fail. `max` caps each line, and the total of each event's fields. */
void sse_init(struct sse *sse, size_t max);
void sse_clear(struct sse *sse);

/* Consumes all of `in`. Fails past `max` (ERR_TOO_BIG, naming the stream offset of the
 * line that crossed it) or when `emit` does; then only sse_clear() is valid. */
must_use bool sse_feed(struct sse *sse, struct sv in, sse_emit_fn *emit, void *arg,
		       struct err *err);

/* Whether the stream ends inside an event or a line. The standard discards such an
 * incomplete event; callers use this to detect a stream that was cut off. */
bool sse_is_pending(const struct sse *sse);

#endif
