/* message.h - the messages of a conversation as the bytes they travel as. A
 * message is {"role":..,"content":[block,..]}; once written it is only appended to. Front ends,
 * which get messages inside events, read their blocks here. */
#ifndef AWL_PROTO_MESSAGE_H
#define AWL_PROTO_MESSAGE_H

#include "base/str.h"
#include "proto/usage.h"

/* Texts in conversations that other programs look for. */
#define MESSAGE_INTERRUPTED       "[Request interrupted by user]"
#define MESSAGE_INTERRUPTED_TOOLS "[Request interrupted by user for tool use]"

/* The result of a call that the user said no to begins so; their words, if there are any, stand at its end. */
#define MESSAGE_DECLINED       "The user declined this call"
#define MESSAGE_DECLINED_WORDS "They said: "
/* The same for a plan. */
#define MESSAGE_PLAN_DECLINED "The user did not accept the plan"

/* Stands before the prompt that a shortened conversation continues with, word for word. */
#define MESSAGE_LATEST_REQUEST "The latest request of the user, word for word:"
/* In what an editing tool reports for programs: the file. */
#define MESSAGE_RESULT_FILE "filePath"

/* A slash command that was answered without a model, and its answer: the kind of such records, and
 * their texts, which are appended. */
#define MESSAGE_LOCAL_COMMAND "local_command"
void message_local_command(struct str *out, struct sv name, struct sv arguments);
void message_local_answer(struct str *out, struct sv answer);
/* A command that the user ran at the prompt, and its output: the same for the model. */
void message_bash_input(struct str *out, struct sv command);
void message_bash_output(struct str *out, struct sv text);
#define MESSAGE_BASH_INPUT "bash-input" /* the element around the command */

/* Each appends one block. */
void block_text(struct str *out, struct sv text);
struct block_result {
	struct sv id;
	struct sv text;   /* used unless there are */
	struct sv blocks; /* content blocks, a JSON array */
	bool is_error;
};
void block_tool_result(struct str *out, const struct block_result *result);

/* Appends a message with this one block, or with none if it is empty. */
void message_open(struct str *out, const char *role, struct sv block);
/* Adds a block at the end of an existing message. */
void message_add(struct str *message, struct sv block);

/* Appends an assistant message that the engine wrote itself, not a model: the answer of a command, or an error that ended
 * the turn. */
void message_synthetic(struct str *out, struct sv text, struct sv id, bool is_error);

/* Appends the blocks of a `content` value, a string or an array, joined by commas, and returns
 * how many. Any other value has none. */
size_t content_blocks(struct str *out, struct json content);
/* Appends those of `blocks`, joined by commas, that are not texts: images and documents. A comma
 * stands before each. */
void blocks_add_media(struct str *out, struct sv blocks);
/* Appends all text of a `content` value, blocks separated by empty lines. */
void content_text(struct str *out, struct json content);

/* --- reading ------------------------------------------------------------------- */

enum block_kind { BLOCK_TEXT, BLOCK_THINKING, BLOCK_TOOL_USE, BLOCK_TOOL_RESULT, BLOCK_OTHER };

/* Borrows from the document. */
struct block {
	enum block_kind kind;
	/* Of TEXT and THINKING; of TOOL_RESULT its text, or that of its first block. */
	struct sv text;
	struct json content; /* all of TOOL_RESULT: a string or blocks */
	struct sv id;        /* of the call, for TOOL_USE and TOOL_RESULT */
	struct sv tool;      /* name, for TOOL_USE */
	struct json input;   /* for TOOL_USE */
	bool is_error;       /* for TOOL_RESULT */
};

/* Visits the blocks of a message: it = message_blocks(m); while (message_next(&it, &block)). */
struct json_iter message_blocks(struct json message);
bool message_next(struct json_iter *it, struct block *out);
/* A string or an array of blocks. */
struct json message_content(struct json message);
/* Whether the engine wrote the message itself: see message_synthetic(). */
bool message_is_synthetic(struct json message);
/* What the response that a message is part of has used so far. */
void message_usage(struct usage_counts *out, struct json message);

/* The text that a stream event adds to a reply; empty for every other stream event. */
struct sv stream_text(struct json event);
struct sv stream_thinking(struct json event);

/* Events of the provider's stream that it did not send, because it was cut off: the end of the open
 * block, what the message has cost so far, and its end. Each is appended as a JSON object. */
void stream_write_block_stop(struct str *out, int64_t index);
void stream_write_delta(struct str *out, int64_t output_tokens);
void stream_write_stop(struct str *out);

#endif
