#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "sys/fs/fs_real.h"

struct fs_pin {
	char *path;
	struct fs_place at; /* `dir` -1: the directory does not exist yet */
	struct fs_info info;
};

static bool fs_pin_linked(const char *path, struct err *err)
{
	return err_set(err, ERR_STALE, "%s: the path contains a symbolic link", path);
}

/* --- the directory ------------------------------------------------------------------ */

/* Goes down one level. Opening a link fails only because it is not a directory. */
static int fs_pin_step_into(int dir, const char *name, bool make)
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
static int fs_pin_walk_to(struct sv dir, bool make)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct sv part;

	while (fd >= 0 && sv_cut(&dir, '/', &part)) {
		defer(mem_freep) char *name = sv_dup(part);
		defer(fd_close) int above = fd;

		fd = part.len ? fs_pin_step_into(above, name, make) : fd_move(&above);
	}
	return fd;
}

static int fs_pin_open_dir(struct sv dir)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				.resolve = RESOLVE_NO_SYMLINKS };
	defer(mem_freep) char *name = sv_dup(dir);
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof(how));

	/* Filters that do not know the call deny it. */
	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? fs_pin_walk_to(dir, false) : fd;
}

static struct sv fs_pin_dir_of(const struct fs_pin *h)
{
	return sv_slice(sv_cstr(h->path), 0,
			max_of(sv_rfind_char(sv_cstr(h->path), '/'), (size_t)1));
}

static bool fs_pin_find_dir(struct fs_pin *h, struct err *err)
{
	h->at.dir = fs_pin_open_dir(fs_pin_dir_of(h));
	if (h->at.dir >= 0 || errno == ENOENT || errno == ENOTDIR)
		return true;
	return errno == ELOOP ? fs_pin_linked(h->path, err) : err_sys(err, errno, "%s", h->path);
}

static bool fs_pin_make_dir(struct fs_pin *h, struct err *err)
{
	if (h->at.dir < 0)
		h->at.dir = fs_pin_walk_to(fs_pin_dir_of(h), true);
	if (h->at.dir >= 0)
		return true;
	return errno == ELOOP ? fs_pin_linked(h->path, err)
			      : err_sys(err, errno, "cannot create the directory of %s", h->path);
}

/* --- the file ----------------------------------------------------------------------- */

static bool fs_pin_look(struct fs_pin *h, struct err *err)
{
	h->at.exists = h->at.dir >= 0 &&
		       fstatat(h->at.dir, h->at.name, &h->at.st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!h->at.exists)
		return h->at.dir < 0 || errno == ENOENT || err_sys(err, errno, "%s", h->path);
	if (S_ISLNK(h->at.st.st_mode))
		return fs_pin_linked(h->path, err);
	h->info = fs_info_of(&h->at.st);
	return true;
}

void fs_unpin(struct fs_pin *pin)
{
	if (!pin)
		return;
	fs_place_clear(&pin->at);
	free(pin->path);
	free(pin);
}

void fs_unpinp(struct fs_pin **pin)
{
	fs_unpin(move(*pin));
}

struct fs_pin *fs_pin(const char *path, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *h = xnew(struct fs_pin);
	struct sv name = sv_skip(sv_cstr(path), sv_rfind_char(sv_cstr(path), '/') + 1);

	h->path = xstrdup(path);
	h->at = (struct fs_place)FS_PLACE_INIT;
	h->at.name = sv_dup(name.len ? name : SV(".")); /* for "/" */
	return fs_pin_find_dir(h, err) && fs_pin_look(h, err) ? move(h) : NULL;
}

const struct fs_info *fs_pinned_info(const struct fs_pin *pin)
{
	return pin->at.exists ? &pin->info : NULL;
}

/* The caller always closes `*fd`. */
static bool fs_pin_open_file(struct fs_pin *h, int *fd, struct stat *st, struct err *err)
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

bool fs_pinned_read(struct fs_pin *pin, struct str *out, size_t max, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st = { .st_size = 0 };

	return fs_pin_open_file(pin, &fd, &st, err) &&
	       fs_read_fd(out, fd, st.st_size, pin->path, max, err);
}

struct fs_file *fs_pinned_open(struct fs_pin *pin, int64_t *size, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st = { .st_size = 0 };

	if (!fs_pin_open_file(pin, &fd, &st, err))
		return NULL;
	*size = st.st_size;
	return fs_file_new(fd_move(&fd), pin->path);
}

bool fs_pinned_write(struct fs_pin *pin, struct sv bytes, struct fs_write how, struct err *err)
{
	if (!fs_pin_make_dir(pin, err) ||
	    !fs_place_write(&pin->at, bytes, how, true, pin->path, err))
		return false;
	pin->info = fs_info_of(&pin->at.st);
	return true;
}

bool fs_pinned_remove(struct fs_pin *pin, struct err *err)
{
	if (!pin->at.exists)
		return err_sys(err, ENOENT, "%s", pin->path);
	if (!fs_check_regular(&pin->at.st, pin->path, err))
		return false;
	if (!fs_place_is_same(&pin->at))
		return fs_stale(pin->path, err);
	if (unlinkat(pin->at.dir, pin->at.name, 0) < 0)
		return err_sys(err, errno, "cannot remove %s", pin->path);
	pin->at.exists = false;
	return true;
}

bool fs_pinned_walk(struct fs_pin *pin, fs_visit_fn *visit, void *arg, struct err *err)
{
	int errnum = ENOENT, fd;

	if (pin->at.exists) {
		fd = openat(pin->at.dir, pin->at.name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		errnum = fd < 0 ? errno : fs_walk_fd(fd, visit, arg);
	}
	return !errnum || err_sys(err, errnum, "%s", pin->path);
}
