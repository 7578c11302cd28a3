/* json_peek.h - a quick look at the outermost items of a JSON object or array.
 *
 * It parses only the outermost level. It skips nested values by their quotes and
 * brackets, mostly with memchr(), and builds no tree. So it is fast enough to examine
 * every line of a long transcript, and exact for text that is JSON. For other text, it
 * reports an error only when the damage shows at the outermost level. */
#ifndef AWL_TEXT_JSON_JSON_PEEK_H
#define AWL_TEXT_JSON_JSON_PEEK_H

#include "base/str.h"

struct peek {
	struct sv text;
	size_t at;
	char close;  /* the bracket that ends it */
	bool any;    /* an item was seen */
	bool nested; /* the container is nested: text may follow its closing bracket */
	bool done;   /* all items were seen, and nothing invalid follows */
};

/* Borrows `text`; false when it is neither an object nor an array. */
must_use bool peek_begin(struct peek *p, struct sv text);

/* Gives the next item: `key` (in an object) without its quotes and with escapes
 * undecoded, and `value` as JSON. Returns false at the end, when `done` is set, or at
 * damage. */
must_use bool peek_next(struct peek *p, struct sv *key, struct sv *value);

/* peek_next() in two steps: to the value, and past it. In between, the caller can enter
 * an object or array and visit its items in place, so that it is read only once:
 *
 *   while (peek_item(&p, &key))
 *           if (!peek_enter(&p, &inner))
 *                   ok = peek_skip(&p, &value);
 *           else {
 *                   while (peek_next(&inner, ...)) ...
 *                   ok = peek_leave(&p, &inner, &value);
 *           }
 */
must_use bool peek_item(struct peek *p, struct sv *key);
must_use bool peek_skip(struct peek *p, struct sv *value);
must_use bool peek_enter(const struct peek *p, struct peek *inner);
/* Returns false unless `inner` is done. */
must_use bool peek_leave(struct peek *p, const struct peek *inner, struct sv *value);

/* The value of the last member `key` of an object; empty when there is none. */
struct sv peek_get(struct sv object, const char *key);

/* The content of a JSON string without escapes; empty for anything else. */
struct sv peek_plain(struct sv value);

#endif
