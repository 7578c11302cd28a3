/* Asks a language server. Whoever owns the servers carries it out. */
#include "tool/builtins.h"
#include "tool/lsp/lsp_call.h"

enum { MAX_RESULT = 30000 };

struct lsp_call lsp_call_read(const struct tool_call *call)
{
	return (struct lsp_call){
		.operation = json_str_or(json_get(call->input, "operation"), SV_EMPTY),
		.path = json_str_or(json_get(call->input, "filePath"), SV_EMPTY),
		.line = json_int_or(json_get(call->input, "line"), 0),
		.character = json_int_or(json_get(call->input, "character"), 0),
		.query = json_str_or(json_get(call->input, "query"), SV_EMPTY),
	};
}

static bool lsp_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	if (!services->check_lsp)
		return err_set(err, ERR_UNSUPPORTED, "There are no language servers here.");
	return services->check_lsp(services->arg, call, err);
}

static void lsp_perm_request(const struct tool_call *call, struct arena *arena,
			     struct perm_request *out)
{
	out->access = ACCESS_READ;
	out->path = tool_real_path(call->ctx, lsp_call_read(call).path, arena);
}

static struct op *lsp_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->ask_lsp(services->arg, call, then);
}

const struct tool tool_lsp = {
	.name = "LSP",
	.page = tool_lsp_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"operation\":{\"type\":\"string\","
		"\"enum\":[\"goToDefinition\",\"findReferences\",\"hover\","
		"\"documentSymbol\",\"workspaceSymbol\",\"goToImplementation\","
		"\"prepareCallHierarchy\",\"incomingCalls\",\"outgoingCalls\","
		"\"diagnostics\"]},\"filePath\":{\"type\":\"string\"},"
		"\"line\":{\"type\":\"integer\"},\"character\":{\"type\":\"integer\"},"
		"\"query\":{\"type\":\"string\"}},"
		"\"required\":[\"operation\",\"filePath\"],\"additionalProperties\":false}"),
	.max_result = MAX_RESULT,
	.deferred = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = lsp_check,
	.perm_request = lsp_perm_request,
	.start = lsp_start,
};
