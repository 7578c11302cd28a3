/* What EnterWorktree and ExitWorktree do to the session. */
#include "core/worktree/session_worktree.h"
#include "store/git/git.h"
#include "sys/fs.h"

/* A call that waits for git or hooks. */
struct worktree_call {
	struct op op;
	struct op *step;
	struct session *s;
	struct tool_call *call;
	struct git_worktree tree; /* that is made, or was left */
	struct git_worktree_loss loss;
};

static void worktree_call_cancel(struct op *op)
{
	op_cancel(container_of(op, struct worktree_call, op)->step);
}

static void worktree_call_free(struct op *op)
{
	struct worktree_call *c = container_of(op, struct worktree_call, op);

	git_worktree_clear(&c->tree);
	free(c);
}

static const struct op_type worktree_call_type = { .name = "worktree call",
						   .cancel = worktree_call_cancel,
						   .free = worktree_call_free };

static struct worktree_call *worktree_call_new(struct session *s, struct tool_call *call,
					       struct then then)
{
	struct worktree_call *c = xnew(struct worktree_call);

	op_init(&c->op, &worktree_call_type, s->engine->loop, then);
	c->s = s;
	c->call = call;
	c->tree = GIT_WORKTREE_INIT;
	return c;
}

static struct sv worktree_call_text(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

/* --- entering ------------------------------------------------------------------------------------ */

static bool worktree_tools_check_enter(void *arg, const struct tool_call *call, struct err *err)
{
	const struct session *s = arg;
	struct sv name = worktree_call_text(call, "name");

	if (session_worktree_dir(s))
		return err_set(err, ERR_INVALID,
			       "The session is in the worktree %s already; leave it "
			       "with ExitWorktree first.",
			       session_worktree_dir(s));
	if (name.len && worktree_call_text(call, "path").len)
		return err_set(err, ERR_INVALID, "Give a name or a path, not both.");
	return !name.len || git_worktree_check_name(name, err);
}

/* Find a worktree of the repository that the session is in. */
static bool worktree_call_find(struct worktree_call *c, struct err *err)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str here = STR_INIT, first = STR_INIT;
	struct sv path = tool_real_path(c->call->ctx, worktree_call_text(c->call, "path"), &arena);

	if (!session_worktree_repository(c->s, &here))
		return err_set(err, ERR_NOT_FOUND, "this session is not in a git repository");
	if (!git_find_first(&first, arena_dup(&arena, path).ptr) ||
	    !sv_eq(sv_of(&first), sv_of(&here)))
		return err_set(err, ERR_INVALID, "%.*s is not a worktree of this repository",
			       SV_ARG(path));
	str_add(&c->tree.path, path);
	str_add(&c->tree.name, sv_basename(path));
	str_add(&c->tree.first, sv_of(&first));
	return true;
}

static void worktree_call_write_entered(struct worktree_call *c)
{
	const struct git_worktree *tree = &c->s->worktree->tree;
	struct worktree_state state = session_worktree_state(c->s);
	struct tool_result *result = &c->call->result;

	str_addf(&result->text, "The session now works in the worktree %s", str_c(&tree->path));
	if (tree->branch.len)
		str_addf(&result->text, ", on branch %s", str_c(&tree->branch));
	if (tree->base.len)
		str_addf(&result->text, ", which begins at commit %.12s", str_c(&tree->base));
	str_addf(&result->text, ".%s Files must be read again here before they are edited.",
		 tree->is_made ? "" : " It existed before.");
	worktree_entered_write(&result->data, &state, sv_of(&result->text));
}

static void worktree_call_enter(struct worktree_call *c)
{
	struct err err = ERR_INIT;

	if (session_worktree_enter(c->s, &c->tree, &err))
		worktree_call_write_entered(c);
	else
		tool_fail(&c->call->result, "The worktree could not be entered: %s", err.text);
}

static void worktree_call_on_made(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct worktree_call *c = owner;

	c->step = NULL;
	if (why)
		tool_fail(&c->call->result, "The worktree could not be created: %s", why->text);
	else
		worktree_call_enter(c);
	op_finish(&c->op, NULL);
}

static void worktree_call_on_settled(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct worktree_call *c = owner;

	c->step = NULL;
	op_finish(&c->op, why);
}

