#include "core/worktree/worktree.h"

#include "core/hooks/session_hooks.h"
#include "sys/fs.h"

/* --- making one ---------------------------------------------------------------------------------- */

/* A hook that makes a worktree. */
struct worktree_hook {
	struct op op;
	struct op *hooks;
	struct git_worktree *out;
	struct str path, refusal;
};

static void worktree_hook_cancel(struct op *op)
{
	op_cancel(container_of(op, struct worktree_hook, op)->hooks);
}

static void worktree_hook_free(struct op *op)
{
	struct worktree_hook *h = container_of(op, struct worktree_hook, op);

	str_clear(&h->path);
	str_clear(&h->refusal);
	free(h);
}

static const struct op_type worktree_hook_type = { .name = "worktree hook",
						   .cancel = worktree_hook_cancel,
						   .free = worktree_hook_free };

static void worktree_hook_apply(__attribute__((unused)) struct session *s,
				const struct hook_answer *answer, void *arg)
{
	struct worktree_hook *h = arg;

	str_set(&h->path, answer->worktree_path);
	if (answer->decision == HOOK_DENY)
		str_set(&h->refusal, answer->reason);
}

static bool worktree_hook_take(struct worktree_hook *h, struct err *err)
{
	defer(str_clear) struct str real = STR_INIT;
	struct fs_info info;

	if (h->refusal.len)
		return err_set(err, ERR_ACCESS, "the WorktreeCreate hook refused: %s",
			       str_c(&h->refusal));
	if (!h->path.len || h->path.ptr[0] != '/')
		return err_set(err, ERR_INVALID,
			       "the WorktreeCreate hook returned no absolute path");
	if (!fs_realpath(&real, str_c(&h->path), err) || !fs_info(&info, str_c(&real), true, err))
		return err_context(err, "the worktree of the WorktreeCreate hook");
	if (info.kind != FS_DIR)
		return err_set(err, ERR_INVALID,
			       "%s, from the WorktreeCreate hook, is not a directory",
			       str_c(&real));
	str_add(&h->out->path, sv_of(&real));
	h->out->is_made = true;
	return true;
}

static void worktree_hook_on_done(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct worktree_hook *h = owner;
	struct err err = why ? *why : (struct err)ERR_INIT;
	bool fine = !why && worktree_hook_take(h, &err);

	h->hooks = NULL;
	op_finish(&h->op, fine ? NULL : &err);
}

static struct op *worktree_hook_start(struct session *s, struct sv name, struct git_worktree *out,
				      struct then then)
{
	struct worktree_hook *h = xnew(struct worktree_hook);
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_WORKTREE_CREATE);

	op_init(&h->op, &worktree_hook_type, s->engine->loop, then);
	h->out = out;
	str_add(&out->name, name);
	in.name = sv_of(&out->name);
	h->hooks =
		session_hooks_start(s, &in, worktree_hook_apply, h, THEN(worktree_hook_on_done, h));
	if (!h->hooks)
		h->hooks = op_settled(s->engine->loop, THEN(worktree_hook_on_done, h));
	return &h->op;
}

static size_t worktree_list(const struct session *s, const char *key, const struct sv **out,
			    struct arena *arena)
{
	const struct settings_item *items;
	size_t n = settings_items(s->settings, key, &items);
	struct sv *list = arena_calloc(arena, n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = items[i].text;
	*out = list;
	return n;
}

struct op *worktree_make_start(struct session *s, struct sv dir, struct sv name,
			       struct git_worktree *out, struct then then, struct err *err)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const char *base = settings_str(s->settings, "worktree.baseRef");
	struct git_worktree_opts opts = {
		.dir = arena_dup(&arena, dir).ptr,
		.env = s->child_env.at,
		.name = name,
		.location = sv_cstr(settings_str(s->settings, "worktree.location")),
		.from_head = base && sv_is(sv_cstr(base), "head"),
	};

	if (!git_worktree_check_name(name, err))
		return NULL;
	if (hooks_has(s->handlers->engine, HOOK_WORKTREE_CREATE))
		return worktree_hook_start(s, name, out, then);
	opts.nsparse = worktree_list(s, "worktree.sparsePaths", &opts.sparse, &arena);
	opts.nlinks = worktree_list(s, "worktree.symlinkDirectories", &opts.links, &arena);
	return git_worktree_add(s->engine->loop, &opts, out, then, err);
}

/* --- removing one ---------------------------------------------------------------------------------- */

bool worktree_can_be_cleaned(const struct git_worktree *tree)
{
	return tree->path.len && tree->is_made && tree->first.len;
}

struct op *worktree_drop_start(struct session *s, const struct git_worktree *tree, bool discards,
			       struct git_worktree_loss *loss, struct then then)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_WORKTREE_REMOVE);
	struct op *op;

	if (tree->first.len)
		return git_worktree_remove(s->engine->loop, tree, s->child_env.at, discards, loss,
					   then);
	*loss = (struct git_worktree_loss){ .files = 0 };
	in.worktree_path = sv_of(&tree->path);
	op = session_hooks_start(s, &in, NULL, NULL, then);
	return op ? op : op_settled(s->engine->loop, then);
}
