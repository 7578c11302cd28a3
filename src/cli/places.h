/* places.h - finds the user's configuration directory. */
#ifndef AWL_CLI_PLACES_H
#define AWL_CLI_PLACES_H

#include "base/str.h"

/* Appends $CLAUDE_CONFIG_DIR, or .claude in $HOME. Returns false if neither is an absolute
 * path (a relative one would be inside the current project), or if $HOME does not exist. */
bool find_config_dir(struct str *out);
/* Appends .claude.json in $CLAUDE_CONFIG_DIR or in $HOME; false as above. */
bool find_global_file(struct str *out);

#endif
