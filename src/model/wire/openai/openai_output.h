/* openai_output.h - private to src/model: turns a response in an OpenAI format into blocks in the
 * Anthropic format, and their events.
 *
 * At most one block of text or thinking is open. Tool calls stay open beside it until they are closed
 * or the response ends, because servers may interleave them, and only the end shows whether the last
 * one was cut off.
 *
 * If thinking has to go back to the server, the signature of its block says how:
 *
 *   openai-chat:<field>         in the same message field: "reasoning_content", "reasoning" or
 *                               "thinking"
 *   openai-chat:<think>         in the text, between tags
 *   openai-chat-extra:<json>    other parts of the message: {"reasoning_details": [..],
 *                               "extra_content": {"<call id>": {..}}}
 *   openai-responses:<item>     as this reasoning item, verbatim
 *   openai-responses-text:<id>  as the content of a reasoning item */
#ifndef AWL_MODEL_WIRE_OPENAI_OPENAI_OUTPUT_H
#define AWL_MODEL_WIRE_OPENAI_OPENAI_OUTPUT_H

#include "model/wire/blocks.h"
#include "model/wire/openai/embedded_calls.h"
#include "model/wire/openai/openai_details.h"
#include "model/wire/raw_events.h"
#include "model/wire/think_tags.h"
#include "model/wire/tool_input.h"

#define OPENAI_SIGNED_FIELD "openai-chat:"
#define OPENAI_SIGNED_EXTRA "openai-chat-extra:"
#define OPENAI_THINK_TAG    "<think>"
#define OPENAI_SIGNED_ITEM  "openai-responses:"
#define OPENAI_SIGNED_TEXT  "openai-responses-text:"

struct openai_call {
	int64_t key;     /* the server's own index for it; -1: none */
	struct str sent; /* the server's own id for it; may be empty */
	struct str id;   /* of the block, unlike all others of the conversation */
	struct str name;
	bool started; /* it has its name, and is a block */
	bool closed;
	size_t index; /* of the block */
	struct tool_input input;
	struct str extra; /* JSON that the server wants back with the call; may be empty */
};

struct openai_output {
	const struct model_request *request; /* borrowed */
	struct raw_events raw;
	struct blocks *blocks;
	struct think_tags think;
	struct embedded_calls embedded;
	VEC(struct openai_call *) calls;
	size_t rest; /* bytes of their inputs that are not JSON */
	struct usage usage;
	bool started, refused;
	bool made_id, broke_id; /* a note about it was emitted */

	struct openai_details details;

	size_t next;           /* index of the next block */
	enum model_block open; /* TEXT or THINKING; OTHER: none is open */
	size_t open_index;
	struct sv signature;       /* of the open block of thinking; borrowed */
	struct str blank, text;    /* white space before a text; a piece of one */
	struct json_halves halves; /* of the text */
};

void openai_output_init(struct openai_output *a, const struct model_request *request,
			wire_event_fn *emit, void *arg);
void openai_output_clear(struct openai_output *a);

/* Emits MODEL_START, the first time only. */
void openai_output_start(struct openai_output *a, struct sv id, struct sv model);
void openai_output_note(struct openai_output *a, const char *fmt, ...) printf_like(2, 3);

/* All of these fail as described in blocks.h, or with ERR_PROTOCOL or ERR_TOO_BIG of their own; then
 * only openai_output_clear() is valid. Empty pieces are ignored. */
must_use bool openai_output_text(struct openai_output *a, struct sv piece, struct err *err);
must_use bool openai_output_refusal(struct openai_output *a, struct sv piece, struct err *err);
/* `signature` (may be empty) becomes that of the block these pieces make; it must live until
 * another block begins or the response ends. */
must_use bool openai_output_thinking(struct openai_output *a, struct sv piece, struct sv signature,
				     struct err *err);
/* Ends the open block of thinking with a signature; without one, adds an empty block for it. */
must_use bool openai_output_sign(struct openai_output *a, struct sv signature, struct err *err);

/* Adds a call. An empty id or name is not known yet, or never sent. The call lives as long as the
 * output. Returns NULL on failure. */
struct openai_call *openai_output_call(struct openai_output *a, int64_t key, struct sv id,
				       struct sv name, struct err *err);
/* Adds the id or name that a call was started without. */
must_use bool openai_output_name(struct openai_output *a, struct openai_call *call, struct sv id,
				 struct sv name, struct err *err);
must_use bool openai_output_input(struct openai_output *a, struct openai_call *call,
				  struct sv piece, struct err *err);
/* `cut`: the model was stopped, perhaps in the middle of the call. */
must_use bool openai_output_close(struct openai_output *a, struct openai_call *call, bool cut,
				  struct err *err);

/* Ends all open blocks and emits the usage and MODEL_STOP. `stop` is the server's reason: an end of the
 * turn becomes TOOL_USE exactly if there are calls, and REFUSAL if the model refused. `name` is the
 * name of a reason that is OTHER. */
must_use bool openai_output_end(struct openai_output *a, enum model_stop stop, struct sv name,
				struct err *err);

#endif
