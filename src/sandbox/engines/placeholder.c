#include "sandbox/engines/placeholder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "sandbox/engines/path.h"
#include "sys/fd.h"

/* The sticky bit has no effect on a file, or on a directory whose files all belong to its owner. */
enum { DIR_MODE = 01755, FILE_MODE = 01444 };
enum { TRIES = 100, PAUSE_MS = 5 };

/* A program that reads the placeholder must behave as if it were missing: no settings, and for git,
 * no other repository behind this one. */
static struct sv placeholder_content_for(const char *name)
{
	if (strcmp(name, "commondir") == 0)
		return SV(".\n");
	return sv_ends(sv_cstr(name), SV(".json")) ? SV("{}\n") : SV_EMPTY;
}

/* The sticky bit is set from the start, so that another sandbox never takes it for a directory of
 * the user's. Such a sandbox may end, and remove it, at once. */
static bool placeholder_make_dir(int dir, const char *name)
{
	defer(fd_close) int fd = -1;

	if (mkdirat(dir, name, DIR_MODE) < 0)
		return false;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT;
	return fchmod(fd, DIR_MODE) == 0; /* mkdir() applies the umask */
}

static bool placeholder_fill_file(int fd, const char *name)
{
	struct sv content = placeholder_content_for(name);

	return write(fd, content.ptr, content.len) == (ssize_t)content.len &&
	       fchmod(fd, FILE_MODE) == 0;
}

/* The file gets its name only when it is complete, for the same reason. Where the file system
 * cannot do that, it gets its name first. */
static bool placeholder_make_file(int dir, const char *name)
{
	defer(fd_close) int whole = openat(dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0444);
	defer(fd_close) int fd = -1;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", whole);
	if (whole >= 0 && placeholder_fill_file(whole, name)) {
		if (linkat(AT_FDCWD, path, dir, name, AT_SYMLINK_FOLLOW) == 0)
			return true;
		if (errno == EEXIST)
			return false;
	}
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	return fd >= 0 && placeholder_fill_file(fd, name);
}

/* Falls back to a file where the file system has no pipes. */
static bool placeholder_make_pipe(int dir, const char *name)
{
	return mkfifoat(dir, name, FILE_MODE) == 0 ||
	       (errno != EEXIST && placeholder_make_file(dir, name));
}

/* Whether an open file looks like a placeholder: by its mode, and nothing was written to it. */
static bool placeholder_has_mode(const struct stat *info, const char *name)
{
	/* A directory or pipe whose mode was just cut down by the umask counts. */
	if (S_ISDIR(info->st_mode))
		return (info->st_mode & 07777 & ~0055) == (DIR_MODE & ~0055);
	if (S_ISFIFO(info->st_mode))
		return (info->st_mode & 07777 & ~0044) == (FILE_MODE & ~0044);
	return S_ISREG(info->st_mode) && (info->st_mode & 07777) == FILE_MODE &&
	       (size_t)info->st_size == placeholder_content_for(name).len;
}

/* One that was removed meanwhile has nothing in it either. */
static bool placeholder_is_empty(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry = NULL;

	if (!dir)
		return errno == ENOENT;
	do
		entry = readdir(dir);
	while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
	closedir(dir);
	return !entry;
}

/* An empty directory with this mode but another name may belong to the user. A file with it is
 * always a placeholder. */
bool placeholder_is(const char *path, const struct stat *info)
{
	static const char of_git[][16] = { "commondir", "config", "config.worktree", "gitdir",
					   "hooks" };
	const char *name = strrchr(path, '/') + 1;

	if (!placeholder_has_mode(info, name))
		return false;
	return !S_ISDIR(info->st_mode) || ((name[0] == '.' || sv_is_among(sv_cstr(name), of_git)) &&
					   placeholder_is_empty(path));
}

bool placeholder_is_pipe(const char *path)
{
	static const char names[][8] = { "objects", "refs" };

	return sv_is_among(sv_cstr(strrchr(path, '/') + 1), names);
}

