/* Writes new content to a file in one of two ways: by a draft that is renamed over it, or in place
 * where a rename would lose something (see fs_write() in fs.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "sys/fs/fs_real.h"

enum { COPY_PIECE = 256 * KIB };

/* --- has it changed? --------------------------------------------------------------------- */

static bool replace_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool fs_place_is_same(const struct fs_place *at)
{
	struct stat st;

	if (fstatat(at->dir, at->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT && !at->exists;
	return at->exists && replace_is_same(&st, &at->st);
}

bool fs_stale(const char *path, struct err *err)
{
	return err_set(err, ERR_STALE, "%s was changed by another program meanwhile", path);
}

/* A rename would succeed on files that a plain write would refuse. */
static bool replace_may(const struct fs_place *at, bool alone, const char *path, struct err *err)
{
	if (!at->exists)
		return true;
	if (!fs_check_regular(&at->st, path, err))
		return false;
	return alone || faccessat(at->dir, at->name, W_OK, AT_EACCESS) == 0 ||
	       err_sys(err, errno, "%s", path);
}

/* --- a second file beside it ------------------------------------------------------------- */

/* Removed again, unless it replaces the file or is the only copy left. */
struct draft {
	int dir, fd;
	char name[32]; /* "": none */
};

static void draft_clear(struct draft *d)
{
	fd_close(&d->fd);
	if (d->name[0])
		unlinkat(d->dir, d->name, 0);
}

static bool draft_make(struct draft *d, const struct fs_place *at, uint32_t mode, const char *path,
		       struct err *err)
{
	char name[sizeof(d->name)];
	uint64_t id;

	do {
		rng_os_bytes(&id, sizeof(id));
		snprintf(name, sizeof(name), ".awl-%016llx", (unsigned long long)id);
		d->fd = openat(at->dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			       mode);
	} while (d->fd < 0 && errno == EEXIST);
	if (d->fd < 0)
		return err_sys(err, errno, "cannot write in the directory of %s", path);
	d->dir = at->dir;
	memcpy(d->name, name, sizeof(name));
	return true;
}

static bool replace_write_at(int fd, off_t at, struct sv bytes, const char *path, struct err *err)
{
	while (bytes.len > 0) {
		ssize_t n = pwrite(fd, bytes.ptr, bytes.len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, errno, "cannot write %s", path);
		at += n;
		bytes = sv_skip(bytes, (size_t)n);
	}
	return true;
}

/* Replaces all bytes of the file. Truncating it clears the set-id bits, even if there is nothing to
 * write. */
static bool replace_fill(int fd, struct sv bytes, const char *path, struct err *err)
{
	return replace_write_at(fd, 0, bytes, path, err) &&
	       (ftruncate(fd, (off_t)bytes.len) == 0 ||
		err_sys(err, errno, "cannot write %s", path));
}

static bool replace_sync_fd(int fd, const char *path, struct err *err)
{
	return fsync(fd) == 0 || err_sys(err, errno, "cannot make %s durable", path);
}

/* --- by a draft --------------------------------------------------------------------- */

/* False, with `*unfit` set, when the draft cannot get all attributes of the file. */
static bool draft_be(struct draft *d, const struct fs_place *at, uint32_t mode, bool *unfit,
		     const char *path, struct err *err)
{
	defer(fd_close) int old = -1;
	struct stat st;
	int errnum;

	if (!at->exists)
		return !mode || fchmod(d->fd, mode & 07777) == 0 ||
		       err_sys(err, errno, "cannot set the mode of %s", path);
	if (!fs_open_regular(&old, &st, at->dir, at->name, O_NOFOLLOW, path, err))
		return false;
	if (st.st_ino != at->st.st_ino || st.st_dev != at->st.st_dev)
		return fs_stale(path, err);
	errnum = fs_attrs_copy(d->fd, old, &st);
	*unfit = errnum != 0;
	return !errnum || err_sys(err, errnum, "cannot keep the owner and attributes of %s", path);
}

/* The last chance to notice a file of somebody else. Between this check and the rename only the
 * name itself can change. */
static bool replace_take_name(const struct draft *d, const struct fs_place *at, bool exact)
{
	if (exact && !at->exists) {
		if (renameat2(at->dir, d->name, at->dir, at->name, RENAME_NOREPLACE) == 0)
			return true;
		if (errno != EINVAL &&
		    errno != ENOSYS) /* otherwise the file system does not support it */
			return false;
	}
	if (exact && !fs_place_is_same(at)) {
		errno = EEXIST;
		return false;
	}
	return renameat(at->dir, d->name, at->dir, at->name) == 0;
}

/* The draft is durable before it gets the name, and the name is durable before we return. */
static bool draft_place(struct draft *d, struct fs_place *at, bool sync, bool exact, bool *unfit,
			const char *path, struct err *err)
{
	defer(fd_close) int dir = -1;
	struct stat st;

	if (sync && !replace_sync_fd(d->fd, path, err))
		return false;
	if (sync) {
		dir = openat(at->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0)
			return err_sys(err, errno, "cannot make %s durable", path);
	}
	if (fstat(d->fd, &st) < 0 || close(fd_move(&d->fd)) < 0)
		return err_sys(err, errno, "cannot write %s", path);
	if (!replace_take_name(d, at, exact)) {
		*unfit = errno == EBUSY; /* the file is a mount point */
		return errno == EEXIST ? fs_stale(path, err)
				       : err_sys(err, errno, "cannot write %s", path);
	}
	d->name[0] = '\0';
	at->exists = true;
	at->st = st;
	return !sync || replace_sync_fd(dir, path, err);
}

static bool replace_write_draft(struct fs_place *at, struct sv bytes, struct fs_write how,
				bool exact, bool *unfit, const char *path, struct err *err)
{
	defer(draft_clear) struct draft d = { .fd = -1 };
	uint32_t mode = how.mode ? how.mode : 0666;

	if (!draft_make(&d, at, at->exists ? 0600 : mode & 0777, path, err)) {
		*unfit = at->exists && err->kind == ERR_ACCESS; /* to the directory */
		return false;
	}
	return draft_be(&d, at, how.mode, unfit, path, err) &&
	       replace_fill(d.fd, bytes, path, err) &&
	       draft_place(&d, at, how.sync, exact, unfit, path, err);
}

/* --- in place ----------------------------------------------------------------------- */

/* Through memory: this is rarely needed, and works on every file system. */
static bool replace_copy_bytes(int to, int from, off_t size, const char *path, struct err *err)
{
	defer(mem_freep) char *piece = xmalloc(COPY_PIECE);

	for (off_t at = 0; at < size;) {
		ssize_t n = pread(from, piece, (size_t)min_of(size - at, (off_t)COPY_PIECE), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, errno, "cannot copy %s", path);
		if (n == 0)
			return fs_stale(path, err);
		if (!replace_write_at(to, at, sv_from(piece, (size_t)n), path, err))
			return false;
		at += n;
	}
	return true;
}

/* Beside the file, or in memory where no file can be created. */
static bool replace_copy_make(struct draft *copy, const struct fs_place *at, const char *path,
			      struct err *err)
{
	if (draft_make(copy, at, 0600, path, err))
		return true;
	if (err->kind != ERR_ACCESS)
		return false;
	copy->fd = memfd_create("copy", MFD_CLOEXEC);
	return copy->fd >= 0 || err_sys(err, errno, "cannot copy %s", path);
}

/* Allocates the space before changing anything, where the file system can: a full disk is the most
 * likely failure. */
static bool replace_take_space(int fd, size_t size, const char *path, struct err *err)
{
	if (!size || fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)size) == 0)
		return true;
	return (errno != ENOSPC && errno != EDQUOT && errno != EFBIG) ||
	       err_sys(err, errno, "cannot write %s", path);
}

