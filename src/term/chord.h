/* chord.h - key bindings: names of keys, sequences of them, and which action a sequence means.
 *
 * A binding belongs to a context, which the caller numbers; contexts are tried in the order the caller
 * gives. Later bindings of a sequence override earlier ones, and one to no action removes it. Pure. */
#ifndef AWL_TERM_CHORD_H
#define AWL_TERM_CHORD_H

#include "base/err.h"
#include "term/key.h"

enum { CHORD_KEYS = 4 }; /* in one sequence */

struct chords;

enum chord_result {
	CHORD_NONE,    /* the keys mean nothing */
	CHORD_PARTIAL, /* the beginning of a longer sequence */
	CHORD_ACTION,
};

struct chords *chords_new(void);
void chords_free(struct chords *chords);

/* Binds "ctrl+x ctrl+k" in a context; `action` 0 removes the binding. Fails if the sequence cannot be read. */
must_use bool chords_bind(struct chords *chords, unsigned context, struct sv keys, unsigned action,
			  struct err *err);
/* Feeds a key; `contexts` are those that are active, the innermost first. After CHORD_NONE and
 * CHORD_ACTION the next key begins a new sequence. */
enum chord_result chords_key(struct chords *chords, const unsigned *contexts, size_t n,
			     const struct key *key, unsigned *action);
/* Appends the keys bound to an action, the first of them; nothing if there are none. */
void chords_describe(const struct chords *chords, struct str *out, unsigned context,
		     unsigned action);

#endif
