/* edit_step.h - private to src/tool: one replacement as the model requested it. Edit makes one,
 * MultiEdit several. Works on bytes in memory; its error messages are written for the model. */
#ifndef AWL_TOOL_EDIT_EDIT_STEP_H
#define AWL_TOOL_EDIT_EDIT_STEP_H

#include "tool/edit/edit_match.h"
#include "tool/read/read_lines.h"
#include "tool/tool.h"

struct edit_step {
	struct sv old_text, new_text; /* old_text is not empty */
	bool all;                     /* replace every occurrence instead of a unique one */
};

/* From {old_string, new_string, replace_all}; borrows the input. */
struct edit_step edit_step_of(struct json input);

struct edit_done {
	enum edit_rung rung;
	size_t places;
};

/* Appends the new content of `path` to `after`; `text` is the old one. `shown` are the lines of it
 * that the model knows, and afterwards those of `after`. Returns false, with both unchanged, if it has
 * failed the call (tool_fail()): the old text was not found, or is not unique, or is in lines that
 * the model does not know, or nothing would change, or the file would exceed LIMIT_EDIT_FILE. */
must_use bool edit_step(const struct edit_step *step, struct tool_result *result, const char *path,
			struct sv text, struct lines_seen *shown, struct str *after,
			struct edit_done *done);

/* If the match was not exact, a sentence that says how it was found, after a blank; else "". */
const char *edit_how_found(enum edit_rung rung);

/* Fails the call if the bytes are UTF-16: no old text can be found in them, and a new one would not be
 * UTF-16. */
must_use bool edit_is_possible(struct tool_result *result, const char *path, struct sv bytes);

#endif
