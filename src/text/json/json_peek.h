/* json_peek.h - a quick look at the outermost items of a JSON object or array.
 *
 * Only the outermost level is read with care; what is nested is skipped by its
 * quotes and brackets, most of it with memchr(), and no tree is built. So it is
 * fast enough to look at every line of a long transcript, and exact about text
 * that is JSON; about text that is not, it says so only when the damage shows on
 * the outside. */
#ifndef AWL_TEXT_JSON_JSON_PEEK_H
#define AWL_TEXT_JSON_JSON_PEEK_H

#include "base/str.h"

struct peek {
	struct sv text;
	size_t at;
	char close;  /* the bracket that ends it */
	bool any;    /* an item was seen */
	bool nested; /* more follows after the bracket */
	bool done;   /* all items were seen, and nothing follows that should not */
};

/* Borrows `text`; false when it is neither an object nor an array. */
must_use bool peek_begin(struct peek *p, struct sv text);

/* Gives the next item: `key` (in an object) without its quotes, escapes unread,
 * and `value` as JSON. False at the end, when `done` is set, or at damage. */
must_use bool peek_next(struct peek *p, struct sv *key, struct sv *value);

/* The same in two steps: to the value, and past it. In between, an object or array
 * can be entered and its items visited in place, so that it is read only once:
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
/* False unless `inner` is done. */
must_use bool peek_leave(struct peek *p, const struct peek *inner, struct sv *value);

/* The value of the last member `key` of an object; empty when there is none. */
struct sv peek_get(struct sv object, const char *key);

/* What a JSON string without escapes says; of anything else: empty. */
struct sv peek_plain(struct sv value);

#endif
