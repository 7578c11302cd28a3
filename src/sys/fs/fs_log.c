/* Files that several processes append to. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/file.h>

#include "base/mem.h"
#include "sys/fs/fs_real.h"

struct fs_log {
	int fd;
	_Atomic int dir; /* until the directory entry is durable; then -1 */
	char *path;
};

void fs_log_close(struct fs_log *log)
{
	if (!log)
		return;
	fd_close(&log->fd);
	if (log->dir >= 0)
		close(log->dir);
	free(log->path);
	free(log);
}

void fs_log_closep(struct fs_log **log)
{
	fs_log_close(*log);
	*log = NULL;
}

static bool fs_log_open_log(struct fs_log *log, const char *path, uint32_t mode, struct err *err)
{
	defer(fs_place_clear) struct fs_place at = FS_PLACE_INIT;
	struct stat st;

	if (!fs_place_find(&at, path, err))
		return false;
	if (at.exists && !fs_check_regular(&at.st, path, err))
		return false;
	log->fd = openat(at.dir, at.name,
			 O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				 O_CLOEXEC,
			 mode ? mode : 0666);
	if (log->fd < 0 || fstat(log->fd, &st) < 0)
		return err_sys(err, errno, "cannot append to %s", path);
	log->dir = openat(at.dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (log->dir < 0)
		return err_sys(err, errno, "cannot open the directory of %s", path);
	return fs_check_regular(&st, path, err);
}

struct fs_log *fs_log_open(const char *path, uint32_t mode, struct err *err)
{
	defer(fs_log_closep) struct fs_log *log = xnew(struct fs_log);

	log->fd = -1;
	log->dir = -1;
	log->path = xstrdup(path);
	return fs_log_open_log(log, path, mode, err) ? move(log) : NULL;
}

/* Whatever a failed write has added belongs to nobody else, because all writers take the lock. */
static bool fs_log_cut_back(struct fs_log *log, off_t end, int errnum, struct err *err)
{
	if (ftruncate(log->fd, end) < 0)
		return err_sys(err, errno, "cannot undo a torn record in %s", log->path);
	return err_sys(err, errnum, "cannot append to %s", log->path);
}

/* A short write has no error code; the next attempt reports the reason. */
static bool fs_log_append(struct fs_log *log, struct sv record, struct err *err)
{
	off_t end = lseek(log->fd, 0, SEEK_END);
	ssize_t n;

	if (end < 0)
		return err_sys(err, errno, "cannot append to %s", log->path);
	do
		n = write(log->fd, record.ptr, record.len);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)record.len)
		return true;
	if (n >= 0) {
		struct sv rest = sv_skip(record, (size_t)n);

		n = write(log->fd, rest.ptr, rest.len);
		return fs_log_cut_back(log, end, n < 0 ? errno : ENOSPC, err);
	}
	return fs_log_cut_back(log, end, errno, err);
}

/* The lock makes it safe to cut off a torn record beside other writers. On a file system without
 * locks each record is still appended as a whole. */
bool fs_log_add(struct fs_log *log, struct sv record, struct err *err)
{
	bool ok;

	while (flock(log->fd, LOCK_EX) < 0 && errno == EINTR)
		continue;
	ok = fs_log_append(log, record, err);
	flock(log->fd, LOCK_UN);
	return ok;
}

/* Whoever takes the directory makes its entry durable; after a failure the next one tries again. */
static bool fs_log_sync_dir(struct fs_log *log)
{
	int dir = atomic_exchange(&log->dir, -1);

	if (dir < 0)
		return true;
	if (fsync(dir) < 0) {
		log->dir = dir;
		return false;
	}
	close(dir);
	return true;
}

bool fs_log_sync(struct fs_log *log, struct err *err)
{
	if (fdatasync(log->fd) < 0 || !fs_log_sync_dir(log))
		return err_sys(err, errno, "cannot make %s durable", log->path);
	return true;
}
