/* announcements.h - what a company wants everybody to read who starts a session (the setting
 * "companyAnnouncements"). */
#ifndef AWL_CONTEXT_ANNOUNCEMENTS_H
#define AWL_CONTEXT_ANNOUNCEMENTS_H

#include "base/str.h"
#include "store/settings/settings.h"

/* Appends what can be seen of them, by lines: not very many, and none very long. */
void announcements_add(struct str *out, const struct settings *settings);

#endif