static struct op *worktree_tools_enter(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	struct worktree_call *c = worktree_call_new(s, call, then);
	defer(str_clear) struct str name = STR_INIT;
	struct err err = ERR_INIT;

	if (worktree_call_text(call, "path").len) {
		if (worktree_call_find(c, &err))
			worktree_call_enter(c);
		else
			tool_fail(&call->result, "The worktree could not be entered: %s", err.text);
	} else {
		str_add(&name, worktree_call_text(call, "name"));
		if (!name.len)
			session_worktree_choose_name(s, &name);
		c->step = worktree_make_start(s, sv_cstr(s->shared.root), sv_of(&name), &c->tree,
					      THEN(worktree_call_on_made, c), &err);
		if (!c->step)
			tool_fail(&call->result, "The worktree could not be created: %s", err.text);
	}
	if (!c->step)
		c->step = op_settled(s->engine->loop, THEN(worktree_call_on_settled, c));
	return &c->op;
}

/* --- leaving --------------------------------------------------------------------------------------- */

static bool worktree_tools_check_exit(void *arg, const struct tool_call *call, struct err *err)
{
	const struct session *s = arg;
	const struct git_worktree *tree = &s->worktree->tree;
	bool discards = json_bool_or(json_get(call->input, "discard_changes"), false);

	if (!tree->path.len)
		return err_set(err, ERR_INVALID, "The session is not in a worktree.");
	if (sv_is(worktree_call_text(call, "action"), "keep"))
		return true;
	if (!tree->is_made)
		return err_set(err, ERR_INVALID,
			       "This session did not create the worktree, so it does not "
			       "remove it: use action \"keep\".");
	if (!tree->first.len && !discards)
		return err_set(err, ERR_INVALID,
			       "A hook created the worktree, so awl cannot tell what would "
			       "be lost: set discard_changes if the user agrees.");
	return true;
}

static void worktree_call_write_left(struct worktree_call *c, bool removes)
{
	struct session *s = c->s;
	struct tool_result *result = &c->call->result;

	str_addf(&result->text, "The session is back in %.*s. The worktree %s %s.",
		 SV_ARG(agent_cwd(s->agent)), str_c(&c->tree.path),
		 removes ? "has been removed" : "was kept");
	if (c->tree.branch.len && !removes)
		str_addf(&result->text, " Its branch is %s.", str_c(&c->tree.branch));
	worktree_left_write(&result->data,
			    &(struct worktree_left){ .state = { .path = sv_of(&c->tree.path),
								.branch = sv_of(&c->tree.branch),
								.original = agent_cwd(s->agent) },
						     .removes = removes,
						     .files = c->loss.files,
						     .commits = c->loss.commits },
			    sv_of(&result->text));
}

static void worktree_call_leave(struct worktree_call *c, bool removes)
{
	const struct git_worktree *tree = &c->s->worktree->tree;
	struct err err = ERR_INIT;

	str_add(&c->tree.path, sv_of(&tree->path));
	str_add(&c->tree.branch, sv_of(&tree->branch));
	if (session_worktree_leave(c->s, &err))
		worktree_call_write_left(c, removes);
	else
		tool_fail(&c->call->result, "The worktree could not be left: %s", err.text);
}

static void worktree_call_on_dropped(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct worktree_call *c = owner;

	c->step = NULL;
	if (!why)
		worktree_call_leave(c, true);
	else if (why->kind == ERR_BUSY)
		tool_fail(&c->call->result,
			  "The worktree was not removed: %s. Commit or keep the work, or ask the "
			  "user and set "
			  "discard_changes.",
			  why->text);
	else
		tool_fail(&c->call->result, "The worktree was not removed: %s", why->text);
	op_finish(&c->op, NULL);
}

static struct op *worktree_tools_exit(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	struct worktree_call *c = worktree_call_new(s, call, then);
	bool discards = json_bool_or(json_get(call->input, "discard_changes"), false);

	if (sv_is(worktree_call_text(call, "action"), "remove")) {
		c->step = worktree_drop_start(s, &s->worktree->tree, discards, &c->loss,
					      THEN(worktree_call_on_dropped, c));
		return &c->op;
	}
	worktree_call_leave(c, false);
	c->step = op_settled(s->engine->loop, THEN(worktree_call_on_settled, c));
	return &c->op;
}

const struct tool_worktrees session_worktree_tools = {
	.check_enter = worktree_tools_check_enter,
	.enter = worktree_tools_enter,
	.check_exit = worktree_tools_check_exit,
	.exit = worktree_tools_exit,
};
