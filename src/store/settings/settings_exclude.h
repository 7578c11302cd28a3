/* settings_exclude.h - private to settings*.c: keeping the local settings out of git. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_EXCLUDE_H
#define AWL_STORE_SETTINGS_SETTINGS_EXCLUDE_H

/* Adds .claude/settings.local.json to .git/info/exclude below `root`, a real path, unless the
 * repository's rules already say whether git ignores the file. Does nothing where .git is not a
 * directory (a worktree, a submodule), where a link is in the way, or where the file cannot be
 * written. */
void settings_exclude(const char *root);

#endif
