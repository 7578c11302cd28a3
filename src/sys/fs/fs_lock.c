#include <errno.h>
#include <fcntl.h>
#include <pthread.h>

#include "base/mem.h"
#include "sys/fs/fs_real.h"

/* The lock belongs to the open file, not to the process. So it also excludes others in the same
 * process, and it ends with the descriptor. */
struct fs_lock {
	int fd;
};

static int lock_fd(int fd, int command, short type)
{
	struct flock all = { .l_type = type, .l_whence = SEEK_SET };
	int result;

	do
		result = fcntl(fd, command, &all);
	while (result < 0 && errno == EINTR);
	return result < 0 ? errno : 0;
}

/* --- waiting -------------------------------------------------------------------------- */

static struct timespec fs_lock_in(int64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *fs_lock_wait_in_line(void *fd)
{
	return (void *)(intptr_t)lock_fd(*(const int *)fd, F_OFD_SETLKW, F_WRLCK);
}

/* The kernel keeps the queue but offers no timeout, so a thread waits, and is cancelled at the
 * deadline. */
static int lock_within(int fd, int64_t ms)
{
	struct timespec until;
	pthread_t thread;
	void *result = NULL;
	int errnum = lock_fd(fd, F_OFD_SETLK, F_WRLCK);

	if (errnum != EAGAIN || ms == 0)
		return errnum;
	until = fs_lock_in(ms);
	errnum = pthread_create(&thread, NULL, fs_lock_wait_in_line, &fd);
	if (errnum)
		return errnum;
	if (pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &until) != 0) {
		pthread_cancel(thread);
		pthread_join(thread, &result); /* it may have got the lock just now */
	}
	return result == PTHREAD_CANCELED ? EAGAIN : (int)(intptr_t)result;
}

/* --- locks ---------------------------------------------------------------------------- */

/* Whether the name still refers to this file. Otherwise somebody removed it, and the next process
 * would lock another file. */
static bool is_current(int fd, const char *path)
{
	struct stat ours, named;

	return fstat(fd, &ours) == 0 && stat(path, &named) == 0 && ours.st_dev == named.st_dev &&
	       ours.st_ino == named.st_ino;
}

static bool fs_lock_open(int *out, const char *path, int flags, int64_t ms, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st;
	int errnum;

	do {
		fd_close(&fd);
		fd = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, 0600);
		if (fd < 0 || fstat(fd, &st) < 0)
			return err_sys(err, errno, "cannot open the lock %s", path);
		if (!fs_check_regular(&st, path, err))
			return false;
		errnum = lock_within(fd, ms);
		if (errnum)
			return errnum == EAGAIN ? err_set(err, ERR_BUSY,
							  "%s is locked by another process", path)
						: err_sys(err, errnum, "cannot lock %s", path);
	} while (!is_current(fd, path));
	*out = fd_move(&fd);
	return true;
}

static struct fs_lock *fs_lock_take(const char *path, int flags, int64_t ms, struct err *err)
{
	struct fs_lock *lock;
	int fd = -1;

	if (!fs_lock_open(&fd, path, flags, ms, err))
		return NULL;
	lock = xnew(struct fs_lock);
	lock->fd = fd;
	return lock;
}

struct fs_lock *fs_lock_within(const char *path, int64_t ms, struct err *err)
{
	return fs_lock_take(path, O_CREAT, ms, err);
}

struct fs_lock *fs_lock_existing(const char *path, int64_t ms, struct err *err)
{
	return fs_lock_take(path, O_NOFOLLOW, ms, err);
}

struct fs_lock *fs_lock(const char *path, struct err *err)
{
	return fs_lock_within(path, 0, err);
}

/* Unlocks explicitly, because a process that was forked meanwhile may have a copy of `fd`. */
void fs_unlock(struct fs_lock *lock)
{
	if (!lock)
		return;
	lock_fd(lock->fd, F_OFD_SETLK, F_UNLCK);
	fd_close(&lock->fd);
	free(lock);
}
