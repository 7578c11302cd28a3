/* plain_wrap.h - text that arrives in pieces, with its lines broken between words.
 *
 * A word is held back until it is complete, since only then it is known whether it fits. Lines of code, between fences, stay as
 * they are, and so does a word that is longer than a line.
 *
 * Pure. */
#ifndef AWL_FRONT_PLAIN_WRAP_H
#define AWL_FRONT_PLAIN_WRAP_H

#include "base/str.h"

/* A zeroed one is at the beginning of a line. */
struct plain_wrap {
	size_t column;   /* where the cursor is */
	size_t blanks;   /* before the word that is held back */
	struct str word; /* that */
	bool is_inside;  /* a line has begun */
	bool is_code;    /* between fences */
};

void plain_wrap_clear(struct plain_wrap *wrap);
/* Appends what can be shown by now. */
void plain_wrap_add(struct plain_wrap *wrap, struct sv text, size_t columns, struct str *out);
/* The text is complete: appends the rest. What follows begins a line. */
void plain_wrap_end(struct plain_wrap *wrap, size_t columns, struct str *out);

#endif
