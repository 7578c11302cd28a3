/* lsp_call.h - what a call of the tool LSP asks. */
#ifndef AWL_TOOL_LSP_LSP_CALL_H
#define AWL_TOOL_LSP_LSP_CALL_H

#include "tool/tool.h"

/* Borrows from the input. */
struct lsp_call {
	struct sv operation, path; /* the path as it is written */
	int64_t line, character;   /* from 1; 0: not given */
	struct sv query;           /* may be empty */
};

struct lsp_call lsp_call_read(const struct tool_call *call);

#endif
