/* cache_watch.h - private to src/model: notices when a turn pays again for what
 * the turn before had put into the prompt cache, and says what changed.
 *
 * Of each conversation the last request is remembered as one hash a part, never
 * as bytes; a conversation is told from another by who asks and its first
 * message. */
#ifndef AWL_MODEL_CACHE_WATCH_H
#define AWL_MODEL_CACHE_WATCH_H

#include "model/model.h"

struct cache_watch;

struct cache_watch *cache_watch_new(void);
void cache_watch_free(struct cache_watch *watch);

/* After an answer: compares with the conversation's last one and remembers this
 * one. True when the cached share fell unexpectedly; `why` then says which part
 * of the prefix changed first, or that none did. */
bool cache_watch_answer(struct cache_watch *watch, const struct model_request *request,
			const struct usage *usage, int64_t now_ms, struct str *why);

#endif
