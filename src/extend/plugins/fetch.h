/* fetch.h - fetches a plugin or a marketplace into a directory: by git, by the npm client, or as an archive or a JSON
 * file over HTTP.
 *
 * The server is hostile. Programs get their arguments directly, never through a shell. git runs no hooks of the
 * repository, skips submodules, and uses only https and ssh, and files if `allows_local`. npm runs no scripts.
 * Nothing is used where it was fetched to: plugin_tree_copy() checks and copies it. */
#ifndef AWL_EXTEND_PLUGINS_FETCH_H
#define AWL_EXTEND_PLUGINS_FETCH_H

#include "extend/plugins/marketplace.h"
#include "sys/op.h"

struct http;

struct plugin_fetch {
	const struct plugin_source *source;
	const char *into;       /* a directory that does not exist yet */
	const char *const *env; /* NULL-terminated; NULL: ours */
	bool allows_local;      /* file:// and plain http, which the user typed */
	struct http *http;      /* for SOURCE_ARCHIVE, and SOURCE_URL of a marketplace */
	bool is_marketplace;
	int64_t deadline_ms;
	/* Of a git repository with tags "<tag_prefix>1.2.0", that of the newest version in all of these ranges (semver.h)
	 * is fetched. No ranges, or no such tags: what the source says. */
	const char *tag_prefix;
	const struct sv *ranges;
	size_t nranges;

	/* After success. */
	struct str dir;    /* where it is: `into`, or a directory in it */
	struct str sha;    /* the commit; empty: it is not from git */
	struct str digest; /* of an archive: its SHA-256 */

	/* Private. */
	struct arena arena;
	struct str body, tags;
	const char *tag; /* NULL: none was chosen */
};

/* Whether the source is fetched at all, rather than there already. */
bool plugin_fetch_is_needed(const struct plugin_source *source);
/* Borrows `fetch` until done; clear it in any case. Fails if the source cannot be fetched or does not match its pin;
 * `into` may exist then. */
struct op *plugin_fetch_start(struct loop *loop, struct plugin_fetch *fetch, struct then then);
void plugin_fetch_clear(struct plugin_fetch *fetch);

#endif
