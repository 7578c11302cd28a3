/* Open files: files read in parts, logs and locks. */
#include <errno.h>

#include "machine/fs_tree.h"
#include "sys/fs.h"

struct fs_file {
	struct sim *world;
	char *path;
	struct node *node;
};

struct fs_file *fs_file_new(struct sim *w, struct node *node, const char *path)
{
	struct fs_file *file = xnew(struct fs_file);

	file->world = w;
	file->path = xstrdup(path);
	file->node = node_ref(node);
	return file;
}

struct fs_file *fs_open(const char *path, int64_t *size, struct err *err)
{
	struct node *node = fs_readable_file(path, err);

	if (!node)
		return NULL;
	*size = (int64_t)node->data.len;
	return fs_file_new(sim_current(), node, path);
}

bool fs_read_at(struct fs_file *file, int64_t at, void *out, size_t n, struct err *err)
{
	struct sv bytes = sv_skip(sv_of(&file->node->data), (size_t)at);

	if (sim_fault(file->world, ERR_IO, file->path, err))
		return false;
	if (bytes.len < n)
		return err_set(err, ERR_STALE, "%s became shorter while it was read", file->path);
	if (n)
		memcpy(out, bytes.ptr, n);
	return true;
}

void fs_close(struct fs_file *file)
{
	if (!file)
		return;
	node_unref(file->node);
	free(file->path);
	free(file);
}

void fs_closep(struct fs_file **file)
{
	fs_close(*file);
	*file = NULL;
}

struct fs_log {
	struct sim *world;
	char *path;
	struct node *node, *dir;
	char name[NODE_NAME_MAX + 1];
};

/* Find the file at `path`, or create it with `mode`. */
static bool open_file(struct spot *out, const char *path, uint32_t mode, struct err *err)
{
	struct fs_tree *t = fs_tree(sim_current());
	int error = 0;

	if (!fs_find_file(out, path, err))
		return false;
	if (!out->node)
		error = fs_tree_may_change(t, out->dir);
	else if (t->read_only)
		error = EROFS;
	if (error)
		return err_sys(err, error, "%s", path);
	if (!out->node) {
		out->node = node_new(t, FS_FILE, mode);
		node_attach(t, out, out->node);
	}
	return true;
}

struct fs_log *fs_log_open(const char *path, uint32_t mode, struct err *err)
{
	struct fs_log *log;
	struct spot spot;

	if (!open_file(&spot, path, mode ? mode : 0666, err))
		return NULL;
	log = xnew(struct fs_log);
	log->world = sim_current();
	log->path = xstrdup(path);
	log->node = node_ref(spot.node);
	log->dir = node_ref(spot.dir);
	memcpy(log->name, spot.name, sizeof(log->name));
	return log;
}

bool fs_log_add(struct fs_log *log, struct sv record, struct err *err)
{
	struct fs_tree *t = fs_tree(log->world);
	int error = t->read_only ? EROFS : 0;

	if (sim_fault(log->world, ERR_IO, log->path, err))
		return false;
	if (!error)
		error = fs_tree_take_space(t, (int64_t)record.len);
	if (error)
		return err_sys(err, error, "cannot append to %s", log->path);
	str_add(&log->node->data, record);
	node_touched(t, log->node, log->dir, sv_cstr(log->name));
	return true;
}

bool fs_log_sync(struct fs_log *log, struct err *err)
{
	if (sim_fault(log->world, ERR_IO, log->path, err))
		return false;
	node_sync(log->node);
	node_sync_dir(log->dir);
	return true;
}

void fs_log_close(struct fs_log *log)
{
	if (!log)
		return;
	node_unref(log->node);
	node_unref(log->dir);
	free(log->path);
	free(log);
}

void fs_log_closep(struct fs_log **log)
{
	fs_log_close(*log);
	*log = NULL;
}

struct fs_lock {
	struct node *node;
};

struct fs_lock *fs_lock(const char *path, struct err *err)
{
	struct fs_lock *lock;
	struct spot spot;

	if (!open_file(&spot, path, 0600, err))
		return NULL;
	if (spot.node->locked) {
		err_set(err, ERR_BUSY, "%s is locked by another process", path);
		return NULL;
	}
	lock = xnew(struct fs_lock);
	lock->node = node_ref(spot.node);
	lock->node->locked = true;
	return lock;
}

/* Nobody else runs who could release the lock. */
struct fs_lock *fs_lock_within(const char *path, __attribute__((unused)) int64_t ms,
			       struct err *err)
{
	return fs_lock(path, err);
}

struct fs_lock *fs_lock_existing(const char *path, int64_t ms, struct err *err)
{
	struct fs_info info;

	return fs_info(&info, path, false, err) ? fs_lock_within(path, ms, err) : NULL;
}

void fs_unlock(struct fs_lock *lock)
{
	if (!lock)
		return;
	lock->node->locked = false;
	node_unref(lock->node);
	free(lock);
}
