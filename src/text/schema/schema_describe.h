/* schema_describe.h - the wording of a schema report. All functions append to `out`, without
 * newlines, and shorten what a value or schema makes too long. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_DESCRIBE_H
#define AWL_TEXT_SCHEMA_SCHEMA_DESCRIBE_H

#include "text/schema/schema_node.h"

/* A place within the value, on the stack of the checker. */
struct schema_at {
	const struct schema_at *up; /* NULL: the value itself */
	bool is_item;
	struct sv key; /* of a member */
	size_t index;  /* of an item */
	size_t depth;
};

/* "`edits[2].old_string`", or "the input". */
void schema_describe_place(struct str *out, const struct schema_at *at);
/* "`a`, `b` and `c`": members of the object at `at`. */
void schema_describe_members(struct str *out, const struct schema_at *at, const struct sv *names,
			     size_t n);
/* "an integer from 0 to 600000": what the node requires of the value itself. */
void schema_describe_expected(struct str *out, const struct schema_node *node);
/* "the string "soon"". */
void schema_describe_found(struct str *out, struct json value);
/* "; did you mean `file_path`?" or "; known properties: `a` and `b`". */
void schema_describe_known(struct str *out, const struct schema_node *node, struct sv unknown);

#endif
