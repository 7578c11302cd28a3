/* openai_parts.h - private to src/model: reads the messages of a request, which are in Anthropic
 * format, as the parts that both OpenAI formats consist of: texts, images, files, calls, results. */
#ifndef AWL_MODEL_WIRE_OPENAI_OPENAI_PARTS_H
#define AWL_MODEL_WIRE_OPENAI_OPENAI_PARTS_H

#include "model/wire/openai/openai_common.h"
#include "text/json/json_span.h"

/* One message; views and handles borrow from it and from `json`. */
struct openai_message {
	struct sv json;
	struct json_doc *doc;
	struct sv role;
	struct json content;
	struct sv text; /* all of the content, when that is a string */
	bool is_text;
};

/* Fails (ERR_PARSE, ERR_INVALID) unless it is an object with a role that we know and
 * a content that is a string or an array; then there is nothing to clear. */
must_use bool openai_message_read(struct openai_message *m, struct sv json, struct err *err);
void openai_message_clear(struct openai_message *m);

/* The blocks of a message in order, unless its content is a string:
 * `for (each = openai_blocks(&m); openai_blocks_next(&each, &block);)`. */
struct openai_block {
	struct json root;
	struct sv json, type;
};

struct openai_blocks {
	const struct openai_message *message;
	struct json_iter values;
	struct json_span_iter spans;
};

struct openai_blocks openai_blocks(const struct openai_message *m);
bool openai_blocks_next(struct openai_blocks *each, struct openai_block *block);

/* The exact JSON of a tool call's input. */
struct sv openai_block_input(const struct openai_block *block);

/* A part of a user message or a tool result. */
enum openai_part_kind { OPENAI_TEXT, OPENAI_IMAGE, OPENAI_FILE };

struct openai_part {
	enum openai_part_kind kind;
	struct sv text; /* or the URL of an image, or a file as a data: URL */
	struct sv name; /* of a file */
};

/* Views borrow from the messages and from `arena`. */
struct openai_parts {
	struct arena *arena;
	struct openai_notes *notes;
	bool can_images, can_files; /* else a text and a note say what is missing */
	VEC(struct openai_part) list;
};

void openai_parts_clear(struct openai_parts *parts);
void openai_parts_text(struct openai_parts *parts, struct sv text);
/* Adds a block that is not a tool call or result. A text replaces a block of an unknown type. */
void openai_parts_block(struct openai_parts *parts, struct json block);
/* The content of a result: a string or blocks. */
void openai_parts_content(struct openai_parts *parts, struct json content);

bool openai_parts_has(const struct openai_parts *parts, enum openai_part_kind kind);
/* Appends all texts, an empty line between them, `stand_in` for everything else. */
void openai_parts_join(const struct openai_parts *parts, const char *stand_in, struct str *out);

#endif
