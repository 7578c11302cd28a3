/* after_edit.h - tells a language server that a file was changed, and waits until the server has said what is wrong in
 * it now. */
#ifndef AWL_LSP_AFTER_EDIT_H
#define AWL_LSP_AFTER_EDIT_H

#include "lsp/server.h"

/* Starts the server if it does not run. `server` is borrowed until done. Never waits long: done after some seconds at the
 * latest, and does not wait at all for a server that was not in time before. Fails if the server cannot be told. */
struct op *lsp_after_edit_start(struct loop *loop, struct lsp_server *server, struct sv path,
				struct then then);

#endif