/* Restores the bytes from the copy. If that fails too, the copy stays, if it has a name. */
static bool replace_put_back(int fd, struct draft *copy, off_t size, const char *path,
			     struct err *err)
{
	struct err why;

	if (replace_copy_bytes(fd, copy->fd, size, path, &why) && ftruncate(fd, size) == 0)
		return false;
	if (copy->name[0])
		err_context(err, "the old content is in %s beside it and could not be restored",
			    copy->name);
	else
		err_context(err, "the old content could not be restored");
	copy->name[0] = '\0';
	return false;
}

static bool replace_write_in_place(struct fs_place *at, struct sv bytes, struct fs_write how,
				   bool exact, const char *path, struct err *err)
{
	defer(draft_clear) struct draft copy = { .fd = -1 };
	defer(fd_close) int fd =
		openat(at->dir, at->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(err, errno, "%s", path);
	if (exact ? !replace_is_same(&st, &at->st)
		  : st.st_ino != at->st.st_ino || st.st_dev != at->st.st_dev)
		/* cppcheck-suppress resourceLeak ; defer closes it */
		return fs_stale(path, err);
	if (!replace_copy_make(&copy, at, path, err) ||
	    !replace_copy_bytes(copy.fd, fd, st.st_size, path, err) ||
	    (how.sync && !replace_sync_fd(copy.fd, path, err)) ||
	    !replace_take_space(fd, bytes.len, path, err))
		return false;
	if (!replace_fill(fd, bytes, path, err) || (how.sync && !replace_sync_fd(fd, path, err)))
		return replace_put_back(fd, &copy, st.st_size, path, err);
	return fstat(fd, &at->st) == 0 || err_sys(err, errno, "%s", path);
}

bool fs_place_write(struct fs_place *at, struct sv bytes, struct fs_write how, bool exact,
		    const char *path, struct err *err)
{
	bool is_shared = at->exists && at->st.st_nlink > 1, unfit = is_shared && !how.alone;

	if (exact && !fs_place_is_same(at))
		return fs_stale(path, err);
	if (!replace_may(at, how.alone, path, err))
		return false;
	if (!unfit && replace_write_draft(at, bytes, how, exact, &unfit, path, err))
		return true;
	return unfit && !(is_shared && how.alone) &&
	       replace_write_in_place(at, bytes, how, exact, path, err);
}
