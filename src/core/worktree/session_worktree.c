#include "core/worktree/session_worktree.h"

#include "base/hash.h"
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/policy/policy.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_transcript.h"
#include "store/git/git.h"
#include "store/plans.h"
#include "sys/fs.h"

void session_worktree_open(struct session *s)
{
	s->worktree = xnew(struct session_worktree);
}

void session_worktree_free(struct session_worktree *w)
{
	if (!w)
		return;
	fs_unlock(w->lock);
	git_worktree_clear(&w->tree);
	git_worktree_clear(&w->made);
	str_clear(&w->original);
	str_clear(&w->failure);
	str_clear(&w->recorded);
	free(w);
}

const char *session_worktree_dir(const struct session *s)
{
	return s->worktree->tree.path.len ? str_c(&s->worktree->tree.path) : NULL;
}

void session_worktree_choose_name(struct session *s, struct str *out)
{
	plan_slug_choose(out, SV("/"), loop_rng(s->engine->loop));
}

/* --- moving --------------------------------------------------------------------------------------- */

/* Two sessions in one worktree would do to each other what worktrees prevent. */
static bool session_worktree_lock(struct session *s, const struct git_worktree *tree,
				  struct fs_lock **out, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	*out = NULL;
	if (!s->engine->config_dir)
		return true;
	str_addf(&path, "%s/awl/worktrees", s->engine->config_dir);
	if (!fs_mkdirs(str_c(&path), 0700, err))
		return false;
	str_addf(&path, "/%016llx.lock", (unsigned long long)hash_bytes(sv_of(&tree->path), 1));
	*out = fs_lock(str_c(&path), err);
	return *out || (err->kind == ERR_BUSY &&
			err_set(err, ERR_BUSY, "another session works in the worktree %s",
				str_c(&tree->path)));
}

/* Make `dir` the working directory, for rules and sandbox; NULL: the root of the session. */
static bool session_worktree_move(struct session *s, const char *dir, struct err *err)
{
	struct perm_policy policy = PERM_POLICY_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct policy_opts opts = { .settings = s->settings,
				    .home = s->engine->home,
				    .cwd = s->shared.root,
				    .dir = dir,
				    .config_root = s->shared.project,
				    .config_dir = s->engine->config_dir,
				    .env = s->engine->helper_env.at,
				    .mode = perm_mode_name(s->policy.mode) };

	if (!policy_renew(&policy, &s->policy, &opts, &notes, err) ||
	    !session_sandbox_renew(s, s->settings, &policy, err)) {
		perm_policy_clear(&policy);
		return false;
	}
	perm_policy_clear(&s->policy);
	s->policy = policy;
	return true;
}

static void session_worktree_go(struct session *s, struct sv cwd, struct sv worktree)
{
	struct tool_context *ctx = agent_tool_context(s->agent);

	str_set(&ctx->cwd, cwd);
	str_set(&ctx->worktree, worktree);
	hooks_check_cwd(s);
	s->worktree->owes_record = true;
	session_worktree_record(s);
}

bool session_worktree_enter(struct session *s, struct git_worktree *tree, struct err *err)
{
	struct session_worktree *w = s->worktree;
	struct fs_lock *lock = NULL;

	if (!session_worktree_lock(s, tree, &lock, err))
		return false;
	if (!session_worktree_move(s, str_c(&tree->path), err)) {
		fs_unlock(lock);
		return false;
	}
	w->lock = lock;
	w->tree = *tree;
	*tree = GIT_WORKTREE_INIT;
	str_set(&w->original, agent_cwd(s->agent));
	session_worktree_go(s, sv_of(&w->tree.path), sv_of(&w->tree.path));
	return true;
}

bool session_worktree_leave(struct session *s, struct err *err)
{
	struct session_worktree *w = s->worktree;

	if (!session_worktree_move(s, NULL, err))
		return false;
	fs_unlock(w->lock);
	w->lock = NULL;
	git_worktree_clear(&w->tree);
	session_worktree_go(s, sv_of(&w->original), SV_EMPTY);
	return true;
}

/* --- the record ------------------------------------------------------------------------------------ */

struct worktree_state session_worktree_state(const struct session *s)
{
	const struct git_worktree *tree = &s->worktree->tree;

	return (struct worktree_state){ .path = sv_of(&tree->path),
					.name = sv_of(&tree->name),
					.branch = sv_of(&tree->branch),
					.base = sv_of(&tree->base),
					.repository = sv_of(&tree->first),
					.original = sv_of(&s->worktree->original),
					.is_made = tree->is_made,
					.has_branch = tree->has_branch };
}

/* A session without a prompt has no transcript yet. */
void session_worktree_record(struct session *s)
{
	struct session_worktree *w = s->worktree;
	struct conversation *c = &s->conversation;
	defer(str_clear) struct str note = STR_INIT;
	struct worktree_state state = session_worktree_state(s);
	struct err err = ERR_INIT;

	if (!w->owes_record || !c->transcript || c->is_broken || !fs_exists(c->path))
		return;
	w->owes_record = false;
	worktree_state_write(&note, &state, sv_cstr(c->id.text));
	if (transcript_note(c->transcript, sv_of(&note), &err))
		c->owes_sync = true;
	else
		session_report_unsaved(s, &err);
}

bool session_worktree_repository(const struct session *s, struct str *first)
{
	defer(str_clear) struct str top = STR_INIT;

	if (!git_find(&top, s->shared.root))
		return false;
	if (!git_find_first(first, str_c(&top)))
		str_add(first, sv_of(&top));
	return true;
}

