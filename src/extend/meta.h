/* meta.h - values of front matter, read as tolerantly as their authors wrote them: a list may be a text
 * and a text a list, and YAML 1.1 had more words for true and false. Pure. */
#ifndef AWL_EXTEND_META_H
#define AWL_EXTEND_META_H

#include "base/arena.h"
#include "text/json/json.h"

/* Appends a scalar as it was written, or the items of a list with `between` between them. */
void meta_add_value(struct str *out, struct json value, const char *between);
/* The value of a key on one line, at most `max` bytes, in `arena`; empty: there is none. */
struct sv meta_line(struct json meta, const char *key, const char *between, size_t max,
		    struct arena *arena);
/* True and false, yes and no, on and off, 1 and 0. Returns false for anything else. */
bool meta_flag(struct json value, bool *out);

#endif
