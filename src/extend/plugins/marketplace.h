/* marketplace.h - lists of plugins, and where marketplaces and plugins come from.
 *
 *   { "name": "tools", "owner": { "name": "..." },
 *     "plugins": [ { "name": "formatter", "source": "./plugins/formatter" },
 *                  { "name": "linter", "source": { "source": "github", "repo": "owner/linter" } } ] }
 *
 * It is .claude-plugin/marketplace.json of a directory, or a JSON file by itself. Invalid entries, and further entries
 * of the same name, are skipped. */
#ifndef AWL_EXTEND_PLUGINS_MARKETPLACE_H
#define AWL_EXTEND_PLUGINS_MARKETPLACE_H

#include "extend/plugins/plugin.h"

struct jw;

enum plugin_source_kind {
	SOURCE_PATH,      /* in the marketplace */
	SOURCE_DIRECTORY, /* on this machine, like the next */
	SOURCE_FILE,
	SOURCE_GITHUB,
	SOURCE_GIT,
	SOURCE_GIT_SUBDIR,
	SOURCE_URL, /* a JSON file of a marketplace; of a plugin a git repository */
	SOURCE_NPM,
	SOURCE_ARCHIVE,
	SOURCE_KINDS,
};

/* Texts that are not given are empty. */
struct plugin_source {
	enum plugin_source_kind kind;
	struct sv path;     /* PATH, DIRECTORY, FILE; below the repository for GIT_SUBDIR */
	struct sv url;      /* GIT, GIT_SUBDIR, URL, ARCHIVE */
	struct sv repo;     /* GITHUB: "owner/name" */
	struct sv ref, sha; /* a branch or tag, and the commit that it must be */
	struct sv package, version, registry; /* NPM */
	struct sv sha256;                     /* ARCHIVE */
};

/* Reads the value of "source", a path or an object. Fails (ERR_INVALID) with the reason. Texts borrow from the JSON. */
must_use bool plugin_source_read(struct plugin_source *out, struct json value, struct err *err);
/* Reads a marketplace as a person types it: owner/repo, owner/repo#ref, an address, a directory, a file. Relative paths
 * begin at `cwd`. Texts are in `arena`. */
must_use bool plugin_source_parse(struct plugin_source *out, struct sv typed, const char *cwd,
				  struct arena *arena, struct err *err);
/* Writes it as known_marketplaces.json has it. */
void plugin_source_write(struct jw *w, const struct plugin_source *source);
/* Appends it for people: "github owner/repo". */
void plugin_source_describe(struct str *out, const struct plugin_source *source);
/* The address that git fetches from, in `arena`; empty: it is not fetched by git. */
struct sv plugin_source_address(const struct plugin_source *source, struct arena *arena);
/* Whether it is on this machine. */
bool plugin_source_is_local(const struct plugin_source *source);

struct marketplace {
	struct sv name, description, owner;
	struct sv plugin_root;  /* metadata.pluginRoot: where its paths begin; may be empty */
	const char *file;       /* the JSON */
	const char *dir;        /* the marketplace; NULL: it is only a file */
	struct json needs_from; /* the marketplaces of plugins that its plugins may need; a list */
	struct json plugins;    /* entries; marketplace_check() says which cannot be used */
};

/* Reads the marketplace in a directory or file. Its texts live as long as `set`. Fails, naming the file, if that cannot be read or has no usable name or list of plugins. */
must_use bool marketplace_read(struct marketplace *out, const char *location,
			       struct plugin_set *set, struct err *err);
/* Notes, a line each, entries that marketplace_find() does not return: those of a plugin, or of all if it is empty. */
void marketplace_check(const struct marketplace *m, struct sv plugin, struct str *notes);
/* The entry of a plugin; missing: none. */
struct json marketplace_find(const struct marketplace *m, struct sv plugin);
/* Whether an entry can be used: it has a valid name and a source. */
must_use bool marketplace_check_entry(struct json entry, struct err *err);

/* What the managed settings say about marketplaces. */
struct plugin_policy {
	struct json allowed; /* strictKnownMarketplaces; missing: all */
	struct json blocked; /* blockedMarketplaces */
};
/* Fails (ERR_ACCESS) if a marketplace from there may not be used. */
must_use bool plugin_policy_allows(const struct plugin_policy *policy,
				   const struct plugin_source *source, struct err *err);

#endif
