/* approved.h - the rules that the user gave in awl, per settings file of a project.
 *
 * "Don't ask again", `awl config allow` and `/permissions` write a rule into a file of the project,
 * where other programs find it, too. Anybody may write to that file. So awl also notes in the
 * user's own data, <config>/awl/approved.json, which elements of it the user gave:
 *
 *   { "/src/app/.claude/settings.local.json": { "permissions.allow": ["Bash(make:*)"] } }
 *
 * As long as the user does not trust the file, only these elements of its lists take effect.
 * Removing a rule from the settings file is enough to end it. */
#ifndef AWL_STORE_APPROVED_H
#define AWL_STORE_APPROVED_H

#include "text/json/json.h"
#include "text/json/json_span.h"

/* Returns the approved elements of that settings file, an object of lists by dotted key; NULL: none
 * are recorded, or the record cannot be read. `config_dir` may be NULL. */
struct json_doc *approved_read(const char *config_dir, const char *file);
/* Returns whether this element of the list at `key` is approved. */
bool approved_has(const struct json_doc *approved, const char *key, struct json element);

/* Returns whether the elements of this list can be approved: allow rules and directories. */
bool approved_covers(struct json_steps steps);

/* Follows a change of the settings file that the user is about to make at `steps`. `json` is an
 * element to add or, with `removes`, to remove; or the whole list; or empty when the list is
 * removed. Elements that are no longer in the file lose their approval. Does nothing for other
 * keys. The caller holds the lock of config_lock.h. */
must_use bool approved_follow(const char *config_dir, const char *file, struct json_steps steps,
			      struct sv json, bool removes, struct err *err);

#endif
