/* settings_exclude.h - private to settings*.c: keeping the local settings out of git. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_EXCLUDE_H
#define AWL_STORE_SETTINGS_SETTINGS_EXCLUDE_H

/* Adds .claude/settings.local.json to .git/info/exclude below `root`, a real path, unless
 * rules of the repository say of it whether git is to ignore it. Where .git is no directory (a work tree, a sub-module), where a
 * link is in the way, or where it cannot be written, nothing happens. */
void settings_exclude(const char *root);

#endif
