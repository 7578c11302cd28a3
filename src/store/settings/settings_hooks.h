/* settings_hooks.h - checks the setting "hooks" entry by entry.
 *
 * {"<event>": [{"matcher": "...", "hooks": [{"type": "command", ...}]}]}: an event has groups,
 * and a group has handlers. A wrong entry is reported, and all others count. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_HOOKS_H
#define AWL_STORE_SETTINGS_SETTINGS_HOOKS_H

#include "base/err.h"
#include "text/json/json.h"

bool settings_hooks_know_event(struct sv name);
/* Whether hooks of this event guard tools: then a malformed entry is kept, so that the calls which it
 * would have checked can be denied. */
bool settings_hooks_guard(struct sv event);

/* Return whether a group, apart from its handlers, or a handler can be used. Otherwise the error
 * says why not. */
must_use bool settings_hooks_check_group(struct json group, struct err *err);
must_use bool settings_hooks_check_handler(struct json handler, struct err *err);

#endif
