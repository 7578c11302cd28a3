/* event_read.h - reads back what event_write() wrote, so that a front end, here or at the other
 * end of a connection, switches on `enum event_kind` and never compares words of the wire. */
#ifndef AWL_PROTO_EVENT_READ_H
#define AWL_PROTO_EVENT_READ_H

#include "proto/event.h"

/* Reads one event after the other and keeps its memory from one to the next. */
struct event_reader {
	struct json_pool pool;
	struct arena arena;
	/* Of the event that was read last; empty for control frames. */
	struct sv uuid, session_id;
};

#define EVENT_READER_INIT                                   \
	{                                                   \
		.pool = JSON_POOL_INIT, .arena = ARENA_INIT \
	}
void event_reader_clear(struct event_reader *reader);

/* Reads the JSON form of one event. It borrows from the reader, until the next call with it or
 * event_reader_clear(). A type or subtype that this version does not know is EVENT_UNKNOWN; a
 * member of the wrong type counts as missing. Fails (ERR_PARSE, ERR_TOO_BIG, ERR_INVALID) when
 * `line` is not JSON, is nested too deeply, or is not an object with a type. */
must_use bool event_read(struct event_reader *reader, struct sv line, struct event *out,
			 struct err *err);

/* Reads no more of a result than whether it is an error and whether calls were denied (`ndenials` is
 * then 1). Needs no memory, however long the answer in it is. */
must_use bool event_read_verdict(struct sv line, struct event *out, struct err *err);

#endif
