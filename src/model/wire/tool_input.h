/* tool_input.h - private to src/model: the arguments of a tool call as models really write them.
 *
 * Pieces are passed on at once as long as they can be JSON. The rest is kept until the end and repaired
 * only where there is just one way to read it:
 *
 *   {"a": 1,}               a comma before the end of its container
 *   {"a": "two<LF>lines"}   a line break or tab as it is, in a string
 *   {"a": [1, 2             brackets missing at the very end, if the model ended
 *                           by itself and every value is whole
 *
 * Other mistakes are not repaired: the block then ends with {} and contains the text (see
 * MODEL_BLOCK_STOP), so that the call does not run and the model sees what it wrote. What was passed on
 * is never taken back. */
#ifndef AWL_MODEL_WIRE_TOOL_INPUT_H
#define AWL_MODEL_WIRE_TOOL_INPUT_H

#include "text/json/json_halves.h"
#include "text/json/json_partial.h"

struct tool_input {
	struct json_partial json;
	struct json_halves halves;
	size_t emitted;  /* of json.text: passed on */
	struct str rest; /* everything from the first byte on that cannot be JSON */
};

#define TOOL_INPUT_INIT                    \
	{                                  \
		.json = JSON_PARTIAL_INIT, \
	}

void tool_input_clear(struct tool_input *input);

/* Consumes `piece`. `*out` is what may be passed on; it borrows until the next
 * call. Fails (ERR_TOO_BIG) when more than LIMIT_JSON_DOC would have to be kept. */
must_use bool tool_input_feed(struct tool_input *input, struct sv piece, struct sv *out,
			      struct err *err);

/* Whether a complete JSON value has arrived, so that more text would be another one. */
bool tool_input_is_complete(const struct tool_input *input);

enum tool_input_end {
	TOOL_INPUT_SOUND, /* or nothing at all */
	TOOL_INPUT_MENDED,
	TOOL_INPUT_MALFORMED,
};

/* Appends to `out` what has not been passed on yet. `cut`: the model was stopped, so the rest is
 * unknown and missing brackets are not added. */
enum tool_input_end tool_input_end(const struct tool_input *input, bool cut, struct str *out);

#endif
