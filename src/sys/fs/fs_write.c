#include <errno.h>
#include <fcntl.h>

#include "base/limits.h"
#include "base/mem.h"
#include "sys/fs/fs_real.h"

enum { MAX_LINKS = 40 }; /* as in the kernel */

void fs_place_clear(struct fs_place *place)
{
	fd_close(&place->dir);
	free(move(place->name));
}

/* Moves to where `to` leads from the directory of the place. */
static bool fs_write_step_to(struct fs_place *p, struct sv to, const char *path, struct err *err)
{
	size_t slash = sv_rfind_char(to, '/');
	struct sv name = slash == SIZE_MAX ? to : sv_skip(to, slash + 1);
	defer(mem_freep) char *dir =
		sv_dup(slash == SIZE_MAX ? SV(".") : sv_slice(to, 0, slash + 1));
	int fd;

	if (!to.len)
		return err_set(err, ERR_INVALID, "cannot write a file: the path is empty");
	if (!name.len || sv_is(name, ".") || sv_is(name, ".."))
		return err_set(err, ERR_INVALID, "%s is a directory", path);
	fd = openat(p->dir < 0 ? AT_FDCWD : p->dir, dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	fs_place_clear(p);
	p->dir = fd;
	p->name = sv_dup(name);
	return true;
}

/* Looks at the last component. If it is a link, appends its target to `link`. */
static bool fs_write_look(struct fs_place *p, struct str *link, const char *path, struct err *err)
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
		if (!fs_write_step_to(&p, sv_of(&to), path, err))
			return false;
		str_truncate(&to, 0);
		if (!fs_write_look(&p, &to, path, err))
			return false;
		if (to.len == 0) {
			*out = p;
			p = (struct fs_place)FS_PLACE_INIT;
			return true;
		}
	}
	return err_sys(err, ELOOP, "%s", path);
}

bool fs_write(const char *path, struct sv bytes, struct fs_write how, struct err *err)
{
	defer(fs_place_clear) struct fs_place at = FS_PLACE_INIT;

	return fs_place_find(&at, path, err) && fs_place_write(&at, bytes, how, false, path, err);
}
