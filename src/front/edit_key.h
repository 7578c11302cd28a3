/* edit_key.h - the keys that edit a line, as in a shell. */
#ifndef AWL_FRONT_EDIT_KEY_H
#define AWL_FRONT_EDIT_KEY_H

#include "term/editor/editor.h"
#include "term/key.h"

/* Does what a key of the line editor means, or types its text; false: it is neither. */
bool edit_key(struct editor *editor, const struct key *key);

#endif
