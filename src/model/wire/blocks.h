/* blocks.h - private to src/model: puts the pieces of an answer together and
 * emits them as events, the same for every wire format.
 *
 * A block begins as the exact JSON its provider sent; deltas are kept aside, and
 * at its end the block's JSON is that beginning with the grown member replaced in
 * place, so members we do not know stay as they were. Only the open blocks are in
 * memory, never the stream. */
#ifndef AWL_MODEL_WIRE_BLOCKS_H
#define AWL_MODEL_WIRE_BLOCKS_H

#include "model/wire/wire.h"

/* The start of a block of thinking that grows by deltas. */
#define BLOCKS_EMPTY_THINKING SV("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")

struct blocks;

/* `emit` gets BLOCK_START, TEXT, THINKING, SIGNATURE, INPUT and BLOCK_STOP. */
struct blocks *blocks_new(wire_event_fn *emit, void *arg);
void blocks_free(struct blocks *blocks);

/* Each fails (ERR_PROTOCOL, ERR_TOO_BIG, or ERR_PARSE about `json`) on an index
 * that was started already, is not open, or is beyond LIMIT_MODEL_BLOCKS, on a
 * delta that does not fit the block, and past LIMIT_MODEL_OPEN. `json` is an object
 * with a "type"; what it has of text, thinking, signature or input is told by
 * events like pieces. After a failure only blocks_free() is valid. */
must_use bool blocks_start(struct blocks *blocks, size_t index, struct sv json, struct err *err);
/* Half characters at the end of a piece wait for the next one. */
must_use bool blocks_text(struct blocks *blocks, size_t index, struct sv piece, struct err *err);
must_use bool blocks_thinking(struct blocks *blocks, size_t index, struct sv piece,
			      struct err *err);
must_use bool blocks_signature(struct blocks *blocks, size_t index, struct sv piece,
			       struct err *err);
/* A piece of the input's JSON text. */
must_use bool blocks_input(struct blocks *blocks, size_t index, struct sv piece, struct err *err);
/* One more element, a JSON value, for an array of the block: its citations. */
must_use bool blocks_append(struct blocks *blocks, size_t index, struct sv member, struct sv json,
			    struct err *err);
/* A piece of any member that is a string: of a block or a delta that is newer than
 * we are. Only text and thinking are told by events. */
must_use bool blocks_extend(struct blocks *blocks, size_t index, struct sv member, struct sv piece,
			    struct err *err);
/* Turns an open block of text that started empty into thinking; only its end shows that. */
must_use bool blocks_become_thinking(struct blocks *blocks, size_t index, struct err *err);
/* If a tool's input is not a JSON object, the event says so; see MODEL_BLOCK_STOP. */
must_use bool blocks_stop(struct blocks *blocks, size_t index, struct err *err);

/* How many are open; a stream must not end with any. */
size_t blocks_open(const struct blocks *blocks);
/* Whether any block was started at all. */
bool blocks_any(const struct blocks *blocks);

#endif
