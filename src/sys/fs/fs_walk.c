#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/limits.h"
#include "sys/fs/fs_real.h"

/* --- one directory ---------------------------------------------------------------- */

struct name {
	size_t at; /* in `text`, NUL-terminated */
	enum fs_kind kind;
};

struct names {
	struct str text;
	VEC(struct name) list;
};

static void names_clear(struct names *names)
{
	str_clear(&names->text);
	vec_clear(&names->list);
}

static enum fs_kind fs_walk_kind_of_entry(int dir, const struct dirent *entry)
{
	struct stat st;

	switch (entry->d_type) {
	case DT_REG: return FS_FILE;
	case DT_DIR: return FS_DIR;
	case DT_LNK: return FS_LINK;
	case DT_UNKNOWN:
		if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			return fs_kind_of(st.st_mode);
		return FS_OTHER;
	default: return FS_OTHER;
	}
}

static int fs_walk_compare(const void *a, const void *b, void *text)
{
	const struct name *x = a;
	const struct name *y = b;

	return strcmp((const char *)text + x->at, (const char *)text + y->at);
}

static void names_add(struct names *names, int dir, const struct dirent *entry)
{
	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return;
	vec_push(&names->list, ((struct name){ .at = names->text.len,
					       .kind = fs_walk_kind_of_entry(dir, entry) }));
	str_add(&names->text, sv_from(entry->d_name, strlen(entry->d_name) + 1));
}

static void fs_walk_dir_close(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* Reads and sorts all names in `fd`, and takes `fd`. Returns errno, or 0. */
static int names_read(struct names *out, int fd)
{
	defer(fs_walk_dir_close) DIR *dir = fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		fd_close(&fd);
		return EMFILE;
	}
	/* cppcheck-suppress readdirCalled ; the stream is ours alone */
	while (errno = 0, entry = readdir(dir)) {
		if (out->list.n == LIMIT_DIR_ENTRIES)
			return EFBIG;
		names_add(out, dirfd(dir), entry);
	}
	if (errno)
		return errno;
	if (out->list.n)
		qsort_r(out->list.at, out->list.n, sizeof(*out->list.at), fs_walk_compare,
			out->text.ptr);
	return 0;
}

static int fs_walk_open_dir(int at, const char *name, int flags)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | flags);
}

/* --- walking ---------------------------------------------------------------------- */

struct walk {
	fs_visit_fn *visit;
	void *arg;
	struct str path;
	bool stopped;
};

