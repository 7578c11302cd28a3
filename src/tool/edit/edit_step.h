/* edit_step.h - private to src/tool: one replacement as the model asked for it, for
 * Edit, which makes one, and MultiEdit, which makes several. On bytes in memory; the
 * refusals are written for the model. */
#ifndef AWL_TOOL_EDIT_EDIT_STEP_H
#define AWL_TOOL_EDIT_EDIT_STEP_H

#include "tool/edit/edit_match.h"
#include "tool/read/read_lines.h"
#include "tool/tool.h"

struct edit_step {
	struct sv old_text, new_text; /* old_text is not empty */
	bool all;                     /* every occurrence, not the only one */
};

/* From {old_string, new_string, replace_all}; borrows the input. */
struct edit_step edit_step_of(struct json input);

struct edit_done {
	enum edit_rung rung;
	size_t places;
};

/* Appends to `after` what `text`, the content of `path`, becomes. `shown` are the lines
 * of it that the model knows, and afterwards those of `after`. False, with both
 * untouched, when it has failed the call (tool_fail): the old text is nowhere, or in
 * several places, or in lines that are not known, or nothing would change, or the file
 * would be over LIMIT_EDIT_FILE. */
must_use bool edit_step(const struct edit_step *step, struct tool_result *result, const char *path,
			struct sv text, struct lines_seen *shown, struct str *after,
			struct edit_done *done);

/* A sentence, after a blank, about how the text was found if not as it was given;
 * else "". */
const char *edit_how_found(enum edit_rung rung);

/* Fails the call when the bytes are UTF-16: no old text is found in them, and a new one
 * would not be. */
must_use bool edit_is_possible(struct tool_result *result, const char *path, struct sv bytes);

#endif
