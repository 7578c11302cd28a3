/* The worktree of a sub-agent whose definition or call wants one (isolation: worktree). Without it the agent does not
 * begin: it would change the files of others. One in which nothing was done is removed. */
#include "core/policy/session_sandbox.h"
#include "core/subagents/subagent.h"
#include "core/worktree/worktree.h"
#include "perm/path/path.h"
#include "perm/perm.h"
#include "sys/fs.h"

struct op *subagent_worktree_start(struct subagent *a, struct then then, struct err *err)
{
	defer(str_clear) struct str name = STR_INIT;

	if (a->tree.path.len && fs_exists(str_c(&a->tree.path)))
		return op_settled(a->all->s->engine->loop, then);
	git_worktree_clear(&a->tree);
	str_addf(&name, "agent-%s", a->id);
	return worktree_make_start(a->all->s, agent_cwd(a->all->s->agent), sv_of(&name), &a->tree,
				   then, err);
}

/* One that is elsewhere becomes a working directory, for rules and sandbox. */
static bool subagent_worktree_admit(struct session *s, struct sv dir, struct err *err)
{
	for (size_t i = 0; i < s->policy.dirs.n; i++)
		if (path_is_inside(dir, s->policy.dirs.at[i]))
			return true;
	perm_add_session_dir(&s->policy, dir);
	return session_sandbox_renew(s, s->settings, &s->policy, err);
}

bool subagent_worktree_take(struct subagent *a, struct err *err)
{
	struct tool_context *ctx = agent_tool_context(a->agent);
	struct sv dir = sv_of(&a->tree.path);
	defer(str_clear) struct str before = STR_INIT;

	if (!subagent_worktree_admit(a->all->s, dir, err))
		return false;
	str_truncate(&a->context, 0);
	str_add(&before, agent_cwd(a->all->s->agent));
	str_set(&ctx->cwd, dir);
	str_set(&ctx->worktree, dir);
	ctx->is_isolated = true;
	str_addf(&a->context,
		 "You work in a git worktree of your own, %s: another checkout of the same "
		 "repository, with the same "
		 "files. Paths that you have been given may lead into the checkout of whoever "
		 "started you, %s; use the "
		 "same paths inside your worktree, and read a file again before you edit it. Your "
		 "changes stay in the "
		 "worktree and do not affect that checkout.",
		 str_c(&a->tree.path), str_c(&before));
	if (a->tree.branch.len)
		str_addf(&a->context, " Your branch is %s.", str_c(&a->tree.branch));
	str_addc(&a->context, '\n');
	return true;
}

bool subagent_worktree_owes(const struct subagent *a)
{
	return worktree_can_be_cleaned(&a->tree);
}

struct op *subagent_worktree_clean(struct subagent *a, struct then then)
{
	return worktree_drop_start(a->all->s, &a->tree, false, &a->loss, then);
}

void subagent_worktree_end(struct subagent *a, const struct err *why)
{
	if (!why) {
		git_worktree_clear(&a->tree);
		return;
	}
	str_addf(&a->result, "%s[Its work is in the worktree %s, on branch %s.]",
		 a->result.len ? "\n\n" : "", str_c(&a->tree.path), str_c(&a->tree.branch));
}
