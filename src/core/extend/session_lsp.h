/* session_lsp.h - the language servers of a session. */
#ifndef AWL_CORE_EXTEND_SESSION_LSP_H
#define AWL_CORE_EXTEND_SESSION_LSP_H

#include "core/session/session.h"

struct session_lsp;

/* The services of the tool LSP; with `arg` as that of tool_services. */
bool session_lsp_check(void *arg, const struct tool_call *call, struct err *err);
struct op *session_lsp_ask(void *arg, struct tool_call *call, struct then then);
/* Files that calls have edited are checked by their language servers, if there are any. What is new reaches the model
 * with the results. */
void session_lsp_install(struct hook_points *points);
/* Ends the servers. */
void session_lsp_close(struct session *s);
bool session_lsp_is_quiet(const struct session *s);
/* Only when they are quiet. NULL is fine. */
void session_lsp_free(struct session_lsp *lsp);

#endif
