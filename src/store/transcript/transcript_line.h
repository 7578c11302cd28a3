/* transcript_line.h - what one line of a transcript says, without parsing it. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_LINE_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_LINE_H

#include "base/str.h"
#include "text/json/json_peek.h"

/* What the message in a line says. */
struct said {
	struct sv content; /* JSON; empty when there is none */
	struct sv id, model;
	bool has_calls; /* there are blocks for said_next_call() */
};

/* Views into the line: the JSON of a top-level member each, empty when it is not
 * there. Of a side chain's line, which nobody wants, not all is read. */
struct line {
	struct sv type, subtype, uuid, parent, logical_parent, session;
	struct sv side_chain, meta, api_error, transcript_only, virtual, compact_summary;
	struct sv message, cwd, permission_mode;
	struct sv title, summary, todos;      /* of notes */
	struct sv operation, content, queued; /* of prompts that wait; `queued` is their id */
	struct said said;
};

/* False when `text` is no object, or one that is visibly damaged. */
must_use bool line_read(struct line *out, struct sv text);

bool line_is(const struct line *line, const char *type);
/* "user" or "assistant", with an id and a message: something was said. */
bool line_is_said(const struct line *line);
bool line_is_boundary(const struct line *line);
static inline bool line_flag(struct sv value)
{
	return sv_eq(value, SV("true"));
}

/* A record's id as text; empty when it is none that could be followed. */
struct sv line_id(struct sv value);
/* Appends what the JSON string `value` says; nothing when it is none. */
void line_text(struct str *out, struct sv value);

/* Whether the model is to get what was said. */
bool line_is_sent(const struct line *line);

/* Visits the tool calls or, in what the user said, the results, if any:
 * `for (p = said_calls(..); said_next_call(&p, &id);)`. */
struct said_calls {
	struct peek blocks;
	const char *type, *id;
};
struct said_calls said_calls(const struct said *said, bool assistant);
bool said_next_call(struct said_calls *calls, struct sv *id);

#endif
