/* cache_marks.h - private to src/model: places the prompt-cache breakpoints of a request. At most four
 * count, including those in the caller's own bytes. Marks go between slices of those bytes, which
 * stay unchanged. */
#ifndef AWL_MODEL_WIRE_CACHE_MARKS_H
#define AWL_MODEL_WIRE_CACHE_MARKS_H

#include "model/wire/wire.h"

/* A mark inside one JSON text: `before` goes in at offset `open` and `after` at
 * `close`. */
struct cache_mark {
	bool wanted;
	size_t open, close;
	struct sv before, after; /* literals */
};

struct cache_marks {
	size_t tool, tail, old_tail; /* indices in the request; SIZE_MAX: none */
	struct cache_mark tool_mark, tail_mark, old_tail_mark;
	struct sv system; /* for the end of the last system block; may be empty */
};

/* Plans no marks if the request turns caching off or the model does not support it. Fails if a tool or
 * message that needs a mark is not JSON. */
must_use bool cache_marks_plan(struct cache_marks *out, const struct model_request *request,
			       bool model_caches, struct err *err);

/* Appends `json` to the body, as slices, with its mark if one is wanted. */
void cache_marks_write(struct wire *out, struct sv json, const struct cache_mark *mark);

#endif
