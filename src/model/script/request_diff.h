/* request_diff.h - private to src/model: describes briefly how a request differs from the recorded one.
 * Pure. */
#ifndef AWL_MODEL_SCRIPT_REQUEST_DIFF_H
#define AWL_MODEL_SCRIPT_REQUEST_DIFF_H

#include "base/str.h"

/* Appends one line about the first difference: its path in the JSON ("messages[2].content[0].text") or
 * its byte offset, and both values. Appends nothing if the bodies are equal. */
void request_difference(struct str *out, struct sv recorded, struct sv now);

/* Appends the first lines that differ in the style of `diff -u`, with one member per line and long
 * lines cut around the difference; at most about LIMIT_REPLAY_DIFF bytes. */
void request_diff(struct str *out, struct sv recorded, struct sv now);

#endif
