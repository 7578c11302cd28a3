/* embedded_calls.h - private to src/model: tool calls that a model writes into its text, because it
 * is small or its server does not know its format.
 *
 *   <tool_call>{"name": .., "arguments": {..}}</tool_call>   Hermes, Qwen
 *   <|python_tag|>{"name": .., "parameters": {..}}           Llama
 *   [TOOL_CALLS][{"name": .., "arguments": {..}}]            Mistral
 *   {"name": .., "parameters": {..}}                         the whole message, bare or in a fence
 *   and the formats of embedded_markup.h
 *
 * Such a text is a call only if it names a tool that the request offers and is well-formed. A tag in
 * angle brackets counts only at the start of a line, a control token anywhere but after a backquote,
 * and neither inside a fenced block of code. Everything else stays text, byte for byte.
 *
 * Text flows through at once, except for what could be the start of a tag. From a tag that looks like
 * a call on, everything is withheld until the end of the message: only then is it certain that no
 * call came the proper way, which would otherwise run twice. There is a cap on the withheld text;
 * beyond it, everything is text. */
#ifndef AWL_MODEL_WIRE_OPENAI_EMBEDDED_CALLS_H
#define AWL_MODEL_WIRE_OPENAI_EMBEDDED_CALLS_H

#include "model/wire/text_place.h"
#include "model/wire/wire.h"

enum embedded_place { EMBEDDED_TAGGED, EMBEDDED_SEQUENCE, EMBEDDED_LIST, EMBEDDED_MARKUP };
enum embedded_match { EMBEDDED_NO, EMBEDDED_MAYBE, EMBEDDED_YES };

struct embedded_calls {
	const struct model_request *request; /* borrowed */
	struct arena arena;
	VEC(struct sv) names; /* of the offered tools; read when needed */
	bool off;             /* no tools, a proper call came, or too much text was withheld */
	bool overflowed;      /* the last of these */
	struct str pending;   /* the withheld text */
	bool holding;         /* until the end; else `pending` is only the start of a tag */
	bool vetted;          /* `pending` starts like a call of an offered tool */
	struct text_place text;

	/* While the end is read: */
	size_t at;
	enum embedded_place place; /* what `at` is in */
	struct json_pool pool;
	struct str input; /* of the last call, if its arguments were not JSON */
};

/* Borrows the request. */
void embedded_calls_init(struct embedded_calls *e, const struct model_request *request);
void embedded_calls_clear(struct embedded_calls *e);

/* Whether the piece is certainly text and nothing is pending, as is nearly always the case. Then
 * the piece counts as passed; otherwise it must go to embedded_calls_feed(). */
must_use bool embedded_calls_pass(struct embedded_calls *e, struct sv piece);

/* Appends to `out` what is certainly text. */
void embedded_calls_feed(struct embedded_calls *e, struct sv piece, struct str *out);

/* A proper call has arrived: appends the pending text; from now on everything is text. */
void embedded_calls_release(struct embedded_calls *e, struct str *out);

/* A part of the text that was withheld until the end: a call, thinking, or other text. */
struct embedded_part {
	struct sv text, thinking;
	struct sv name;  /* empty: not a call */
	struct sv input; /* an object's exact bytes, or a string that should hold one */
};

/* After the last piece: `while (embedded_calls_next(&e, &part))`. Views die with
 * the next call. */
bool embedded_calls_next(struct embedded_calls *e, struct embedded_part *part);

/* For embedded_markup.c: the JSON of the offered tool of that name, or SV_EMPTY; whether the name of
 * any offered tool begins with `start`; and the length of the JSON object that `text` starts with,
 * SIZE_MAX if it does not end. */
struct sv embedded_calls_tool(struct embedded_calls *e, struct sv name);
bool embedded_calls_may_name(struct embedded_calls *e, struct sv start);
size_t embedded_object_length(struct sv text);

#endif
