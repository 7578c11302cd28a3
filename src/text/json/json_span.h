/* json_span.h - JSON as text: where values lie in it, and edits that leave every
 * other byte as it was: white space, order, the spelling of numbers.
 *
 *   json_span_set(&settings, JSON_STEPS(SV("projects"), dir, SV("trusted")),
 *                 SV("true"), err)
 *
 * No tree is built. What json_parse() accepts without flags is accepted here, and
 * nothing else; errors are the same. Where a key repeats, the last member counts. */
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

/* The way from the root down to a value: keys in objects, in arrays indices in
 * decimal. Borrows everything. */
struct json_steps {
	const struct sv *at;
	size_t n;
};

#define JSON_STEPS(...)                                     \
	((struct json_steps){ (struct sv[]){ __VA_ARGS__ }, \
			      sizeof((struct sv[]){ __VA_ARGS__ }) / sizeof(struct sv) })

/* Checks all of `text`, and gives the span of its value. */
must_use bool json_span_root(struct sv text, struct json_span *out, struct err *err);

/* Gives the span of the value that `steps` lead to. Fails with ERR_NOT_FOUND when
 * there is none, and as json_span_root() when `text` is not JSON at all. */
must_use bool json_span_find(struct sv text, struct json_steps steps, struct json_span *out,
			     struct err *err);

/* Visits the elements or members of a container in order, checking as it goes:
 *
 *   if (!json_span_each(&it, text, JSON_SPAN_ALL(text), err))
 *           return false;
 *   while (json_span_next(&it, &item, err) && !it.done)
 *           use(item);
 *   return it.done;
 *
 * `span` is the whole text or a value found in it; anything but an object or an
 * array fails with ERR_INVALID. Borrows `text`. */
struct json_item {
	struct json_span key; /* with its quotes; empty in an array */
	struct json_span value;
};

struct json_span_iter {
	struct sv text; /* up to the end of the span */
	size_t at;
	char close;     /* the bracket that ends the container */
	bool any, done; /* an item was seen; all were, and nothing follows */
};

#define JSON_SPAN_ALL(text) ((struct json_span){ 0, (text).len })

must_use bool json_span_each(struct json_span_iter *it, struct sv text, struct json_span span,
			     struct err *err);
must_use bool json_span_next(struct json_span_iter *it, struct json_item *item, struct err *err);

/* Whether the key at `span`, escapes read, is `key`. */
bool json_span_key_is(struct sv text, struct json_span span, struct sv key);

/* Puts `value`, which is copied as it is, where `steps` lead: in the place of the
 * value there, or as a new last member or, by an index that is the length, last
 * element. Objects missing on the way are made. New members are set out like
 * their neighbours; an empty container, whose inner white space is not kept, is
 * set out like the one around it. Fails with ERR_NOT_FOUND past the end of an
 * array or inside a scalar; on any failure `text` is unchanged. */
must_use bool json_span_set(struct str *text, struct json_steps steps, struct sv value,
			    struct err *err);

/* Removes the element, or every member with the key, that `steps` (at least one)
 * lead to, with its comma. Fails with ERR_NOT_FOUND when there is none; on any
 * failure `text` is unchanged. */
must_use bool json_span_remove(struct str *text, struct json_steps steps, struct err *err);

#endif