/* Transcripts are copied, so a record of somebody else must not do harm: it is believed only if git knows the
 * worktree as one of this repository, or if a hook makes worktrees here. What is removed has to look like ours. */
static bool session_worktree_find(const struct session *s, struct git_worktree *out,
				  const struct worktree_state *state)
{
	defer(str_clear) struct str here = STR_INIT, first = STR_INIT;

	str_add(&out->path, state->path);
	str_add(&out->name, state->name);
	str_add(&out->branch, state->branch);
	str_add(&out->base, state->base);
	if (!state->repository.len && hooks_has(s->handlers->engine, HOOK_WORKTREE_CREATE)) {
		out->is_made = state->is_made;
		return fs_exists(str_c(&out->path));
	}
	if (!session_worktree_repository(s, &here) || !git_find_first(&first, str_c(&out->path)) ||
	    !sv_eq(sv_of(&here), sv_of(&first)))
		return false;
	str_add(&out->first, sv_of(&first));
	out->is_made = state->is_made && git_worktree_may_be_ours(out);
	out->has_branch = out->is_made && state->has_branch;
	return true;
}

void session_worktree_restore(struct session *s)
{
	struct sv json = sv_of(&s->worktree->recorded);
	struct git_worktree tree = GIT_WORKTREE_INIT;
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json.len ? json_parse(json, 0, &err) : NULL;
	struct worktree_state state = worktree_state_read(json_root(doc));

	if (!state.path.len)
		return;
	if (!session_worktree_find(s, &tree, &state))
		str_addf(&note, "The worktree of this session, %.*s, no longer exists.",
			 SV_ARG(state.path));
	else if (!session_worktree_enter(s, &tree, &err))
		str_addf(&note, "The session cannot return to its worktree: %s.", err.text);
	git_worktree_clear(&tree);
	if (!note.len)
		return;
	str_addf(&note, " The session continues in %s.", s->shared.root);
	session_add_notice(s, sv_of(&note));
	session_append_note(s, sv_of(&note));
}

/* --- --worktree ------------------------------------------------------------------------------------- */

bool session_worktree_bars(const struct session *s)
{
	return s->worktree->op;
}

static void session_worktree_fail(struct session *s, const struct err *why)
{
	str_addf(&s->worktree->failure, "The worktree could not be created: %s", why->text);
	session_inform(s, NOTICE_WARNING, sv_of(&s->worktree->failure));
}

static void session_worktree_announce(struct session *s)
{
	const struct git_worktree *tree = &s->worktree->tree;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "This session works in the worktree %s", str_c(&tree->path));
	if (tree->branch.len)
		str_addf(&text, ", on branch %s", str_c(&tree->branch));
	if (tree->base.len)
		str_addf(&text, ", which begins at %.12s", str_c(&tree->base));
	str_addc(&text, '.');
	session_inform(s, NOTICE_NOTICE, sv_of(&text));
}

static void session_worktree_on_made(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct session *s = owner;
	struct session_worktree *w = s->worktree;
	struct err err = why ? *why : (struct err)ERR_INIT;

	w->op = NULL;
	if (why || !session_worktree_enter(s, &w->made, &err))
		session_worktree_fail(s, &err);
	else
		session_worktree_announce(s);
	if (session_is_closed(s))
		session_settle(s);
	else
		session_continue(s);
}

void session_worktree_begin(struct session *s, const char *name)
{
	struct session_worktree *w = s->worktree;
	defer(str_clear) struct str chosen = STR_INIT;
	struct err err = ERR_INIT;

	if (!name || w->tree.path.len)
		return;
	str_adds(&chosen, name);
	if (!chosen.len)
		session_worktree_choose_name(s, &chosen);
	w->op = worktree_make_start(s, sv_cstr(s->shared.root), sv_of(&chosen), &w->made,
				    THEN(session_worktree_on_made, s), &err);
	if (!w->op)
		session_worktree_fail(s, &err);
}

/* --- the end ------------------------------------------------------------------------------------------ */

/* Describe where the worktree is, and how to work in it again. */
static void session_worktree_describe_kept(const struct session *s)
{
	const struct git_worktree *tree = &s->worktree->tree;
	struct str *out = &s->engine->farewell;
	const struct conversation *c = &s->conversation;
	bool can_resume = c->transcript && fs_exists(c->path);

	str_addf(out, "Your work stays in %s", str_c(&tree->path));
	if (tree->branch.len)
		str_addf(out, ", on branch %s", str_c(&tree->branch));
	if (can_resume)
		str_addf(out, "; to continue it: awl --resume %s", c->id.text);
	if (tree->first.len)
		str_addf(out, "; to begin another session there: awl -w %s", str_c(&tree->name));
	str_adds(out, "\n");
}

static void session_worktree_on_ended(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct session *s = owner;

	s->worktree->op = NULL;
	if (why)
		session_worktree_describe_kept(s);
	session_settle(s);
}

bool session_worktree_end(struct session *s)
{
	struct session_worktree *w = s->worktree;

	if (w->has_ended || !w->tree.path.len || !w->tree.is_made)
		return true;
	w->has_ended = true;
	if (!worktree_can_be_cleaned(&w->tree)) {
		session_worktree_describe_kept(s);
		return true;
	}
	w->op = worktree_drop_start(s, &w->tree, false, &w->loss,
				    THEN(session_worktree_on_ended, s));
	return false;
}
