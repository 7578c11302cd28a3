/* paste.h - pastes that are too long to be shown in the prompt. */
#ifndef AWL_FRONT_PASTE_H
#define AWL_FRONT_PASTE_H

#include "base/str.h"

/* Whether the prompt shows a placeholder instead of this text; `label` gets it. `note`: what else there is to say. */
bool paste_fold(struct str *label, struct sv text, size_t number, const char *note);

#endif
