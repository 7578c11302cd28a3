/* patch_json.h - what a change did, for those who show it: the `structuredPatch`
 * of Edit and Write. */
#ifndef AWL_TOOL_EDIT_PATCH_JSON_H
#define AWL_TOOL_EDIT_PATCH_JSON_H

#include "text/json/json_write.h"

/* Writes the member structuredPatch: an array of hunks {oldStart, oldLines, newStart,
 * newLines, lines}, three lines of context, each line after its ' ', '-' or '+'. What
 * is over LIMIT_PATCH is left out, hunk by hunk; texts too big to compare have none.
 *
 * Then, if there is any to tell, the member awlWordDiff, awl's own: where lines replace others, what of them is
 * different, as an array of {hunk, oldLine, newLine, old, new}. The first three are
 * indices into the patch, its hunks and their lines; `old` and `new` are arrays of
 * [from, to), bytes of the line's UTF-8 after its mark. Lines that have nothing in
 * common, or are too long, have no entry, nor have those after LIMIT_PATCH_WORDS. */
void patch_json_put(struct jw *w, struct sv old_text, struct sv new_text);

/* Writes the text before a change; null when over LIMIT_ORIGINAL. */
void patch_json_original(struct jw *w, struct sv text);

#endif
