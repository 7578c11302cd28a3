/* tag.h - what somebody else says, in a tag that tells the model who it is: "<agent-message from="x">...</agent-message>".
 * What is in it can neither end the tag nor begin another one that would speak for the user or somebody else. */
#ifndef AWL_TEXT_TAG_H
#define AWL_TEXT_TAG_H

#include "base/str.h"

/* Appends ` name="value"`, without characters that could end the attribute or its line. Appends nothing if the name is
 * not a word. */
void tag_add_attribute(struct str *out, struct sv name, struct sv value);
/* Appends text. Where a tag of this kind begins or ends in it, "<" becomes "&lt;". */
void tag_add_text(struct str *out, struct sv text);

#endif
