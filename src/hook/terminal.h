/* terminal.h - private to src/hook: the escape sequences that a hook may send to the user's terminal,
 * which it does not have itself. Pure. */
#ifndef AWL_HOOK_TERMINAL_H
#define AWL_HOOK_TERMINAL_H

#include "base/str.h"

/* Appends the sequences that set a title or notify (OSC 0, 1, 2, 9, 99 and 777, complete and without
 * control characters) and bells; drops everything else. At most 4 KiB of `text` count. */
void hook_terminal_filter(struct str *out, struct sv text);

#endif
