/* aws_frames.h - private to src/model: incremental decoder of AWS's binary
 * application/vnd.amazon.eventstream. Feed bytes in any split; whole messages
 * come out in order, the same for every split. Pure: no I/O, no clock.
 *
 *   total length | header length | CRC of those | headers | payload | CRC of all
 *        4              4               4                                4
 *
 * Both checksums are verified, the first as soon as it has arrived, so that a corrupt length never
 * makes the decoder wait. A message that is complete in one chunk is emitted as views into that
 * chunk; only incomplete messages are copied. */
#ifndef AWL_MODEL_WIRE_AWS_FRAMES_H
#define AWL_MODEL_WIRE_AWS_FRAMES_H

#include "base/err.h"
#include "base/str.h"

/* One message. All views die when `emit` returns. */
struct aws_frame {
	/* The type of an event as it is ("chunk"); that of an exception or an error
	 * with its sort before it: "exception:throttlingException". This is the
	 * name that a decoder (wire.h) gets to see. */
	struct sv name;
	struct sv content_type; /* may be empty */
	struct sv payload;      /* of an error: its message */
};

/* Returning false, with `err` filled, ends the feed with that error. It must not
 * feed the decoder that calls it. */
typedef bool aws_frame_fn(void *arg, const struct aws_frame *frame, struct err *err);

struct aws_frames {
	size_t max;
	struct str pending; /* the start of an incomplete message */
	size_t need;        /* bytes of `pending` needed for the next step: the prelude, or all */
	struct str name;    /* room for the name of an exception */
	uint64_t at;        /* stream offset of the message being read */
};

/* Cannot fail. `max` caps the size of one message. */
void aws_frames_init(struct aws_frames *frames, size_t max);
void aws_frames_clear(struct aws_frames *frames);

/* Consumes all of `in`. Fails on a message that is malformed or does not fit its
 * checksums (ERR_PARSE) or is longer than `max` (ERR_TOO_BIG), naming the stream
 * offset at which it begins, or when `emit` does; then only aws_frames_clear()
 * is valid. */
must_use bool aws_frames_feed(struct aws_frames *frames, struct sv in, aws_frame_fn *emit,
			      void *arg, struct err *err);

/* Whether a message was begun and not ended: at the end of a stream, a cut. */
bool aws_frames_is_pending(const struct aws_frames *frames);

#endif
