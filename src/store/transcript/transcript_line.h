/* transcript_line.h - the members of one transcript line, read without a full parse. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_LINE_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_LINE_H

#include "base/str.h"
#include "text/json/json_peek.h"

/* The message in a line. */
struct assistant_message {
	struct sv content; /* JSON; empty: none */
	struct sv id, model;
	struct sv usage; /* JSON; empty: none */
	bool has_calls;  /* has blocks for message_next_call() */
};

/* Views into the line: the JSON of each top-level member, empty if absent. Lines of side chains
 * are not needed, so they are read only in part. */
struct line {
	struct sv type, subtype, uuid, parent, logical_parent, session;
	struct sv side_chain, meta, api_error, transcript_only, virtual, compact_summary;
	struct sv message, cwd, permission_mode, slug, attachment, plan_content;
	struct sv branch, timestamp, compact_metadata;
	struct sv title, ai_title, summary, tag, agent_setting, todos; /* of notes */
	struct sv operation, content, queued; /* of queued prompts; `queued` is their id */
	struct assistant_message parsed;
};

/* Returns false when `text` is not an object or is visibly damaged. */
must_use bool line_read(struct line *out, struct sv text);
/* The same for a line of a side chain, as if it were of the main one. */
must_use bool line_read_side(struct line *out, struct sv text);

bool line_is(const struct line *line, const char *type);
/* Returns whether the line is a "user" or "assistant" record with an id and a message. */
bool line_is_message(const struct line *line);
/* Returns whether a message has no usable id, so that no other record can name it. */
bool line_has_bad_id(const struct line *line);
/* Returns whether the line names a parent in a way that cannot be read. */
bool line_has_bad_parent(const struct line *line);
bool line_is_boundary(const struct line *line);
static inline bool line_flag(struct sv value)
{
	return sv_eq(value, SV("true"));
}

/* Returns the id of a record as text; empty: not a usable id. */
struct sv line_id(struct sv value);
/* Appends the text of the JSON string `value`, or nothing if it is not a string. */
void line_text(struct str *out, struct sv value);

/* Returns whether the message is sent to the model. */
bool line_is_sent(const struct line *line);

/* Visits the tool calls of an assistant message, or the tool results of a user message: `for (p
 * = message_calls(..); message_next_call(&p, &id);)`. */
struct message_calls {
	struct peek blocks;
	const char *type, *id;
};
struct message_calls message_calls(const struct assistant_message *parsed, bool assistant);
bool message_next_call(struct message_calls *calls, struct sv *id);

#endif
