/* patch_json.h - what a change did, for those who show it: the `structuredPatch`
 * of Edit and Write. */
#ifndef AWL_TOOL_PATCH_JSON_H
#define AWL_TOOL_PATCH_JSON_H

#include "text/json_write.h"

/* Writes an array of hunks {oldStart, oldLines, newStart, newLines, lines}, three
 * lines of context, each line after its ' ', '-' or '+'. What is over LIMIT_PATCH
 * is left out, hunk by hunk; texts too big to compare have none. */
void patch_json(struct jw *w, struct sv old_text, struct sv new_text);

/* Writes the text before a change; null when over LIMIT_ORIGINAL. */
void patch_json_original(struct jw *w, struct sv text);

#endif
