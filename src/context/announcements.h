/* announcements.h - lines that a company shows to everybody who starts a session (the setting
 * "companyAnnouncements"). */
#ifndef AWL_CONTEXT_ANNOUNCEMENTS_H
#define AWL_CONTEXT_ANNOUNCEMENTS_H

#include "base/str.h"
#include "store/settings/settings.h"

/* Appends the visible text, line by line: a limited number of lines of limited length. */
void announcements_add(struct str *out, const struct settings *settings);

#endif
