#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "sys/real/fs_real.h"

enum { MAX_LINKS = 40 }; /* as the kernel follows */

/* --- where ---------------------------------------------------------------------- */

void fs_place_clear(struct fs_place *place)
{
	fd_close(&place->dir);
	free(move(place->name));
}

/* Moves to where `to` leads from the place's directory. */
static bool step_to(struct fs_place *p, struct sv to, const char *path, struct err *err)
{
	size_t slash = sv_rfind_char(to, '/');
	struct sv name = slash == SIZE_MAX ? to : sv_skip(to, slash + 1);
	defer(mem_freep) char *dir =
		sv_dup(slash == SIZE_MAX ? SV(".") : sv_slice(to, 0, slash + 1));
	int fd;

	if (!to.len)
		return err_set(err, ERR_INVALID, "no file to write: the path is empty");
	if (!name.len || sv_is(name, ".") || sv_is(name, ".."))
		return err_set(err, ERR_INVALID, "%s: is a directory", path);
	fd = openat(p->dir < 0 ? AT_FDCWD : p->dir, dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	fs_place_clear(p);
	p->dir = fd;
	p->name = sv_dup(name);
	return true;
}

/* Looks at the last part. Where it is a link, appends the target to `link`. */
static bool look(struct fs_place *p, struct str *link, const char *path, struct err *err)
{
	char target[LIMIT_PATH];
	ssize_t n;

	BUG_ON(!p->name);
	p->exists = fstatat(p->dir, p->name, &p->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!p->exists)
		return errno == ENOENT || err_sys(err, errno, "%s", path);
	if (!S_ISLNK(p->st.st_mode))
		return true;
	n = readlinkat(p->dir, p->name, target, sizeof(target));
	if (n < 0)
		return err_sys(err, errno, "%s", path);
	str_add(link, sv_from(target, (size_t)n));
	return true;
}

bool fs_place_find(struct fs_place *out, const char *path, struct err *err)
{
	defer(fs_place_clear) struct fs_place p = FS_PLACE_INIT;
	defer(str_clear) struct str to = STR_INIT;

	str_adds(&to, path);
	for (int links = 0; links <= MAX_LINKS; links++) {
		if (!step_to(&p, sv_of(&to), path, err))
			return false;
		str_truncate(&to, 0);
		if (!look(&p, &to, path, err))
			return false;
		if (to.len == 0) {
			*out = p;
			p = (struct fs_place)FS_PLACE_INIT;
			return true;
		}
	}
	return err_sys(err, ELOOP, "%s", path);
}

/* --- what ----------------------------------------------------------------------- */

/* A new file beside the one to be replaced, gone again unless it takes its
 * place. */
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
		d->fd = openat(at->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			       mode);
	} while (d->fd < 0 && errno == EEXIST);
	if (d->fd < 0)
		return err_sys(err, errno, "cannot write in the directory of %s", path);
	d->dir = at->dir;
	memcpy(d->name, name, sizeof(name));
	return true;
}

static bool write_all(int fd, struct sv bytes, const char *path, struct err *err)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, errno, "cannot write %s", path);
		bytes = sv_skip(bytes, (size_t)n);
	}
	return true;
}

/* Owner first: changing it takes the set-id bits away. */
static bool keep_identity(int fd, const struct stat *old, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, errno, "cannot write %s", path);
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(fd, old->st_uid, old->st_gid) < 0)
		return err_sys(err, errno, "cannot keep the owner of %s", path);
	if (fchmod(fd, old->st_mode & 07777) < 0)
		return err_sys(err, errno, "cannot keep the mode of %s", path);
	return true;
}

static bool set_identity(int fd, const struct fs_place *at, uint32_t mode, const char *path,
			 struct err *err)
{
	if (at->exists)
		return keep_identity(fd, &at->st, path, err);
	if (mode && fchmod(fd, mode & 07777) < 0)
		return err_sys(err, errno, "cannot set the mode of %s", path);
	return true;
}

/* What a plain write into the file would refuse, a rename over it would not. */
static bool may_replace(const struct fs_place *at, const char *path, struct err *err)
{
	if (!at->exists)
		return true;
	if (!fs_check_regular(&at->st, path, err))
		return false;
	return faccessat(at->dir, at->name, W_OK, AT_EACCESS) == 0 ||
	       err_sys(err, errno, "%s", path);
}

static bool sync_fd(int fd, const char *path, struct err *err)
{
	return fsync(fd) == 0 || err_sys(err, errno, "cannot make %s durable", path);
}

/* The draft is whole on disk before it gets the name, and the name is on disk
 * before we say so. */
static bool draft_place(struct draft *d, const struct fs_place *at, bool sync, const char *path,
			struct err *err)
{
	defer(fd_close) int dir = -1;
	int closed;

	if (sync && !sync_fd(d->fd, path, err))
		return false;
	if (sync) {
		dir = openat(at->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0)
			return err_sys(err, errno, "cannot make %s durable", path);
	}
	closed = close(fd_move(&d->fd));
	if (closed < 0 || renameat(at->dir, d->name, at->dir, at->name) < 0)
		return err_sys(err, errno, "cannot write %s", path);
	d->name[0] = '\0';
	return !sync || sync_fd(dir, path, err);
}

bool fs_write(const char *path, struct sv bytes, struct fs_write how, struct err *err)
{
	defer(fs_place_clear) struct fs_place at = FS_PLACE_INIT;
	defer(draft_clear) struct draft draft = { .fd = -1 };
	uint32_t mode = how.mode ? how.mode : 0666;

	return fs_place_find(&at, path, err) && may_replace(&at, path, err) &&
	       draft_make(&draft, &at, at.exists ? 0600 : mode & 0777, path, err) &&
	       write_all(draft.fd, bytes, path, err) &&
	       set_identity(draft.fd, &at, how.mode, path, err) &&
	       draft_place(&draft, &at, how.sync, path, err);
}
