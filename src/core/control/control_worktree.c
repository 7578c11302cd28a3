/* The control request that removes the worktree of a session when the user leaves. What would be lost with it is only
 * removed when the request says so. */
#include "core/control/control.h"
#include "core/worktree/session_worktree.h"

struct control_worktree {
	struct control_wait wait; /* first */
	struct git_worktree_loss loss;
	struct str path, branch;
	bool is_removed;
};

static void control_worktree_reply(struct control_wait *wait)
{
	struct control_worktree *c = (struct control_worktree *)wait;

	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_WORKTREE,
					      .worktree = { .path = sv_of(&c->path),
							    .branch = sv_of(&c->branch),
							    .is_removed = c->is_removed,
							    .files = c->loss.files,
							    .commits = c->loss.commits } });
}

static void control_worktree_free(struct control_wait *wait)
{
	struct control_worktree *c = (struct control_worktree *)wait;

	str_clear(&c->path);
	str_clear(&c->branch);
	free(c);
}

static const struct control_wait_type dropping = { .reply = control_worktree_reply,
						   .free = control_worktree_free };

/* That something would be lost is an answer, not a failure. */
static void control_worktree_on_dropped(struct op *op, void *owner, const struct err *why)
{
	struct control_worktree *c = owner;
	struct session *s = c->wait.session;
	struct err err = ERR_INIT;

	s->worktree->op = NULL;
	c->is_removed = !why && session_worktree_leave(s, &err);
	if (!why && !c->is_removed)
		why = &err;
	else if (why && why->kind == ERR_BUSY)
		why = NULL;
	control_wait_on_done(op, owner, why);
	if (!session_is_closed(s))
		session_continue(s);
}

void control_drop_worktree(struct session *s, const struct control_request *request)
{
	const struct git_worktree *tree = &s->worktree->tree;
	struct control_worktree *c;

	if (s->state == SESSION_TURN || session_worktree_bars(s)) {
		control_refuse(s, request->id, NULL,
			       SV("the session is busy; wait until it is idle"));
		return;
	}
	if (!worktree_can_be_cleaned(tree)) {
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_WORKTREE });
		return;
	}
	c = xnew(struct control_worktree);
	control_wait_init(&c->wait, s, request->id, &dropping);
	str_add(&c->path, sv_of(&tree->path));
	str_add(&c->branch, sv_of(&tree->branch));
	c->wait.op = worktree_drop_start(s, tree, request->drop_worktree.discards, &c->loss,
					 THEN(control_worktree_on_dropped, c));
	s->worktree->op = c->wait.op; /* no turn begins meanwhile */
}
