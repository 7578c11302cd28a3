/* sed_edit.h - private to src/tool: `sed -i` of one file, whose change the user sees before it is made. The preview runs
 * sed itself, printing instead of writing. What was shown is then written as it is: sed does not run again, so neither
 * the time between nor another sed can make something else of it. */
#ifndef AWL_TOOL_SHELL_SED_EDIT_H
#define AWL_TOOL_SHELL_SED_EDIT_H

#include "tool/tool.h"

/* Fills in call->change and result.data. Fails the call if its command is something else, and if sed complains. */
struct op *sed_edit_preview(struct tool_call *call, struct then then);
/* Writes call->change, unless the file contains something else by now. */
struct op *sed_edit_write(struct tool_call *call, struct then then);

#endif
