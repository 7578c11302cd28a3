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
	bool skips_edits;            /* "diagnostics": false: nothing is checked after edits */
	bool runs_project; /* well-known, and may run programs of the project: build scripts, plugins */
};

/* Reads one entry, {command, args?, extensionToLanguage, env?, initializationOptions?, settings?, diagnostics?}, into `arena`. Fails on
 * an entry that makes no sense. */
must_use bool lsp_config_read(struct lsp_config *out, struct sv name, struct json entry,
			      struct arena *arena, struct err *err);

/* Finds a well-known server for the extension. It is looked for in absolute directories of PATH outside `root`, because a
 * repository must not bring its own. */
bool lsp_config_find(struct lsp_config *out, struct sv extension, const char *const *env,
		     struct sv root, struct arena *arena);

/* The language of a file with this extension; empty: it is not for this server. */
struct sv lsp_config_language(const struct lsp_config *config, struct sv extension);

/* "/a/b.c" -> ".c"; may be empty. */
struct sv lsp_extension(struct sv path);

#endif
