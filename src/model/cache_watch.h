/* cache_watch.h - private to src/model: detects when a turn pays again for a prefix that the
 * previous turn had put into the prompt cache, and reports what changed.
 *
 * The watch keeps the last request of each conversation as one hash per part, never as bytes.
 * The source of the request and its first message identify a conversation. */
#ifndef AWL_MODEL_CACHE_WATCH_H
#define AWL_MODEL_CACHE_WATCH_H

#include "model/model.h"

struct cache_watch;

struct cache_watch *cache_watch_new(void);
void cache_watch_free(struct cache_watch *watch);

/* Call after each response. Compares it with the last one of the conversation and records it.
 * Returns true when the cached share fell unexpectedly; `why` then says which part of the prefix
 * changed first, or that none did. */
bool cache_watch_response(struct cache_watch *watch, const struct model_request *request,
			  const struct usage *usage, int64_t now_ms, struct str *why);

/* The messages of the conversation that begins with `first` are about to change: what was cached is not
 * expected to be found again. */
void cache_watch_forget(struct cache_watch *watch, enum model_source source, struct sv first);

#endif
