/* Leads the session out of its worktree. Whoever owns the session carries it out. */
#include "tool/builtins.h"

static bool exit_worktree_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	if (!services->worktrees || call->ctx->agent)
		return err_set(err, ERR_UNSUPPORTED,
			       "Only the main agent of a session can leave its worktree.");
	return services->worktrees->check_exit(services->arg, call, err);
}

/* To discard work is a question to the user. */
static void exit_worktree_perm_request(const struct tool_call *call,
				       __attribute__((unused)) struct arena *arena,
				       struct perm_request *out)
{
	out->access = json_bool_or(json_get(call->input, "discard_changes"), false) ? ACCESS_OTHER
										    : ACCESS_NONE;
}

static struct op *exit_worktree_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->worktrees->exit(services->arg, call, then);
}

const struct tool tool_exit_worktree = {
	.name = "ExitWorktree",
	.page = tool_exit_worktree_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"action\":{\"type\":\"string\",\"enum\":[\"keep\",\"remove\"]},"
			  "\"discard_changes\":{\"type\":\"boolean\",\"description\":\"Remove it "
			  "although changes would be lost\"}},"
			  "\"required\":[\"action\"],\"additionalProperties\":false}"),
	.deferred = true,
	.check = exit_worktree_check,
	.perm_request = exit_worktree_perm_request,
	.start = exit_worktree_start,
};
