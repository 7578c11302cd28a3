#include "store/transcript/cleanup.h"

#include "base/limits.h"
#include "base/uuid.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_list.h"
#include "store/transcript/transcript_path.h"
#include "store/undo/undo.h"
#include "sys/fs.h"
#include "sys/loop.h"
#include "sys/work.h"

struct cleanup {
	struct sv config_dir;
	struct str project; /* the directory that is being searched */
	int64_t before_ns;
	const atomic_bool *stop;
	size_t removed;
};

static bool cleanup_is_over(const struct cleanup *c)
{
	return c->removed >= LIMIT_CLEANUP || atomic_load_explicit(c->stop, memory_order_relaxed);
}

static bool cleanup_is(const char *path, enum fs_kind kind)
{
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return fs_info(&info, path, false, &ignored) && info.kind == kind;
}

static bool is_old(const struct cleanup *c, const char *path)
{
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return fs_info(&info, path, false, &ignored) && info.kind == FS_FILE &&
	       info.mtime_ns < c->before_ns;
}

/* --- one session ------------------------------------------------------------------------- */

static bool cleanup_remove_dir(struct sv parent, struct sv name, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, parent, name);
	return !cleanup_is(str_c(&path), FS_DIR) || fs_remove_tree(str_c(&path), err);
}

/* Removes the transcript last: if we are interrupted, the next run finds the rest. */
static bool cleanup_remove_session(const struct cleanup *c, struct sv id, const char *transcript,
				   struct err *err)
{
	defer(str_clear) struct str tasks = STR_INIT;

	fs_join(&tasks, c->config_dir, SV("tasks"));
	return cleanup_remove_dir(sv_of(&c->project), id, err) &&
	       (!cleanup_is(str_c(&tasks), FS_DIR) || cleanup_remove_dir(sv_of(&tasks), id, err)) &&
	       fs_remove(transcript, err);
}

/* A process that has the session open holds the lock; one that opened it meanwhile has written
 * to it. */
static void cleanup_remove_if_closed(struct cleanup *c, struct sv id, const char *transcript)
{
	defer(str_clear) struct str lock_path = STR_INIT;
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	struct err ignored = ERR_INIT;

	transcript_lock_path(&lock_path, c->config_dir, id);
	if (!path_make_parents(str_c(&lock_path), &ignored))
		return;
	lock = fs_lock(str_c(&lock_path), &ignored);
	if (!lock)
		return;
	if (is_old(c, transcript) && cleanup_remove_session(c, id, transcript, &ignored))
		c->removed++;
	(void)!fs_remove(str_c(&lock_path), &ignored);
}

bool cleanup_remove(const char *config_dir, const char *transcript, struct err *err)
{
	struct sv path = sv_cstr(transcript), id = transcript_file_id(path);
	struct cleanup c = { .config_dir = sv_cstr(config_dir) };
	defer(str_clear) struct str lock_path = STR_INIT;
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	struct err ignored = ERR_INIT;
	bool ok;

	if (!uuid_valid(id) || !cleanup_is(transcript, FS_FILE))
		return err_set(err, ERR_INVALID, "%s is not a session file", transcript);
	transcript_lock_path(&lock_path, c.config_dir, id);
	if (!path_make_parents(str_c(&lock_path), err))
		return false;
	lock = fs_lock(str_c(&lock_path), err);
	if (!lock)
		return err->kind == ERR_BUSY
			       ? err_set(err, ERR_BUSY, "session %.*s is open; close it first",
					 SV_ARG(id))
			       : false;
	str_add(&c.project, sv_slice(path, 0, sv_rfind_char(path, '/')));
	ok = cleanup_remove_session(&c, id, transcript, err);
	str_clear(&c.project);
	(void)!fs_remove(str_c(&lock_path), &ignored);
	return ok;
}

/* --- all ----------------------------------------------------------------------------------- */

static enum fs_visit cleanup_visit_file(void *arg, const struct fs_entry *entry)
{
	static const struct sv suffix = SV_INIT(".jsonl");
	struct cleanup *c = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct sv id;

	if (cleanup_is_over(c))
		return FS_STOP;
	if (entry->kind != FS_FILE || !sv_ends(entry->name, suffix))
		return FS_SKIP;
	id = sv_slice(entry->name, 0, entry->name.len - suffix.len);
	fs_join(&path, sv_of(&c->project), entry->name);
	if (uuid_valid(id) && is_old(c, str_c(&path)))
		cleanup_remove_if_closed(c, id, str_c(&path));
	return FS_SKIP;
}

static enum fs_visit cleanup_visit_project(void *arg, const struct fs_entry *entry)
{
	struct cleanup *c = arg;
	struct err ignored = ERR_INIT;

	if (entry->kind != FS_DIR)
		return FS_SKIP;
	str_truncate(&c->project, 0);
	fs_join(&c->project, c->config_dir, SV("projects"));
	fs_join(&c->project, SV_EMPTY, entry->name);
	(void)!fs_walk(str_c(&c->project), cleanup_visit_file, c, &ignored);
	return cleanup_is_over(c) ? FS_STOP : FS_SKIP;
}

size_t cleanup_run(const char *config_dir, int64_t before_ns, const atomic_bool *stop)
{
	struct cleanup c = { .config_dir = sv_cstr(config_dir),
			     .before_ns = before_ns,
			     .stop = stop };
	defer(str_clear) struct str projects = STR_INIT;
	struct err ignored = ERR_INIT;

	fs_join(&projects, c.config_dir, SV("projects"));
	if (cleanup_is(str_c(&projects), FS_DIR))
		(void)!fs_walk(str_c(&projects), cleanup_visit_project, &c, &ignored);
	str_clear(&c.project);
	return c.removed;
}

/* --- on a worker ------------------------------------------------------------------------------ */

struct job {
	struct op op;
	struct op *work;
	char *config_dir;
	int64_t before_ns, now_ns, undo_days;
	atomic_bool stop;
};

static bool cleanup_work(void *arg, __attribute__((unused)) struct err *err)
{
	struct job *j = arg;

	cleanup_run(j->config_dir, j->before_ns, &j->stop);
	undo_cleanup(j->config_dir, j->now_ns, j->undo_days, &j->stop);
	return true;
}

static void cleanup_on_work(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct job *j = owner;

	j->work = NULL;
	op_finish(&j->op, why);
}

static void job_cancel(struct op *op)
{
	struct job *j = container_of(op, struct job, op);

	atomic_store_explicit(&j->stop, true, memory_order_relaxed);
	op_cancel(j->work);
}

static void job_free(struct op *op)
{
	struct job *j = container_of(op, struct job, op);

	free(j->config_dir);
	free(j);
}

static const struct op_type job_type = { .name = "cleanup",
					 .cancel = job_cancel,
					 .free = job_free };

struct op *cleanup_start(struct loop *loop, const char *config_dir, int64_t days, int64_t undo_days,
			 struct then then)
{
	struct job *j = xnew(struct job);
	int64_t before_ms = loop_wall(loop) - days * (24 * 3600 * 1000);

	op_init(&j->op, &job_type, loop, then);
	j->config_dir = xstrdup(config_dir);
	j->before_ns = max_of(before_ms, (int64_t)0) * 1000000;
	j->now_ns = loop_wall(loop) * 1000000;
	j->undo_days = undo_days;
	j->work = work_start(loop, cleanup_work, j, THEN(cleanup_on_work, j));
	return &j->op;
}
