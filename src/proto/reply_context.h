/* reply_context.h - the answer to get_context_usage: what fills the window of the model. */
#ifndef AWL_PROTO_REPLY_CONTEXT_H
#define AWL_PROTO_REPLY_CONTEXT_H

#include "proto/reply.h"

/* Adds the members of the answer to an open object. */
void reply_context_write(struct jw *w, const struct reply_context *c);
/* Reads the totals and the files, up to `max`. False: the window is not known. */
bool reply_context_read(struct json value, struct reply_context *out,
			struct reply_memory_file *files, size_t max);

#endif
