/* sse.h - incremental text/event-stream decoder, by the WHATWG standard. Feed
 * bytes in any split; whole events come out in order, the same for every split.
 * Pure: no I/O, no clock.
 *
 * An event that lies in one fed chunk is handed on as views into that chunk;
 * only what a chunk leaves unfinished is copied, so memory stays within a small
 * multiple of `max` whatever the stream sends. Bytes are passed on as they are:
 * whether they are UTF-8 is for the reader of the data to judge. */
#ifndef AWL_TEXT_SSE_H
#define AWL_TEXT_SSE_H

#include "base/err.h"
#include "base/str.h"

/* One dispatched event. All views die when `emit` returns. */
struct sse_event {
	struct sv type; /* "message" when the stream names none */
	struct sv data; /* lines joined by "\n"; may be empty */
	struct sv id;   /* the last id seen so far, of this event or an earlier one */
};

/* Returning false, with `err` filled, ends the feed with that error. It must
 * not feed the decoder that calls it. */
typedef bool sse_emit_fn(void *arg, const struct sse_event *event, struct err *err);

/* A value in the making: a view into the chunk being fed, or into `kept` once
 * it has to outlive it. */
struct sse_value {
	struct sv now;
	struct str kept;
};

struct sse {
	size_t max;
	struct str line;             /* the start of a line whose end is to come */
	struct sse_value type, data; /* of the event being read */
	struct str id;               /* survives events */
	int64_t retry_ms;            /* the delay the server asked for; -1: none yet */
	uint64_t fed;                /* bytes of all chunks before the present one */
	uint64_t line_at;            /* stream offset of the line being read */
	size_t size;                 /* bytes of the fields of the event being read */
	bool has_data;
	bool after_cr; /* the last line ended in CR: an LF now belongs to it */
};

/* Cannot fail. `max` caps each line, and each event's fields together. */
void sse_init(struct sse *sse, size_t max);
void sse_clear(struct sse *sse);

/* Consumes all of `in`. Fails past `max` (ERR_TOO_BIG, naming the stream offset
 * of the line that crossed it) or when `emit` does; then only sse_clear() is
 * valid. */
must_use bool sse_feed(struct sse *sse, struct sv in, sse_emit_fn *emit, void *arg,
		       struct err *err);

/* Whether an event or a line was begun and not ended. The standard discards
 * such a rest at the end of a stream; here is how to notice that it was cut. */
bool sse_is_pending(const struct sse *sse);

#endif
