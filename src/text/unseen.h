/* unseen.h - characters that a model reads and no screen shows, by which a text can
 * say more to the one than to whoever looks at it. Pure. */
#ifndef AWL_TEXT_UNSEEN_H
#define AWL_TEXT_UNSEEN_H

#include "base/str.h"

/* Zero-width and direction marks, soft hyphens, annotation anchors, tags, controls but
 * for tab and line breaks. Joiners are not among them: emoji and many scripts need
 * them. */
bool unseen_is(uint32_t rune);

/* Appends `text` without them, as valid UTF-8: malformed parts become U+FFFD. */
void unseen_drop(struct str *out, struct sv text);

#endif
