/* request_diff.h - private to src/model: how a request differs from the recorded
 * one, short enough to show. Pure. */
#ifndef AWL_MODEL_SCRIPT_REQUEST_DIFF_H
#define AWL_MODEL_SCRIPT_REQUEST_DIFF_H

#include "base/str.h"

/* Appends one line that names the first difference: its place in the JSON
 * ("messages[2].content[0].text"), or its byte, and what stands there on both
 * sides. Nothing when the bodies are the same. */
void request_difference(struct str *out, struct sv recorded, struct sv now);

/* Appends the first lines that differ as `diff -u` shows them, the bodies set out
 * a member a line, long lines cut around the difference; at most about
 * LIMIT_REPLAY_DIFF bytes. */
void request_diff(struct str *out, struct sv recorded, struct sv now);

#endif
