/* dependency.h - the plugins that a plugin needs: "dependencies" of its manifest.
 *
 *   [ "audit-logger", { "name": "secrets", "version": "~2.1.0" }, { "name": "x", "marketplace": "other" } ]
 *
 * Pure. Texts borrow from the JSON. */
#ifndef AWL_EXTEND_PLUGINS_DEPENDENCY_H
#define AWL_EXTEND_PLUGINS_DEPENDENCY_H

#include "base/vec.h"
#include "text/json/json.h"

struct plugin_need {
	struct sv name;
	struct sv marketplace; /* empty: that of the plugin which needs it */
	struct sv range;       /* of versions (semver.h); empty: any */
};

typedef VEC(struct plugin_need) plugin_needs;

/* Appends the entries of a list. Those that make no sense are skipped with a note, which begins with `file`. */
void plugin_needs_read(plugin_needs *out, struct json list, const char *file, struct str *notes);
/* Whether a version can be used. One that is not a semantic version is only in an empty range. */
bool plugin_need_takes(const struct plugin_need *need, struct sv version);

#endif
