/* config.h - which language servers there are: those of the setting "lspServers", and well-known ones on PATH for
 * the languages that no setting names. */
#ifndef AWL_LSP_CONFIG_H
#define AWL_LSP_CONFIG_H

#include "base/arena.h"
#include "mcp/config.h"
#include "text/json/json.h"

/* Files with this extension are in this language, as the protocol calls it. */
struct lsp_language {
	struct sv extension, id; /* ".c", "c" */
};

struct lsp_config {
	struct mcp_config run; /* the program */
	const struct lsp_language *languages;
	size_t nlanguages;
	struct sv options, settings; /* JSON; empty: none */
	const char *folder;          /* of the workspace; NULL: that of the project */
	int64_t start_ms;            /* 0: the default, as for the next */
	int max_starts;
	bool skips_edits; /* "diagnostics": false: nothing is checked after edits */
	bool runs_project; /* well-known, and may run programs of the project: build scripts, plugins */
};

/* What an entry may name. */
struct lsp_words {
	void (*expand)(void *arg, struct str *out,
		       struct sv text); /* appends a text with them replaced */
	void *arg;
};
/* Reads one entry, {command, args?, extensionToLanguage, env?, initializationOptions?, settings?, diagnostics?,
 * workspaceFolder?, startupTimeout?, restartOnCrash?, maxRestarts?}, into `arena`. Fails on an entry that makes no sense.
 * `words` may be NULL. */
must_use bool lsp_config_read(struct lsp_config *out, struct sv name, struct json entry,
			      const struct lsp_words *words, struct arena *arena, struct err *err);

/* Finds a well-known server for the extension. It is looked for in absolute directories of PATH outside `root`, because a
 * repository must not bring its own. */
bool lsp_config_find(struct lsp_config *out, struct sv extension, const char *const *env,
		     struct sv root, struct arena *arena);

/* The language of a file with this extension; empty: it is not for this server. */
struct sv lsp_config_language(const struct lsp_config *config, struct sv extension);

/* "/a/b.c" -> ".c"; may be empty. */
struct sv lsp_extension(struct sv path);

#endif
