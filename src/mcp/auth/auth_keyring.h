/* auth_keyring.h - private to src/mcp: the secrets of an entry in the keyring of the desktop, through the program
 * secret-tool of libsecret. Secrets go to it on stdin, never as arguments. A keyring that is locked or whose bus hangs
 * costs KEYRING_MS, and then the tokens go to the file (auth_store.h).
 *
 * An entry whose secrets are in the keyring has their fingerprint in the file. So a process sees there that another one
 * has stored new tokens, and asks the keyring only then. */
#ifndef AWL_MCP_AUTH_AUTH_KEYRING_H
#define AWL_MCP_AUTH_AUTH_KEYRING_H

#include "mcp/auth/auth.h"
#include "mcp/auth/auth_store.h"

struct auth_keyring;

struct auth_keyring *auth_keyring_new(void);
void auth_keyring_free(struct auth_keyring *keyring);

/* Whether new tokens go there: there is a session bus, AWL_MCP_TOKENS is not "file", and no attempt to store has
 * failed in this process. */
bool auth_keyring_is_used(const struct mcp_auth_opts *opts);

/* Fills in the secrets of an entry that was read from the file, from `arena`. NULL: they are there already, or it has
 * none in the keyring. Never fails: without an answer the secrets stay empty, and a notice says why. */
struct op *auth_keyring_load_start(const struct mcp_auth_opts *opts, const char *key,
				   struct arena *arena, struct auth_entry *entry, struct then then);
/* Stores the secrets of the entry and sets entry->fingerprint. Never fails: when the keyring does not take them, the
 * fingerprint is empty, and a notice says why. */
struct op *auth_keyring_store_start(const struct mcp_auth_opts *opts, const char *key,
				    struct arena *arena, struct auth_entry *entry,
				    struct then then);
/* Removes the secrets. Never fails. */
struct op *auth_keyring_clear_start(const struct mcp_auth_opts *opts, const char *key,
				    struct then then);

#endif
