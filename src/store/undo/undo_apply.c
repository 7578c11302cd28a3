/* Carrying out a plan. The order makes room first: what has to go, the deepest first; then
 * directories, files and links; then the modes of directories, the deepest first, because one that
 * may not be written must be complete by then. Directories that may not be written now are unlocked
 * while that lasts. */
#include "store/undo/undo_internal.h"

/* A directory in which something will change although its mode forbids that. */
struct undo_lock {
	char *path;
	uint32_t mode;
};

typedef VEC(struct undo_lock) undo_locks; /* those of higher directories first */

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

/* Other names of the file (hard links) may be meant to stay as they are, so the name gets a file of its
 * own. */
static bool undo_apply_file(struct undo *h, const struct undo_change *c, struct err *err)
{
	defer(str_clear) struct str bytes = STR_INIT;
	defer(fs_unpinp) struct fs_pin *pin = NULL;
	const struct fs_info *info;

	pin = fs_pin(c->path, err);
	if (!pin)
		return false;
	info = fs_pinned_info(pin);
	if (info && info->links <= 1 && undo_state_has_content(&c->from, &c->to))
		return fs_chmod(c->path, c->to.mode, err);
	return undo_object_read(&bytes, h, &c->to, err) &&
	       fs_pinned_write(pin, sv_of(&bytes), (struct fs_write){ .mode = 0600, .alone = true },
			       err) &&
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

/* --- directories that may not be written ------------------------------------------------ */

static void undo_apply_find_lock(undo_locks *locks, struct sv dir)
{
	defer(mem_freep) char *path = sv_dup(dir);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (locks->n && sv_is(dir, vec_last(locks)->path))
		return;
	if (fs_info(&info, path, false, &ignored) && info.kind == FS_DIR &&
	    !fs_may_change_dir(path) && undo_is_direct(path))
		vec_push(locks, ((struct undo_lock){ .path = move(path), .mode = info.mode }));
}

static void undo_apply_find_locks(undo_locks *locks, const struct undo_plan *plan)
{
	for (size_t i = 0; i < plan->changes.n; i++) {
		const struct undo_change *c = &plan->changes.at[i];
		struct sv path = sv_cstr(c->path);

		if (!c->problem.len)
			undo_apply_find_lock(locks, sv_slice(path, 0, sv_rfind_char(path, '/')));
	}
}

/* What cannot be unlocked is reported with the changes in it. */
static void undo_apply_unlock(const undo_locks *locks)
{
	struct err ignored = ERR_INIT;

	for (size_t i = 0; i < locks->n; i++)
		(void)!fs_chmod(locks->at[i].path, locks->at[i].mode | 0700, &ignored);
}

static bool undo_apply_sets_mode(const struct undo_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->changes.n; i++) {
		const struct undo_change *c = &plan->changes.at[i];

		if (strcmp(c->path, path) == 0)
			return !c->problem.len && c->to.kind == UNDO_DIR;
	}
	return false;
}

static void undo_apply_relock(const undo_locks *locks, const struct undo_plan *plan)
{
	struct err ignored = ERR_INIT;

	for (size_t i = locks->n; i-- > 0;) {
		const struct undo_lock *lock = &locks->at[i];

		if (!undo_apply_sets_mode(plan, lock->path) && undo_is_direct(lock->path) &&
		    fs_exists(lock->path))
			(void)!fs_chmod(lock->path, lock->mode, &ignored);
	}
}

/* --- all of it --------------------------------------------------------------------------- */

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
	struct undo_scope scope = { .wall_ms = wall_ms };
	defer(str_clear) struct str line = STR_INIT;
	undo_locks locks = VEC_INIT;
	VEC(struct sv) paths = VEC_INIT;
	bool ok;

	for (size_t i = 0; i < plan->changes.n; i++)
		vec_push(&paths, sv_cstr(plan->changes.at[i].path));
	undo_apply_find_locks(&locks, plan);
	for (size_t i = 0; i < locks.n; i++)
		vec_push(&paths, sv_cstr(locks.at[i].path));
	scope.paths = paths.at;
	scope.npaths = paths.n;
	undo_log_point(&line, &event);
	ok = undo_log_add(h, sv_of(&line), err) && undo_save(h, &scope, err);
	if (ok) {
		undo_apply_unlock(&locks);
		undo_apply_all(h, plan);
		undo_apply_relock(&locks, plan);
		scope.is_after = true;
		ok = undo_save(h, &scope, err);
	}
	while (locks.n)
		free(vec_pop(&locks).path);
	vec_clear(&locks);
	vec_clear(&paths);
	return ok;
}
