/* Carrying out a plan. The order makes room first: what has to go, the deepest first; then
 * directories, files and links; then the modes of directories, the deepest first, because one that
 * may not be written must be complete by then. */
#include "store/undo/undo_internal.h"

/* A link on the way would lead out of what was kept, where commands in a sandbox may not write. */
static bool undo_apply_is_direct(const struct undo_change *c, struct err *err)
{
	return undo_is_direct(c->path) ||
	       err_set(err, ERR_STALE, "a directory of this path has been replaced by a link");
}

static bool undo_apply_remove(const struct undo_change *c, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *pin = NULL;

	if (c->from.kind != UNDO_FILE)
		return undo_apply_is_direct(c, err) && fs_remove(c->path, err);
	pin = fs_pin(c->path, err);
	return pin && fs_pinned_remove(pin, err);
}

/* Whether what is there has to go before the new state can be made. */
static bool undo_apply_clears(const struct undo_change *c)
{
	return c->from.kind != UNDO_ABSENT && c->from.kind != c->to.kind;
}

static bool undo_apply_file(struct undo *h, const struct undo_change *c, struct err *err)
{
	defer(str_clear) struct str bytes = STR_INIT;
	defer(fs_unpinp) struct fs_pin *pin = NULL;
	bool is_there = c->from.kind == UNDO_FILE;

	if (undo_state_has_content(&c->from, &c->to))
		return fs_chmod(c->path, c->to.mode, err);
	if (!undo_object_read(&bytes, h, &c->to, err))
		return false;
	if (is_there && !(c->from.mode & 0200) && !fs_chmod(c->path, 0600, err))
		return false;
	pin = fs_pin(c->path, err);
	return pin && fs_pinned_write(pin, sv_of(&bytes), (struct fs_write){ .mode = 0600 }, err) &&
	       fs_chmod(c->path, c->to.mode, err);
}

static bool undo_apply_link(const struct undo_change *c, struct err *err)
{
	return (c->from.kind != UNDO_LINK || fs_remove(c->path, err)) &&
	       fs_symlink(c->to.text, c->path, err);
}

/* A directory is writable until everything is in it. */
static bool undo_apply_dir(const struct undo_change *c, struct err *err)
{
	return fs_mkdirs(c->path, 0700, err) && fs_chmod(c->path, c->to.mode | 0700, err);
}

static bool undo_apply_make(struct undo *h, const struct undo_change *c, struct err *err)
{
	if (!undo_apply_is_direct(c, err))
		return false;
	switch (c->to.kind) {
	case UNDO_FILE: return undo_apply_file(h, c, err);
	case UNDO_LINK: return undo_apply_link(c, err);
	case UNDO_DIR: return undo_apply_dir(c, err);
	case UNDO_ABSENT:
	case UNDO_UNKEPT: return true;
	}
	return true;
}

static void undo_apply_note(struct undo_plan *plan, struct undo_change *c, bool ok,
			    const struct err *err)
{
	if (ok)
		return;
	str_adds(&c->problem, err->text);
	plan->nproblems++;
}

static void undo_apply_all(struct undo *h, struct undo_plan *plan)
{
	for (size_t i = plan->changes.n; i-- > 0;) {
		struct undo_change *c = &plan->changes.at[i];
		struct err err = ERR_INIT;

		if (!c->problem.len && undo_apply_clears(c))
			undo_apply_note(plan, c, undo_apply_remove(c, &err), &err);
	}
	for (size_t i = 0; i < plan->changes.n; i++) {
		struct undo_change *c = &plan->changes.at[i];
		struct err err = ERR_INIT;

		if (!c->problem.len)
			undo_apply_note(plan, c, undo_apply_make(h, c, &err), &err);
	}
	for (size_t i = plan->changes.n; i-- > 0;) {
		struct undo_change *c = &plan->changes.at[i];
		struct err err = ERR_INIT;

		if (!c->problem.len && c->to.kind == UNDO_DIR)
			undo_apply_note(plan, c,
					undo_apply_is_direct(c, &err) &&
						fs_chmod(c->path, c->to.mode, &err),
					&err);
	}
}

bool undo_apply(struct undo *h, struct undo_plan *plan, const struct undo_point *back,
		int64_t wall_ms, struct err *err)
{
	struct undo_event event = { .kind = back->kind == UNDO_FORTH ? UNDO_EVENT_FORTH
								     : UNDO_EVENT_BACK,
				    .wall_ms = wall_ms,
				    .uuid = back->uuid,
				    .target = back->target };
	struct undo_scope scope = { .npaths = plan->changes.n,
				    .wall_ms = wall_ms,
				    .is_after = true };
	defer(str_clear) struct str line = STR_INIT;
	VEC(struct sv) paths = VEC_INIT;
	bool ok;

	for (size_t i = 0; i < plan->changes.n; i++)
		vec_push(&paths, sv_cstr(plan->changes.at[i].path));
	scope.paths = paths.at;
	undo_log_point(&line, &event);
	scope.is_after = false;
	ok = undo_log_add(h, sv_of(&line), err) && undo_save(h, &scope, err);
	if (ok) {
		undo_apply_all(h, plan);
		scope.is_after = true;
		ok = undo_save(h, &scope, err);
	}
	vec_clear(&paths);
	return ok;
}
