#include "sys/watch.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "sys/fs.h"
#include "sys/loop/uv_loop.h"

/* One watched directory: the given one, or the one that contains the file. */
struct spot {
	uv_fs_event_t uv;
	struct str dir, name; /* "" means any name */
	uint64_t device, inode;
};

enum { AT_PATH, AT_TARGET, SPOTS }; /* the link itself, and its target */

struct watch {
	struct op op;
	char *path;
	struct spot spots[SPOTS];
	int open; /* number of handles of `spots` that are not closed */
	watch_fn *on_change;
	struct map changed; /* names to report */
	bool too_many;      /* more names than `changed` may hold */
	struct task notify;
	struct err err;
};

/* --- ending ------------------------------------------------------------------------------ */

static void watch_on_closed(uv_handle_t *handle)
{
	struct watch *w = handle->data;

	if (--w->open == 0)
		op_finish(&w->op, &w->err);
}

static void watch_end(struct watch *w)
{
	for (int i = 0; i < SPOTS; i++)
		if (!uv_is_closing((uv_handle_t *)&w->spots[i].uv))
			uv_close((uv_handle_t *)&w->spots[i].uv, watch_on_closed);
}

static void watch_cancel(struct op *op)
{
	watch_end(container_of(op, struct watch, op));
}

static void watch_free(struct op *op)
{
	struct watch *w = container_of(op, struct watch, op);

	for (int i = 0; i < SPOTS; i++) {
		str_clear(&w->spots[i].dir);
		str_clear(&w->spots[i].name);
	}
	map_clear(&w->changed);
	free(w->path);
	free(w);
}

static const struct op_type watch_type = { .name = "watch",
					   .cancel = watch_cancel,
					   .free = watch_free };

/* --- reporting --------------------------------------------------------------------------- */

static void watch_run_notify(struct task *task)
{
	struct watch *w = container_of(task, struct watch, notify);
	defer(map_clear) struct map changed = w->changed;
	bool too_many = w->too_many;
	struct sv name;
	void *unused;

	w->changed = (struct map)MAP_INIT;
	w->too_many = false;
	if (too_many && !w->op.cancelled)
		w->on_change(w->op.then.owner, SV_EMPTY);
	for (size_t i = 0; !too_many && map_next(&changed, &i, &name, &unused);)
		if (!w->op.cancelled)
			w->on_change(w->op.then.owner, name);
}

static void watch_note_change(struct watch *w, struct sv name)
{
	if (w->changed.n < LIMIT_WATCH_NAMES)
		map_put(&w->changed, name, w);
	else
		w->too_many = true;
	loop_post(w->op.loop, &w->notify);
}

/* --- watching ----------------------------------------------------------------------- */

static void watch_on_event(uv_fs_event_t *uv, const char *filename, int events, int status);

static bool watch_explain(struct err *err, int status, const char *dir)
{
	if (status == -ENOSPC)
		return err_set(err, ERR_FULL,
			       "cannot watch %s: this system watches no more files (raise "
			       "fs.inotify.max_user_watches)",
			       dir);
	return err_sys(err, -status, "cannot watch %s", dir);
}

static bool spot_aim(struct spot *s, struct sv dir, struct sv name, struct err *err)
{
	struct fs_info info;
	int status;

	str_truncate(&s->dir, 0);
	str_truncate(&s->name, 0);
	str_add(&s->dir, dir);
	str_add(&s->name, name);
	if (!fs_info(&info, str_c(&s->dir), true, err))
		return false;
	if (info.kind != FS_DIR)
		return err_set(err, ERR_NOT_FOUND, "%s is not a directory", str_c(&s->dir));
	s->device = info.device;
	s->inode = info.inode;
	status = uv_fs_event_start(&s->uv, watch_on_event, str_c(&s->dir), 0);
	return status == 0 || watch_explain(err, status, str_c(&s->dir));
}

/* Watches the directory of `path` for its last component. */
static bool spot_aim_at_file(struct spot *s, const char *path, struct err *err)
{
	struct sv whole = sv_cstr(path);
	size_t slash = sv_rfind_char(whole, '/');

	if (slash == SIZE_MAX)
		return spot_aim(s, SV("."), whole, err);
	return spot_aim(s, slash ? sv_slice(whole, 0, slash) : SV("/"), sv_skip(whole, slash + 1),
			err);
}

/* A file that is a link changes at both ends, and its target may change. A target that cannot be
 * watched (yet) is not a failure. */
static void watch_target(struct watch *w)
{
	struct spot *s = &w->spots[AT_TARGET];
	defer(str_clear) struct str target = STR_INIT;
	struct fs_info info;
	struct err err;

	uv_fs_event_stop(&s->uv);
	if (!fs_info(&info, w->path, false, &err) || info.kind != FS_LINK ||
	    !fs_realpath(&target, w->path, &err))
		return;
	if (!spot_aim_at_file(s, str_c(&target), &err))
		log_debug("%s", err.text);
}

/* The event for the directory itself has its own last component as the name. */
static bool is_gone(const struct spot *s, struct sv name)
{
	size_t slash = sv_rfind_char(sv_of(&s->dir), '/');
	struct sv own = slash == SIZE_MAX ? sv_of(&s->dir) : sv_skip(sv_of(&s->dir), slash + 1);
	struct fs_info info;
	struct err ignored;

	if (!sv_eq(name, own))
		return false;
	return !fs_info(&info, str_c(&s->dir), true, &ignored) || info.device != s->device ||
	       info.inode != s->inode;
}

static void watch_on_event(uv_fs_event_t *uv, const char *filename, int events, int status)
{
	struct watch *w = uv->data;
	struct spot *s = container_of(uv, struct spot, uv);
	struct sv name = sv_cstr(filename);

	if (status < 0 || (events & UV_RENAME && s == &w->spots[AT_PATH] && is_gone(s, name))) {
		err_set(&w->err, ERR_NOT_FOUND, "%s: the watched directory is gone", w->path);
		watch_end(w);
		return;
	}
	if (s->name.len && !sv_eq(name, sv_of(&s->name)))
		return;
	watch_note_change(w, s == &w->spots[AT_TARGET] ? sv_of(&w->spots[AT_PATH].name) : name);
	if (w->spots[AT_PATH].name.len && s == &w->spots[AT_PATH])
		watch_target(w);
}

static bool watch_begin(struct watch *w, struct err *err)
{
	struct fs_info info;
	struct err ignored;

	if (fs_info(&info, w->path, true, &ignored) && info.kind == FS_DIR)
		return spot_aim(&w->spots[AT_PATH], sv_cstr(w->path), SV_EMPTY, err);
	if (!spot_aim_at_file(&w->spots[AT_PATH], w->path, err))
		return false;
	watch_target(w);
	return true;
}

struct op *watch_start(struct loop *loop, const char *path, watch_fn *on_change, struct then then)
{
	struct watch *w = xnew(struct watch);

	op_init(&w->op, &watch_type, loop, then);
	w->path = xstrdup(path);
	w->on_change = on_change;
	w->notify = (struct task){ .run = watch_run_notify, .session = log_session };
	for (int i = 0; i < SPOTS; i++) {
		uv_fs_event_init(uv_of(loop), &w->spots[i].uv);
		w->spots[i].uv.data = w;
		w->open++;
	}
	if (!watch_begin(w, &w->err))
		watch_end(w);
	return &w->op;
}
