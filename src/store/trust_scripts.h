/* trust_scripts.h - private to src/store: the files of a project that commands in its settings
 * or among its MCP servers run. Whoever vouches for a command vouches for what it runs, so that
 * is part of the content that trust is in.
 *
 * A command may run whatever it likes; what is found is what it names: words that are files
 * below the directory, as they are or after $CLAUDE_PROJECT_DIR. A bare word counts when it
 * looks like a script, so that a command may still be about package.json. Variables for
 * commands may name them, too (BASH_ENV, NODE_OPTIONS). */
#ifndef AWL_STORE_TRUST_SCRIPTS_H
#define AWL_STORE_TRUST_SCRIPTS_H

#include "text/digest.h"

/* Appends their paths, a line each, none twice; up to LIMIT_TRUST_SCRIPTS. `text` is that of
 * the file that has the commands; one that is no JSON has none. `dir` is real. */
void trust_find_scripts(struct str *out, struct sv text, const char *dir);

/* Of what is in those files now; beyond LIMIT_TRUST_READ, of their length and time. */
struct digest trust_digest_scripts(struct sv paths);

#endif
