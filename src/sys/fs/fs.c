#include "sys/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/limits.h"
#include "base/mem.h"
#include "sys/fs/fs_real.h"

/* --- what is there ------------------------------------------------------------ */

enum fs_kind fs_kind_of(mode_t mode)
{
	if (S_ISREG(mode))
		return FS_FILE;
	if (S_ISDIR(mode))
		return FS_DIR;
	return S_ISLNK(mode) ? FS_LINK : FS_OTHER;
}

struct fs_info fs_info_of(const struct stat *st)
{
	return (struct fs_info){
		.kind = fs_kind_of(st->st_mode),
		.mode = st->st_mode & 07777,
		.owner = st->st_uid,
		.size = st->st_size,
		.mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec,
		.ctime_ns = (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec,
		.device = st->st_dev,
		.inode = st->st_ino,
		.links = st->st_nlink,
	};
}

bool fs_info(struct fs_info *out, const char *path, bool follow, struct err *err)
{
	struct stat st;

	if (fstatat(AT_FDCWD, path, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(err, errno, "%s", path);
	*out = fs_info_of(&st);
	return true;
}

bool fs_exists(const char *path)
{
	return faccessat(AT_FDCWD, path, F_OK, AT_EACCESS) == 0;
}

bool fs_may_change_dir(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0;
}

bool fs_is_remote(const char *path)
{
	static const uint32_t kinds[] = {
		0x6969,     /* NFS */
		0x517b,     /* SMB */
		0xff534d42, /* CIFS */
		0xfe534d42, /* SMB 2 */
		0x01021997, /* 9P */
		0x5346414f, /* AFS */
		0x00c36400, /* Ceph */
		0x65735546, /* FUSE: sshfs and many others */
	};
	struct statfs about;

	if (statfs(path, &about) < 0)
		return false;
	for (size_t i = 0; i < countof(kinds); i++)
		if ((uint32_t)about.f_type == kinds[i])
			return true;
	return false;
}

bool fs_check_regular(const struct stat *st, const char *path, struct err *err)
{
	if (S_ISREG(st->st_mode))
		return true;
	return err_set(err, ERR_INVALID, "%s: %s", path,
		       S_ISDIR(st->st_mode) ? "is a directory" : "is not a regular file");
}

/* --- reading ------------------------------------------------------------------ */

bool fs_open_regular(int *fd, struct stat *st, int dir, const char *name, int flags,
		     const char *path, struct err *err)
{
	*fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
	if (*fd < 0 || fstat(*fd, st) < 0)
		return err_sys(err, errno, "%s", path);
	return fs_check_regular(st, path, err);
}

static bool fs_check_size(int64_t size, const char *path, size_t max, struct err *err)
{
	return (uint64_t)size <= max ||
	       err_set(err, ERR_TOO_BIG, "%s: too large (%lld bytes; the limit is %zu)", path,
		       (long long)size, max);
}

/* Checks before opening, because opening a device can have effects, and checks again what was
 * opened. O_NONBLOCK keeps the open from blocking. The caller always closes `*fd`. */
static bool fs_open_checked(int *fd, struct stat *st, const char *path, struct err *err)
{
	if (stat(path, st) < 0)
		return err_sys(err, errno, "%s", path);
	return fs_check_regular(st, path, err) &&
	       fs_open_regular(fd, st, AT_FDCWD, path, 0, path, err);
}

/* The size is only a hint: files of /proc say 0, and any file may grow meanwhile. */
static bool fs_read_all(struct str *out, int fd, size_t size_hint, const char *path, size_t max,
			struct err *err)
{
	size_t start = out->len;
	ssize_t n;

	str_reserve(out, size_hint + 1);
	out->ptr[out->len] = '\0';
	for (;;) {
		if (out->cap - out->len < 2)
			str_reserve(out, max_of(out->len - start, (size_t)4096));
		n = read(fd, out->ptr + out->len, out->cap - out->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, errno, "%s", path);
		if (n == 0)
			return true;
		if ((size_t)n > max - (out->len - start))
			return err_set(err, ERR_TOO_BIG, "%s: too large (more than %zu bytes)",
				       path, max);
		out->len += (size_t)n;
		out->ptr[out->len] = '\0';
	}
}

bool fs_read_fd(struct str *out, int fd, int64_t size, const char *path, size_t max,
		struct err *err)
{
	size_t before = out->len;

	if (!fs_check_size(size, path, max, err))
		return false;
	if (fs_read_all(out, fd, (size_t)size, path, max, err))
		return true;
	str_truncate(out, before);
	return false;
}

bool fs_read(struct str *out, const char *path, size_t max, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st;

	return fs_open_checked(&fd, &st, path, err) &&
	       fs_read_fd(out, fd, st.st_size, path, max, err);
}

bool fs_map(struct fs_map *out, const char *path, size_t max, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st;
	void *bytes;

	if (!fs_open_checked(&fd, &st, path, err) || !fs_check_size(st.st_size, path, max, err))
		return false;
	if (st.st_size == 0) {
		out->bytes = SV_EMPTY;
		return true;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return err_sys(err, errno, "%s", path);
	out->bytes = sv_from(bytes, (size_t)st.st_size);
	return true;
}

void fs_unmap(struct fs_map *map)
{
	if (map->bytes.len)
		munmap((void *)map->bytes.ptr, map->bytes.len);
	map->bytes = SV_EMPTY;
}

/* --- reading parts ------------------------------------------------------------ */

struct fs_file {
	int fd;
	char *path;
};

struct fs_file *fs_file_new(int fd, const char *path)
{
	struct fs_file *file = xnew(struct fs_file);

	file->fd = fd;
	file->path = xstrdup(path);
	return file;
}

struct fs_file *fs_open(const char *path, int64_t *size, struct err *err)
{
	defer(fd_close) int fd = -1;
	struct stat st;

	if (!fs_open_checked(&fd, &st, path, err))
		return NULL;
	*size = st.st_size;
	return fs_file_new(fd_move(&fd), path);
}

bool fs_read_at(struct fs_file *file, int64_t at, void *out, size_t n, struct err *err)
{
	char *to = out;

	while (n > 0) {
		ssize_t got = pread(file->fd, to, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, errno, "%s", file->path);
		if (got == 0)
			return err_set(err, ERR_STALE, "%s became shorter while it was read",
				       file->path);
		to += got;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

void fs_close(struct fs_file *file)
{
	if (!file)
		return;
	fd_close(&file->fd);
	free(file->path);
	free(file);
}

void fs_closep(struct fs_file **file)
{
	fs_close(*file);
	*file = NULL;
}

/* --- names -------------------------------------------------------------------- */

static bool fs_make_dir(const char *path, uint32_t mode, struct err *err)
{
	struct stat st;

	if (mkdir(path, mode) == 0)
		return true;
	if (errno != EEXIST)
		return err_sys(err, errno, "cannot create the directory %s", path);
	if (stat(path, &st) < 0)
		return err_sys(err, errno, "%s", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, ERR_EXISTS, "%s exists and is not a directory", path);
	return true;
}

bool fs_mkdirs(const char *path, uint32_t mode, struct err *err)
{
	defer(str_clear) struct str prefix = STR_INIT;
	struct sv rest = sv_cstr(path);
	struct sv part;
	struct stat st;

	if (!rest.len)
		return err_set(err, ERR_INVALID, "cannot create a directory: the path is empty");
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) /* nearly always */
		return true;
	if (path[0] == '/')
		str_addc(&prefix, '/');
	while (sv_cut(&rest, '/', &part)) {
		if (!part.len)
			continue;
		fs_join(&prefix, SV_EMPTY, part);
		if (!fs_make_dir(str_c(&prefix), mode, err))
			return false;
	}
	return true;
}

bool fs_remove(const char *path, struct err *err)
{
	int errnum;

	if (unlink(path) == 0 || errno == ENOENT)
		return true;
	errnum = errno;
	if (errnum == EISDIR && rmdir(path) == 0)
		return true;
	return err_sys(err, errnum == EISDIR ? errno : errnum, "cannot remove %s", path);
}

bool fs_rename(const char *from, const char *to, struct err *err)
{
	if (rename(from, to) == 0)
		return true;
	return err_sys(err, errno, "cannot rename %s to %s", from, to);
}

bool fs_chmod(const char *path, uint32_t mode, struct err *err)
{
	return chmod(path, mode & 07777) == 0 ||
	       err_sys(err, errno, "cannot change the mode of %s", path);
}

bool fs_symlink(const char *target, const char *path, struct err *err)
{
	return symlink(target, path) == 0 || err_sys(err, errno, "cannot create the link %s", path);
}

bool fs_readlink(struct str *out, const char *path, struct err *err)
{
	char target[LIMIT_PATH + 1];
	ssize_t n = readlink(path, target, sizeof(target));

	if (n < 0)
		return err_sys(err, errno, "cannot read the link %s", path);
	if (n == (ssize_t)sizeof(target))
		return err_sys(err, ENAMETOOLONG, "cannot read the link %s", path);
	str_add(out, sv_from(target, (size_t)n));
	return true;
}

bool fs_realpath(struct str *out, const char *path, struct err *err)
{
	char resolved[PATH_MAX];

	if (!realpath(path, resolved))
		return err_sys(err, errno, "%s", path);
	str_adds(out, resolved);
	return true;
}

bool fs_cwd(struct str *out, struct err *err)
{
	char path[LIMIT_PATH];

	if (!getcwd(path, sizeof(path)))
		return err_sys(err, errno, "cannot determine the working directory");
	str_adds(out, path);
	return true;
}

bool fs_temp_dir(struct str *out, struct err *err)
{
	return fs_temp_dir_in(out, getenv("TMPDIR"), err);
}

bool fs_temp_dir_in(struct str *out, const char *base, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, base && base[0] ? sv_cstr(base) : SV("/tmp"), SV("awl-XXXXXX"));
	if (!mkdtemp(path.ptr))
		return err_sys(err, errno, "cannot create a temporary directory in %s",
			       base && base[0] ? base : "/tmp");
	str_add(out, sv_of(&path));
	return true;
}
