#include "sys/real/sandbox_mask.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "sys/real/fd.h"

/* The sticky bit means nothing on a file or in a directory of one's own. */
enum { DIR_MODE = 01755, FILE_MODE = 01444 };
enum { TRIES = 100 };

static struct sv content_for(const char *path)
{
	return sv_ends(sv_cstr(path), SV(".json")) ? SV("{}\n") : SV_EMPTY;
}

static bool make_dir(const char *path)
{
	/* mkdir() minds the umask. */
	return mkdir(path, 0755) == 0 && chmod(path, DIR_MODE) == 0;
}

static bool make_file(const char *path)
{
	struct sv content = content_for(path);
	defer(fd_close) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);

	return fd >= 0 && write(fd, content.ptr, content.len) == (ssize_t)content.len &&
	       fchmod(fd, FILE_MODE) == 0;
}

/* Whether what is open is one of these, nothing put into it since. */
static bool is_mask(const struct stat *info, const char *path)
{
	if (S_ISDIR(info->st_mode))
		return (info->st_mode & 07777) == DIR_MODE;
	return S_ISREG(info->st_mode) && (info->st_mode & 07777) == FILE_MODE &&
	       (size_t)info->st_size == content_for(path).len;
}

static bool is_still_there(const struct stat *info, const char *path)
{
	struct stat now;

	return lstat(path, &now) == 0 && now.st_dev == info->st_dev && now.st_ino == info->st_ino;
}

enum hold { HOLD_NONE, HOLD_MASK, HOLD_OTHER, HOLD_AGAIN };

/* Takes a lock on what is there; `*fd` is open for HOLD_MASK. */
static enum hold try_hold(const char *path, int *fd)
{
	struct stat info;

	*fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0)
		return errno == ENOENT ? HOLD_NONE : HOLD_OTHER;
	if (fstat(*fd, &info) < 0 || !is_mask(&info, path)) {
		fd_close(fd);
		return HOLD_OTHER;
	}
	if (flock(*fd, LOCK_SH | LOCK_NB) == 0 && is_still_there(&info, path))
		return HOLD_MASK;
	fd_close(fd);
	return HOLD_AGAIN;
}

static bool may_not_make(int errnum)
{
	return errnum == EACCES || errnum == EROFS || errnum == EPERM || errnum == ENOENT ||
	       errnum == ENOTDIR;
}

bool sandbox_mask(sandbox_masks *masks, const char *path, bool is_dir, bool *held, struct err *err)
{
	enum hold hold;
	int fd;

	for (int i = 0; i < TRIES; i++) {
		hold = try_hold(path, &fd);
		if (hold == HOLD_MASK)
			vec_push(masks,
				 ((struct sandbox_mask){
					 .path = xstrdup(path), .fd = fd, .is_dir = is_dir }));
		*held = hold != HOLD_NONE;
		if (hold == HOLD_MASK || hold == HOLD_OTHER)
			return true;
		if (hold == HOLD_AGAIN) { /* somebody is removing it */
			sched_yield();
			continue;
		}
		if (is_dir ? make_dir(path) : make_file(path))
			continue;
		if (may_not_make(errno))
			return true;
		if (errno != EEXIST)
			return err_sys(err, errno, "cannot keep %s from being made", path);
	}
	return err_set(err, ERR_BUSY, "cannot keep %s from being made: another process holds it",
		       path);
}

/* What somebody has put something into meanwhile is his, and gets a usual mode. */
static void release(struct sandbox_mask *mask)
{
	struct stat info;

	if (flock(mask->fd, LOCK_EX | LOCK_NB) == 0 && fstat(mask->fd, &info) == 0 &&
	    is_mask(&info, mask->path) && is_still_there(&info, mask->path)) {
		if (!S_ISDIR(info.st_mode))
			unlink(mask->path);
		else if (rmdir(mask->path) < 0)
			fchmod(mask->fd, 0755);
	}
	fd_close(&mask->fd);
	free(mask->path);
}

void sandbox_masks_clear(sandbox_masks *masks)
{
	for (size_t i = masks->n; i > 0; i--)
		release(&masks->at[i - 1]);
	vec_clear(masks);
}
