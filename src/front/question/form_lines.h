/* form_lines.h - the question of an MCP server where the user types lines: field by field, each with its default. */
#ifndef AWL_FRONT_QUESTION_FORM_LINES_H
#define AWL_FRONT_QUESTION_FORM_LINES_H

#include "front/question/dialog.h"

/* Appends who asks for what, before the first field, and the field that is next. */
void form_lines_add(struct str *out, const struct dialog *dialog);
/* Takes a line for that field; "/decline" and "/cancel" end the form at any time. The last line sends it. */
enum choice form_lines_take(struct dialog *dialog, struct sv line, const char **complaint);

#endif
