/* patch_json.h - describes a change for display: the `structuredPatch` of Edit and Write. */
#ifndef AWL_TOOL_EDIT_PATCH_JSON_H
#define AWL_TOOL_EDIT_PATCH_JSON_H

#include "text/json/json_write.h"

/* Writes the member structuredPatch: an array of hunks {oldStart, oldLines, newStart,
 * newLines, lines} with three lines of context; each line starts with ' ', '-' or '+'. Hunks
 * beyond LIMIT_PATCH are omitted; texts too big to compare have no hunks.
 *
 * Where lines replace others, the additional member awlWordDiff says which parts of them differ: an
 * array of {hunk, oldLine, newLine, old, new}. The first three are indices of hunks and of their
 * lines. `old` and `new` are arrays of [from, to), byte offsets in the line's UTF-8 after its mark.
 * Lines that have nothing in common or are too long have no entry, nor do lines beyond
 * LIMIT_PATCH_WORDS. */
void patch_json_put(struct jw *w, struct sv old_text, struct sv new_text);

/* Writes the text before a change; null if it is longer than LIMIT_ORIGINAL. */
void patch_json_original(struct jw *w, struct sv text);

#endif
