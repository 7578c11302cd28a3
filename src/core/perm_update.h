/* perm_update.h - changes to what is permitted, as hosts, hooks and users send them: rules
 * added, replaced or removed, directories, the mode; for this session or, in a settings
 * file, for good. */
#ifndef AWL_CORE_PERM_UPDATE_H
#define AWL_CORE_PERM_UPDATE_H

#include "core/session.h"

/* Applies an array of updates. What cannot be applied is left out and told in `notes`, a line
 * each; nothing can widen what a policy of the machine forbids, nor lead to mode
 * bypassPermissions where that may not be chosen. */
void perm_updates_apply(struct session *s, struct json updates, struct str *notes);

#endif
