/* query.h - one call of the tool LSP: starts the server if it does not run, tells it what is in the file, asks, and makes
 * a text of the answer. */
#ifndef AWL_LSP_QUERY_H
#define AWL_LSP_QUERY_H

#include "lsp/server.h"

struct lsp_query_opts {
	struct lsp_server *server; /* borrowed until done */
	struct sv operation, path; /* the path is absolute */
	int64_t line, character;   /* from 1 */
	struct sv query;           /* of workspaceSymbol; may be empty */
	struct sv root;            /* paths below it are shown relative */
};

/* Appends to `out`, which is borrowed. */
struct op *lsp_query_start(struct loop *loop, const struct lsp_query_opts *opts, struct str *out,
			   struct then then);

/* Whether there is an operation of this name, and whether it is about a place in the file. */
bool lsp_query_knows(struct sv operation, bool *needs_place);

#endif
