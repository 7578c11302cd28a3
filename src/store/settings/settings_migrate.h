/* settings_migrate.h - brings the user's settings up to date, once for each version of the steps.
 *
 * Models that were renamed get their new name, and keys that moved from ~/.claude.json into the
 * settings are copied there. A key that is set already stays as it is. All steps together are one
 * write of settings.json, and <config>/awl/migrated.json records the version, so that a second
 * start does nothing. ~/.claude.json itself belongs to another program and never changes. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_MIGRATE_H
#define AWL_STORE_SETTINGS_SETTINGS_MIGRATE_H

#include "store/settings/settings.h"

/* Runs the steps that are still missing. `files` needs `config_dir` and, for moved keys,
 * `global_file`. Appends one line about what has changed. Does nothing without a configuration
 * directory. If the settings cannot be changed, it tries again next time. */
void settings_migrate(const struct settings_opts *files, struct str *notes);

#endif
