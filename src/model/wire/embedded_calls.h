/* embedded_calls.h - private to src/model: tool calls that a model writes into its
 * text, because it is small or its server does not know its format.
 *
 *   <tool_call>{"name": .., "arguments": {..}}</tool_call>   Hermes, Qwen
 *   <|python_tag|>{"name": .., "parameters": {..}}           Llama
 *   [TOOL_CALLS][{"name": .., "arguments": {..}}]            Mistral
 *   {"name": .., "parameters": {..}}                         as the whole message,
 *                                                            bare or in a ``` fence
 *
 * Such a text is a call only if it names a tool that the request offers and is
 * valid JSON; a tag counts only at the start of a line (the two control tokens
 * anywhere but behind a backquote) and never inside a fenced block of code. All
 * else stays text, byte for byte.
 *
 * Text flows through at once but for what could be the start of a tag. From a tag
 * that looks like a call on, everything is held back until the end of the message:
 * only there is it known that no call came the proper way, which would otherwise
 * be run twice. What is held has a cap; over it, it is text. */
#ifndef AWL_MODEL_WIRE_EMBEDDED_CALLS_H
#define AWL_MODEL_WIRE_EMBEDDED_CALLS_H

#include "model/wire/wire.h"

enum embedded_place { EMBEDDED_TAGGED, EMBEDDED_SEQUENCE, EMBEDDED_LIST };

struct embedded_calls {
	const struct model_request *request; /* borrowed */
	VEC(struct sv) names; /* of the offered tools, as JSON strings; read when needed */
	bool off;             /* no tools, a proper call came, or too much was held */
	bool overflowed;      /* the last of these */
	struct str pending;
	bool holding; /* to the end; else `held` is but the start of a tag */
	bool vetted;  /* what is held begins like a call of an offered tool */

	/* Of the text before: */
	bool begun; /* it is not all white space */
	char before;
	bool line_blank; /* the present line has nothing but white space */
	int ticks;       /* backquotes at the start of that line; -1: it starts otherwise */
	bool in_fence;

	/* While the end is read: */
	size_t at;
	enum embedded_place place; /* what `at` is in */
	struct json_pool pool;
};

/* Borrows the request. */
void embedded_calls_init(struct embedded_calls *e, const struct model_request *request);
void embedded_calls_clear(struct embedded_calls *e);

/* Whether the piece is certainly text and nothing before it is held, as with nearly
 * all; then it has been taken note of. Else embedded_calls_feed() is for it. */
must_use bool embedded_calls_pass(struct embedded_calls *e, struct sv piece);

/* Appends to `out` what of the text so far is certainly text. */
void embedded_calls_feed(struct embedded_calls *e, struct sv piece, struct str *out);

/* A proper call has come: appends all that was held; from now on all is text. */
void embedded_calls_release(struct embedded_calls *e, struct str *out);

/* What was held to the end, part by part: a call, or text around one. */
struct embedded_part {
	struct sv text;  /* if it is no call */
	struct sv name;  /* empty: no call */
	struct sv input; /* an object's exact bytes, or a string that should hold one */
};

/* After the last piece: `while (embedded_calls_next(&e, &part))`. Views die with
 * the next call. */
bool embedded_calls_next(struct embedded_calls *e, struct embedded_part *part);

#endif
