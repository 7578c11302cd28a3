/* message.h - the messages of a conversation as the bytes they travel as. A
 * message is {"role":..,"content":[block,..]}; once written it is never taken
 * apart again, only appended to. */
#ifndef AWL_PROTO_MESSAGE_H
#define AWL_PROTO_MESSAGE_H

#include "base/str.h"
#include "text/json/json.h"

/* Texts that stand in conversations and that other programs look for. */
#define MESSAGE_INTERRUPTED       "[Request interrupted by user]"
#define MESSAGE_INTERRUPTED_TOOLS "[Request interrupted by user for tool use]"

/* Each appends one block. */
void block_text(struct str *out, struct sv text);
struct block_result {
	struct sv id;
	struct sv text;   /* or */
	struct sv blocks; /* ... a JSON array of content blocks */
	bool is_error;
};
void block_tool_result(struct str *out, const struct block_result *result);

/* Appends a message with this one block, or none. */
void message_open(struct str *out, const char *role, struct sv block);
/* Puts a block at the end of a message that is there. */
void message_add(struct str *message, struct sv block);

/* Appends the assistant message that stands where no model has spoken. */
void message_synthetic(struct str *out, struct sv text, struct sv id);

/* Appends the blocks of a `content` value, a string or an array, joined by commas;
 * how many. Of anything else: none. */
size_t content_blocks(struct str *out, struct json content);
/* Appends all text of a `content` value, blocks separated by empty lines. */
void content_text(struct str *out, struct json content);

#endif