static bool placeholder_is_still_there(const struct stat *info, int dir, const char *name)
{
	struct stat now;

	return fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_dev == info->st_dev &&
	       now.st_ino == info->st_ino;
}

enum lock_state { LOCK_NOTHING, LOCK_TAKEN, LOCK_NOT_OURS, LOCK_RETRY };

/* Locks what is there. For LOCK_TAKEN, `*fd` is open. */
static enum lock_state placeholder_try_lock(int dir, const char *name, int *fd)
{
	struct stat info;

	*fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0)
		return errno == ENOENT ? LOCK_NOTHING : LOCK_NOT_OURS;
	if (fstat(*fd, &info) < 0 || !placeholder_has_mode(&info, name)) {
		fd_close(fd);
		return LOCK_NOT_OURS;
	}
	if (flock(*fd, LOCK_SH | LOCK_NB) == 0 && placeholder_is_still_there(&info, dir, name))
		return LOCK_TAKEN;
	fd_close(fd);
	return LOCK_RETRY;
}

static bool placeholder_is_denied(int errnum)
{
	return errnum == EACCES || errnum == EROFS || errnum == EPERM || errnum == ENOENT ||
	       errnum == ENOTDIR;
}

/* Creates the placeholder if nothing is there. `*state` is the outcome. */
static bool placeholder_lock_or_make(int dir, const char *name,
				     bool (*make)(int dir, const char *name),
				     enum lock_state *state, int *fd, struct err *err)
{
	for (int i = 0; i < TRIES; i++) {
		*state = placeholder_try_lock(dir, name, fd);
		if (*state == LOCK_TAKEN || *state == LOCK_NOT_OURS)
			return true;
		if (*state == LOCK_RETRY) { /* somebody is removing it */
			poll(NULL, 0, PAUSE_MS);
			continue;
		}
		if (make(dir, name))
			continue;
		if (placeholder_is_denied(errno))
			return true;
		if (errno != EEXIST)
			return err_sys(err, errno, "cannot create it");
	}
	return err_set(err, ERR_BUSY, "another process has locked it");
}

bool placeholder_add(placeholder_list *placeholders, const char *path, bool is_dir, bool *exists,
		     struct err *err)
{
	const char *name = strrchr(path, '/') + 1;
	defer(fd_close) int dir = sandbox_path_open_dir(sv_from(path, (size_t)(name - path)));
	bool (*make)(int dir, const char *name) = is_dir ? placeholder_make_dir
						  : placeholder_is_pipe(path)
							  ? placeholder_make_pipe
							  : placeholder_make_file;
	enum lock_state state;
	int fd = -1;

	if (dir < 0)
		return err_sys(err, errno, "cannot reserve %s", path);
	if (!placeholder_lock_or_make(dir, name, make, &state, &fd, err))
		return err_context(err, "cannot reserve %s", path);
	*exists = state != LOCK_NOTHING;
	if (state == LOCK_TAKEN)
		vec_push(placeholders,
			 ((struct placeholder){
				 .dir = fd_move(&dir), .name = xstrdup(name), .fd = fd }));
	return true;
}

/* If somebody has put a file into a directory meanwhile, it is theirs now, and gets a normal mode.
 */
static void placeholder_release(struct placeholder *placeholder)
{
	struct stat info;

	if (flock(placeholder->fd, LOCK_EX | LOCK_NB) == 0 && fstat(placeholder->fd, &info) == 0 &&
	    placeholder_has_mode(&info, placeholder->name) &&
	    placeholder_is_still_there(&info, placeholder->dir, placeholder->name)) {
		if (!S_ISDIR(info.st_mode))
			unlinkat(placeholder->dir, placeholder->name, 0);
		else if (unlinkat(placeholder->dir, placeholder->name, AT_REMOVEDIR) < 0)
			fchmod(placeholder->fd, 0755);
	}
	fd_close(&placeholder->fd);
	fd_close(&placeholder->dir);
	free(placeholder->name);
}

void placeholders_clear(placeholder_list *placeholders)
{
	for (size_t i = placeholders->n; i > 0; i--)
		placeholder_release(&placeholders->at[i - 1]);
	vec_clear(placeholders);
}
