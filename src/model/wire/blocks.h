/* blocks.h - private to src/model: assembles the blocks of a response from their pieces and emits
 * events, the same for every wire format.
 *
 * A block starts as the exact JSON that the provider sent. Deltas are collected separately. When the
 * block ends, its JSON is the initial one with the grown members replaced, so unknown members stay
 * intact. Only open blocks are kept in memory, never the stream. */
#ifndef AWL_MODEL_WIRE_BLOCKS_H
#define AWL_MODEL_WIRE_BLOCKS_H

#include "model/wire/wire.h"

/* The start of a block of thinking that grows by deltas. */
#define BLOCKS_EMPTY_THINKING SV("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")

struct blocks;

/* `emit` gets BLOCK_START, TEXT, THINKING, SIGNATURE, INPUT and BLOCK_STOP. */
struct blocks *blocks_new(wire_event_fn *emit, void *arg);
void blocks_free(struct blocks *blocks);

/* Each fails (ERR_PROTOCOL, ERR_TOO_BIG, or ERR_PARSE about `json`) on an index that was started
 * already, is not open, or is beyond LIMIT_MODEL_BLOCKS, on a delta that does not fit the block, and
 * past LIMIT_MODEL_OPEN. `json` is an object with a "type"; its text, thinking, signature and input
 * are emitted like pieces. After a failure only blocks_free() is valid. */
must_use bool blocks_start(struct blocks *blocks, size_t index, struct sv json, struct err *err);
/* Half a character at the end of a piece is kept until the next one. */
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
/* A piece of any string member, for unknown, newer blocks and deltas. Only text and thinking are
 * emitted. */
must_use bool blocks_extend(struct blocks *blocks, size_t index, struct sv member, struct sv piece,
			    struct err *err);
/* Turns an open block of text that started empty into thinking; only its end shows that. */
must_use bool blocks_become_thinking(struct blocks *blocks, size_t index, struct err *err);
/* If a tool's input is not a JSON object, the event says so; see MODEL_BLOCK_STOP. */
must_use bool blocks_stop(struct blocks *blocks, size_t index, struct err *err);

/* How many are open; a stream must not end with any. */
size_t blocks_open(const struct blocks *blocks);

#endif
