/* What is asked before the session ends: whether commands in the background may be ended, and whether a worktree with work
 * that is nowhere else stays. */
#include "front/tui/tui_leave.h"

#include "front/display.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_read.h"

#define LEAVE_ID "tui-drop-worktree"
struct tui_leave {
	int status;          /* to end with */
	bool is_asked;       /* the worktree is looked at, or the user is asked about it */
	struct str worktree; /* that would stay */
	struct str title;    /* of the question */
};

enum { LEAVE_TASKS_WITHIN_MS = 10000, TASK_CELLS = 40 };

static void tui_leave_drop_worktree(struct tui *t, bool discards)
{
	const struct control_request request = { .kind = CONTROL_DROP_WORKTREE,
						 .id = SV(LEAVE_ID),
						 .drop_worktree = { .discards = discards } };
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &request);
	t->farewell->is_asked = true;
	if (!client_send(&t->client, sv_of(&json)))
		tui_leave(t, t->farewell->status);
}

static void tui_leave_chosen(struct tui *t, bool is_chosen, struct sv what)
{
	t->farewell->is_asked = false;
	if (sv_is(what, "remove") && is_chosen)
		tui_leave_drop_worktree(t, true);
	else if (sv_is(what, "keep") && is_chosen)
		tui_leave(t, t->farewell->status);
}

static void tui_leave_add_count(struct str *out, int64_t n, const char *what)
{
	if (n)
		str_addf(out, "%s%lld %s%s", out->len ? " and " : "", (long long)n, what,
			 n == 1 ? "" : "s");
}

static void tui_leave_choose(struct tui *t, const struct reply_worktree *worktree)
{
	defer(str_clear) struct str lost = STR_INIT;

	tui_leave_add_count(&lost, worktree->files, "changed file");
	tui_leave_add_count(&lost, worktree->commits, "new commit");
	str_truncate(&t->farewell->worktree, 0);
	str_addf(&t->farewell->worktree, "%.*s, on branch %.*s", SV_ARG(worktree->path),
		 SV_ARG(worktree->branch));
	str_truncate(&t->farewell->title, 0);
	str_addf(&t->farewell->title, "The worktree of this session has %s. Keep it?",
		 str_c(&lost));
	tui_list_open(t, str_c(&t->farewell->title), tui_leave_chosen);
	tui_list_add(t, SV("keep"), SV("Keep it"), sv_of(&t->farewell->worktree));
	tui_list_add(t, SV("remove"), SV("Remove it"), SV("its changes are lost"));
	tui_list_add(t, SV("stay"), SV("Stay"), SV("the session continues"));
	tui_redraw_now(t);
}

bool tui_leave_on_reply(struct tui *t, const struct control_reply *reply)
{
	struct reply_worktree worktree;

	if (!sv_is(reply->request_id, LEAVE_ID))
		return false;
	worktree = reply->kind == REPLY_VALUE ? reply_read_worktree(reply->value)
					      : (struct reply_worktree){ .files = 0 };
	if (!worktree.is_removed && (worktree.files || worktree.commits))
		tui_leave_choose(t, &worktree);
	else
		tui_leave(t, t->farewell->status);
	return true;
}

static void tui_leave_warn_of_tasks(struct tui *t)
{
	t->leave_until = tui_now(t) + LEAVE_TASKS_WITHIN_MS;
	str_truncate(&t->note, 0);
	display_line(&t->note, sv_of(&t->tasks.at[0].description), TASK_CELLS);
	if (t->tasks.n > 1)
		str_addf(&t->note, " and %zu more", t->tasks.n - 1);
	str_adds(&t->note, " would be ended. Press Ctrl-D again to leave.");
	tui_redraw_now(t);
}

void tui_ask_to_leave(struct tui *t, int status)
{
	if (client_is_remote(&t->client) || t->farewell->is_asked || tui_is_busy(t)) {
		tui_leave(t, status);
	} else if (t->tasks.n && tui_now(t) >= t->leave_until) {
		tui_leave_warn_of_tasks(t);
	} else {
		t->farewell->status = status;
		tui_leave_drop_worktree(t, false);
	}
}

void tui_leave_init(struct tui *t)
{
	t->farewell = xnew(struct tui_leave);
}

void tui_leave_free(struct tui *t)
{
	str_clear(&t->farewell->title);
	str_clear(&t->farewell->worktree);
	free(t->farewell);
}
