/* perm_update.h - applies the permission changes that hosts, hooks and users send: to rules,
 * directories and the mode, for this session or, in a settings file, for good. */
#ifndef AWL_CORE_POLICY_PERM_UPDATE_H
#define AWL_CORE_POLICY_PERM_UPDATE_H

#include "core/session/session.h"

/* Applies an array of changes. Each change that cannot be applied is skipped and explained in a
 * line of `notes`. No change can widen what managed settings deny, or set mode bypassPermissions
 * where the session may not use it. */
void perm_updates_apply(struct session *s, struct json updates, struct str *notes);

#endif
