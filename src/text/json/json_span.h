/* json_span.h - JSON as text: finds the position of values, and edits the text without
 * changing any other byte: white space, order and the spelling of numbers stay.
 *
 *   json_span_set(&settings, JSON_STEPS(SV("projects"), dir, SV("trusted")),
 *                 SV("true"), err)
 *
 * It builds no tree. It accepts exactly what json_parse() accepts without flags, and
 * reports the same errors. Where a key repeats, the last member counts. */
#ifndef AWL_TEXT_JSON_JSON_SPAN_H
#define AWL_TEXT_JSON_JSON_SPAN_H

#include "base/err.h"
#include "base/str.h"

/* The bytes [from, to) of a text: one value without the white space around it. */
struct json_span {
	size_t from, to;
};

static inline struct sv json_span_sv(struct sv text, struct json_span span)
{
	return sv_slice(text, span.from, span.to);
}

/* The path from the root to a value: keys in objects, decimal indices in arrays. Borrows
 * everything. */
struct json_steps {
	const struct sv *at;
	size_t n;
};

#define JSON_STEPS(...)                                     \
	((struct json_steps){ (struct sv[]){ __VA_ARGS__ }, \
			      sizeof((struct sv[]){ __VA_ARGS__ }) / sizeof(struct sv) })

/* Checks all of `text` and gives the span of its value. */
must_use bool json_span_root(struct sv text, struct json_span *out, struct err *err);

/* Gives the span of the value at `steps`. Fails with ERR_NOT_FOUND when there is none,
 * and as json_span_root() does when `text` is not JSON. */
must_use bool json_span_find(struct sv text, struct json_steps steps, struct json_span *out,
			     struct err *err);

/* Visits the elements or members of a container in order, and checks the text on the
 * way:
 *
 *   if (!json_span_each(&it, text, JSON_SPAN_ALL(text), err))
 *           return false;
 *   while (json_span_next(&it, &item, err) && !it.done)
 *           use(item);
 *   return it.done;
 *
 * `span` is the whole text or a value found in it; anything but an object or an array
 * fails with ERR_INVALID. Borrows `text`. */
struct json_item {
	struct json_span key; /* with its quotes; empty in an array */
	struct json_span value;
};

struct json_span_iter {
	struct sv text; /* ends where the span ends */
	size_t at;
	char close;     /* the bracket that ends the container */
	bool any, done; /* an item was seen; all were seen, and nothing follows */
};

#define JSON_SPAN_ALL(text) ((struct json_span){ 0, (text).len })

must_use bool json_span_each(struct json_span_iter *it, struct sv text, struct json_span span,
			     struct err *err);
must_use bool json_span_next(struct json_span_iter *it, struct json_item *item, struct err *err);

/* Whether the key at `span`, with its escapes decoded, is `key`. */
bool json_span_key_is(struct sv text, struct json_span span, struct sv key);

/* Puts `value`, which is copied unchanged, at `steps`: replaces the value there, or adds
 * a new last member or, when the index is the length, a new last element. Creates
 * missing objects on the way. New members follow the layout of their neighbours. An
 * empty container, whose inner white space is not kept, follows the layout of the one
 * around it. Fails with ERR_NOT_FOUND past the end of an array or inside a scalar; on
 * any failure `text` is unchanged. */
must_use bool json_span_set(struct str *text, struct json_steps steps, struct sv value,
			    struct err *err);

/* Removes the element, or every member with the key, at `steps` (at least one), with its
 * comma. Fails with ERR_NOT_FOUND when there is none; on any failure `text` is
 * unchanged. */
must_use bool json_span_remove(struct str *text, struct json_steps steps, struct err *err);

#endif
