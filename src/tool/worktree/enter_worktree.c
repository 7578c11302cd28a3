/* Moves the session into a worktree. Whoever owns the session carries it out. */
#include "tool/builtins.h"

static bool enter_worktree_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	if (!services->worktrees || call->ctx->agent)
		return err_set(err, ERR_UNSUPPORTED,
			       "Only the main agent of a session can enter a worktree.");
	return services->worktrees->check_enter(services->arg, call, err);
}

/* A new worktree changes nothing that is there. An existing one may be anywhere. */
static void enter_worktree_perm_request(const struct tool_call *call,
					__attribute__((unused)) struct arena *arena,
					struct perm_request *out)
{
	out->access = json_str_or(json_get(call->input, "path"), SV_EMPTY).len ? ACCESS_OTHER
									       : ACCESS_NONE;
}

static struct op *enter_worktree_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->worktrees->enter(services->arg, call, then);
}

const struct tool tool_enter_worktree = {
	.name = "EnterWorktree",
	.page = tool_enter_worktree_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"name\":{\"type\":\"string\",\"description\":\"Letters, digits, '.', "
			  "'_' and '-'; words may be separated by '/'\"},"
			  "\"path\":{\"type\":\"string\",\"description\":\"An existing worktree of "
			  "this repository\"}},\"additionalProperties\":false}"),
	.deferred = true,
	.check = enter_worktree_check,
	.perm_request = enter_worktree_perm_request,
	.start = enter_worktree_start,
};
