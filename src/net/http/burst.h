/* burst.h - when to let small pieces of a response collect before reading on.
 *
 * A server that writes each event by itself wakes a fast reader for each: tens of thousands of times
 * a second, for a hundred bytes each, with a dozen system calls a time. Once that goes on, the
 * socket rests for a moment after each small piece. A stream at the speed of a model never gets
 * there, and large pieces are read without a break. Pure. */
#ifndef AWL_NET_HTTP_BURST_H
#define AWL_NET_HTTP_BURST_H

#include "base/base.h"

enum {
	BURST_REST_MS = 2,
	BURST_SMALL = 8 * 1024, /* bytes; less is a small piece */
	BURST_PIECES = 8,       /* small pieces within BURST_REST_MS of each other */
};

struct burst {
	int64_t read_at; /* when the newest piece was read */
	int pieces;      /* small ones, in a row */
};

/* Notes that `size` bytes were read now. True: rest before reading on. */
bool burst_note(struct burst *burst, int64_t now, size_t size);

#endif
