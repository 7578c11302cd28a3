/* reply_read.h - reads the replies to control requests that front ends of our own send. The value is that of a
 * REPLY_VALUE, and everything read is borrowed from it. */
#ifndef AWL_PROTO_REPLY_READ_H
#define AWL_PROTO_REPLY_READ_H

#include "proto/reply.h"

/* Read the members of a list into `out`, at most `max`, and return how many there are. Malformed ones are left out. */
size_t reply_read_commands(struct json value, struct reply_command *out, size_t max);
size_t reply_read_models(struct json value, struct reply_model *out, size_t max);
size_t reply_read_suggestions(struct json value, struct sv *out, size_t max);
size_t reply_read_prompts(struct json value, struct reply_prompt *out, size_t max);
struct reply_worktree reply_read_worktree(struct json value);
/* Name, status, scope, error and address, and how many tools there are: not which. */
size_t reply_read_mcp_servers(struct json value, struct reply_mcp_server *out, size_t max);
/* A reply that is nothing but a text. */
struct sv reply_read_text(struct json value);
/* The answer to a side question. */
struct sv reply_read_answer(struct json value);
/* How full the context is, in percent. */
int64_t reply_read_percentage(struct json value);
struct reply_ran reply_read_ran(struct json value);

#endif
