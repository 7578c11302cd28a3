/* places.h - where the user keeps what is awl's. */
#ifndef AWL_CLI_PLACES_H
#define AWL_CLI_PLACES_H

#include "base/str.h"

/* Appends $CLAUDE_CONFIG_DIR, or .claude in $HOME; false when neither is an absolute path (a
 * relative one would lie in whatever project we are in) or there is no such home. */
bool find_config_dir(struct str *out);
/* Appends .claude.json in $CLAUDE_CONFIG_DIR or in $HOME; false as above. */
bool find_global_file(struct str *out);

#endif
