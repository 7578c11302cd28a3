/* trust_scripts.h - private to src/store: finds the project files that are run by commands in
 * its settings or by its MCP servers. Trusting a command means trusting what it runs, so these
 * files are part of the trusted content.
 *
 * A command may run anything; this finds only what it names: words that are files below the
 * directory, directly or after $CLAUDE_PROJECT_DIR. A bare word counts when it looks like a
 * script, so a command can still mention package.json. Variables for commands (BASH_ENV,
 * NODE_OPTIONS) may name scripts too. */
#ifndef AWL_STORE_TRUST_SCRIPTS_H
#define AWL_STORE_TRUST_SCRIPTS_H

#include "text/digest.h"

/* Appends the paths, one per line, without duplicates, up to LIMIT_TRUST_SCRIPTS. `text` is the
 * content of the file with the commands; invalid JSON has none. `dir` is a real path. */
void trust_find_scripts(struct str *out, struct sv text, const char *dir);

/* Whether a command names a file by a relative name, and `work_dir`, where commands run, has one of that name
 * with other content than that in `dir`. Appends the name of the first. */
must_use bool trust_find_foreign_script(struct str *out, struct sv text, const char *dir,
					const char *work_dir);

/* Returns the digest of the current content of these files; for bytes beyond LIMIT_TRUST_READ,
 * of their size and modification time. */
struct digest trust_digest_scripts(struct sv paths);

#endif
