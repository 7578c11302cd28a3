#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "sys/fs/fs_real.h"

struct fs_hold {
	char *path;
	struct fs_place at; /* `dir` -1: the directory does not exist yet */
	struct fs_info info;
};

static bool fs_hold_linked(const char *path, struct err *err)
{
	return err_set(err, ERR_STALE, "%s: the path contains a symbolic link", path);
}

/* --- the directory ------------------------------------------------------------------ */

/* Goes down one level. Opening a link fails only because it is not a directory. */
static int fs_hold_step_into(int dir, const char *name, bool make)
{
	int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT && make) {
		if (mkdirat(dir, name, 0777) < 0 && errno != EEXIST)
			return -1;
		fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (fd < 0 && errno == ENOTDIR) {
		bool is_link =
			fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);

		errno = is_link ? ELOOP : ENOTDIR;
	}
	return fd;
}

/* One component at a time: for kernels without openat2(), and to create missing directories. */
static int fs_hold_walk_to(struct sv dir, bool make)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct sv part;

	while (fd >= 0 && sv_cut(&dir, '/', &part)) {
		defer(mem_freep) char *name = sv_dup(part);
		defer(fd_close) int above = fd;

		fd = part.len ? fs_hold_step_into(above, name, make) : fd_move(&above);
	}
	return fd;
}

static int fs_hold_open_dir(struct sv dir)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				.resolve = RESOLVE_NO_SYMLINKS };
	defer(mem_freep) char *name = sv_dup(dir);
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof(how));

	/* Filters that do not know the call deny it. */
	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? fs_hold_walk_to(dir, false) : fd;
}

static struct sv fs_hold_dir_of(const struct fs_hold *h)
{
	return sv_slice(sv_cstr(h->path), 0,
			max_of(sv_rfind_char(sv_cstr(h->path), '/'), (size_t)1));
}

static bool fs_hold_find_dir(struct fs_hold *h, struct err *err)
{
	h->at.dir = fs_hold_open_dir(fs_hold_dir_of(h));
	if (h->at.dir >= 0 || errno == ENOENT || errno == ENOTDIR)
		return true;
	return errno == ELOOP ? fs_hold_linked(h->path, err) : err_sys(err, errno, "%s", h->path);
}

static bool fs_hold_make_dir(struct fs_hold *h, struct err *err)
{
	if (h->at.dir < 0)
		h->at.dir = fs_hold_walk_to(fs_hold_dir_of(h), true);
	if (h->at.dir >= 0)
		return true;
	return errno == ELOOP ? fs_hold_linked(h->path, err)
			      : err_sys(err, errno, "cannot create the directory of %s", h->path);
}

/* --- the file ----------------------------------------------------------------------- */

static bool fs_hold_look(struct fs_hold *h, struct err *err)
{
	h->at.exists = h->at.dir >= 0 &&
		       fstatat(h->at.dir, h->at.name, &h->at.st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!h->at.exists)
		return h->at.dir < 0 || errno == ENOENT || err_sys(err, errno, "%s", h->path);
	if (S_ISLNK(h->at.st.st_mode))
		return fs_hold_linked(h->path, err);
	h->info = fs_info_of(&h->at.st);
	return true;
}

void fs_let_go(struct fs_hold *hold)
{
	if (!hold)
		return;
	fs_place_clear(&hold->at);
	free(hold->path);
	free(hold);
}

void fs_let_gop(struct fs_hold **hold)
{
	fs_let_go(move(*hold));
}

struct fs_hold *fs_hold(const char *path, struct err *err)
{
	defer(fs_let_gop) struct fs_hold *h = xnew(struct fs_hold);
	struct sv name = sv_skip(sv_cstr(path), sv_rfind_char(sv_cstr(path), '/') + 1);

	h->path = xstrdup(path);
	h->at = (struct fs_place)FS_PLACE_INIT;
	h->at.name = sv_dup(name.len ? name : SV(".")); /* for "/" */
	return fs_hold_find_dir(h, err) && fs_hold_look(h, err) ? move(h) : NULL;
}

const struct fs_info *fs_held_info(const struct fs_hold *hold)
{
	return hold->at.exists ? &hold->info : NULL;
}

/* The caller always closes `*fd`. */
static bool fs_hold_open_held(struct fs_hold *h, int *fd, struct stat *st, struct err *err)
{
	if (!h->at.exists)
		return err_sys(err, ENOENT, "%s", h->path);
	if (!fs_check_regular(&h->at.st, h->path, err))
		return false;
	if (!fs_open_regular(fd, st, h->at.dir, h->at.name, O_NOFOLLOW, h->path, err))
		return err->kind != ERR_NOT_FOUND && !fs_place_is_same(&h->at)
			       ? fs_stale(h->path, err)
			       : false;
	return (st->st_ino == h->at.st.st_ino && st->st_dev == h->at.st.st_dev) ||
	       fs_stale(h->path, err);
}

bool fs_held_read(struct fs_hold *hold, struct str *out, size_t max, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st = { .st_size = 0 };

	return fs_hold_open_held(hold, &fd, &st, err) &&
	       fs_read_fd(out, fd, st.st_size, hold->path, max, err);
}

struct fs_file *fs_held_open(struct fs_hold *hold, int64_t *size, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st = { .st_size = 0 };

	if (!fs_hold_open_held(hold, &fd, &st, err))
		return NULL;
	*size = st.st_size;
	return fs_file_new(fd_move(&fd), hold->path);
}

bool fs_held_write(struct fs_hold *hold, struct sv bytes, struct fs_write how, struct err *err)
{
	if (!fs_hold_make_dir(hold, err) ||
	    !fs_place_write(&hold->at, bytes, how, true, hold->path, err))
		return false;
	hold->info = fs_info_of(&hold->at.st);
	return true;
}

bool fs_held_remove(struct fs_hold *hold, struct err *err)
{
	if (!hold->at.exists)
		return err_sys(err, ENOENT, "%s", hold->path);
	if (!fs_check_regular(&hold->at.st, hold->path, err))
		return false;
	if (!fs_place_is_same(&hold->at))
		return fs_stale(hold->path, err);
	if (unlinkat(hold->at.dir, hold->at.name, 0) < 0)
		return err_sys(err, errno, "cannot remove %s", hold->path);
	hold->at.exists = false;
	return true;
}

bool fs_held_walk(struct fs_hold *hold, fs_visit_fn *visit, void *arg, struct err *err)
{
	int errnum = ENOENT, fd;

	if (hold->at.exists) {
		fd = openat(hold->at.dir, hold->at.name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		errnum = fd < 0 ? errno : fs_walk_fd(fd, visit, arg);
	}
	return !errnum || err_sys(err, errnum, "%s", hold->path);
}
