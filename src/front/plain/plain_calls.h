/* plain_calls.h - what came of the calls, as lines: the same that the full screen shows, without its colours. */
#ifndef AWL_FRONT_PLAIN_CALLS_H
#define AWL_FRONT_PLAIN_CALLS_H

#include "base/vec.h"
#include "proto/message.h"

struct plain_call {
	struct str id, tool;
	struct json_doc *input;
};

/* Calls that have begun and have no result yet. */
struct plain_calls {
	VEC(struct plain_call) all;
};

void plain_calls_begin(struct plain_calls *calls, const struct block *block);
/* Appends the lines of a result that did not fail, and forgets the call. `data` is the result for programs. */
void plain_calls_end(struct plain_calls *calls, const struct block *result, struct json data,
		     struct sv cwd, struct str *out);
void plain_calls_clear(struct plain_calls *calls);

#endif