bool fs_entry_info(struct fs_info *out, const struct fs_entry *entry)
{
	struct stat st;

	if (fstatat((int)entry->parent, entry->name.ptr, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*out = fs_info_of(&st);
	return true;
}

bool fs_entry_is_open(const struct fs_entry *entry)
{
	return entry->depth + 1 < LIMIT_WALK_DEPTH &&
	       faccessat((int)entry->parent, entry->name.ptr, R_OK | X_OK, AT_EACCESS) == 0;
}

static int walk_dir(struct walk *w, int fd, int depth);

static void walk_entry(struct walk *w, int dir, const char *name, enum fs_kind kind, int depth)
{
	size_t before = w->path.len;
	enum fs_visit next;
	int fd;

	fs_join(&w->path, SV_EMPTY, sv_cstr(name));
	next = w->visit(w->arg, &(struct fs_entry){ .path = sv_of(&w->path),
						    .name = sv_cstr(name),
						    .kind = kind,
						    .depth = depth,
						    .parent = dir });
	w->stopped = next == FS_STOP;
	if (next == FS_GO_ON && kind == FS_DIR && depth + 1 < LIMIT_WALK_DEPTH) {
		fd = fs_walk_open_dir(dir, name, O_NOFOLLOW);
		if (fd >= 0) /* otherwise it is unreadable, or gone by now */
			walk_dir(w, fd, depth + 1);
	}
	str_truncate(&w->path, before);
}

/* Takes `fd`. Depth is capped by LIMIT_WALK_DEPTH. */
static int walk_dir(struct walk *w, int fd, int depth)
{
	defer(names_clear) struct names names = { .list = VEC_INIT };
	defer(fd_close) int dir = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int errnum = names_read(&names, fd);

	if (dir < 0 || errnum)
		return dir < 0 ? EMFILE : errnum;
	for (size_t i = 0; i < names.list.n && !w->stopped; i++)
		walk_entry(w, dir, names.text.ptr + names.list.at[i].at, names.list.at[i].kind,
			   depth);
	return 0;
}

int fs_walk_fd(int fd, fs_visit_fn *visit, void *arg)
{
	struct walk w = { .visit = visit, .arg = arg };
	int errnum = walk_dir(&w, fd, 0);

	str_clear(&w.path);
	return errnum;
}

bool fs_walk(const char *root, fs_visit_fn *visit, void *arg, struct err *err)
{
	int fd = fs_walk_open_dir(AT_FDCWD, root, 0);
	int errnum = fd < 0 ? errno : fs_walk_fd(fd, visit, arg);

	return !errnum || err_sys(err, errnum, "%s", root);
}

/* --- removing --------------------------------------------------------------------- */

struct removal {
	int root;
	unsigned int moved; /* directories that were too deep, moved up to the root */
	int errnum;         /* the first failure */
	struct str failed;  /* the name it is about */
};

static void fs_walk_note_failure(struct removal *r, const char *name)
{
	if (r->errnum || errno == ENOENT)
		return;
	r->errnum = errno;
	str_adds(&r->failed, name);
}

static void fs_walk_remove_inside(struct removal *r, int fd, int depth);

/* Whether a directory that was emptied is not empty: somebody has put something into it meanwhile. */
static bool fs_walk_is_filled_again(const struct removal *r, int tries)
{
	enum { MOST_TRIES = 10 };

	return errno == ENOTEMPTY && !r->errnum && tries < MOST_TRIES;
}

/* The depth is limited: a deeper directory is moved up to the root and removed there. */
static void fs_walk_remove_entry(struct removal *r, int dir, const char *name, int depth)
{
	int errnum = 0, tries = 0;
	char up[32];
	int fd;

	if (unlinkat(dir, name, 0) == 0)
		return;
	if (errno != EISDIR) {
		fs_walk_note_failure(r, name);
		return;
	}
	if (depth + 1 == LIMIT_WALK_DEPTH) {
		snprintf(up, sizeof(up), ".awl-deep-%u", r->moved++);
		if (renameat(dir, name, r->root, up) < 0)
			fs_walk_note_failure(r, name);
		return;
	}
	do {
		fd = fs_walk_open_dir(dir, name, O_NOFOLLOW);
		if (fd >= 0)
			fs_walk_remove_inside(r, fd, depth + 1);
		else
			errnum = errno;
		if (unlinkat(dir, name, AT_REMOVEDIR) == 0) /* an empty one need not be readable */
			return;
	} while (!errnum && fs_walk_is_filled_again(r, ++tries));
	errno = errnum ? errnum : errno;
	fs_walk_note_failure(r, name);
}

/* Takes `fd`. */
static void fs_walk_remove_inside(struct removal *r, int fd, int depth)
{
	defer(names_clear) struct names names = { .list = VEC_INIT };
	defer(fd_close) int dir = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (dir < 0 || names_read(&names, fd))
		return; /* removing it will fail and report why */
	for (size_t i = 0; i < names.list.n; i++)
		fs_walk_remove_entry(r, dir, names.text.ptr + names.list.at[i].at, depth);
}

bool fs_remove_tree(const char *path, struct err *err)
{
	struct removal r = { .root = fs_walk_open_dir(AT_FDCWD, path, O_NOFOLLOW) };
	unsigned int moved;
	bool gone;
	int tries = 0;

	if (r.root < 0)
		return fs_remove(path, err);
	do {
		moved = r.moved;
		fs_walk_remove_inside(&r, fs_walk_open_dir(r.root, ".", 0), 0);
		gone = rmdir(path) == 0 || errno == ENOENT;
	} while (!gone && ((r.moved > moved && !r.errnum) || fs_walk_is_filled_again(&r, ++tries)));
	if (!gone && r.errnum)
		err_sys(err, r.errnum, "cannot remove %s: %s", path, str_c(&r.failed));
	else if (!gone)
		err_sys(err, errno, "cannot remove %s", path);
	fd_close(&r.root);
	str_clear(&r.failed);
	return gone;
}
