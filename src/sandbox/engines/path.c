#include "sandbox/engines/path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "sandbox/engines/placeholder.h"
#include "sys/fd.h"

enum { MOST_LINKS = 40 }; /* as in the kernel */

struct walk {
	struct str done; /* contains no link; "" is the root */
	struct str rest; /* not resolved yet */
	int links;
};

static void walk_clear(struct walk *w)
{
	str_clear(&w->done);
	str_clear(&w->rest);
}

static void path_step_up(struct walk *w)
{
	size_t slash = sv_rfind_char(sv_of(&w->done), '/');

	str_truncate(&w->done, slash == SIZE_MAX ? 0 : slash);
}

/* Takes the next component off `rest`; empty at the end. */
static struct sv path_next(struct walk *w, struct arena *arena)
{
	struct sv rest = sv_of(&w->rest), name;

	do {
		if (!sv_cut(&rest, '/', &name))
			name = SV_EMPTY;
	} while (rest.len && (!name.len || sv_is(name, ".")));
	name = sv_is(name, ".") ? SV_EMPTY : arena_dup(arena, name);
	str_consume(&w->rest, w->rest.len - rest.len);
	return name;
}

static bool path_follow(struct walk *w, const char *link, struct err *err)
{
	char target[LIMIT_PATH];
	ssize_t n = readlink(link, target, sizeof(target));

	if (n < 0 || n == (ssize_t)sizeof(target))
		return err_sys(err, n < 0 ? errno : ENAMETOOLONG, "%s", link);
	if (++w->links > MOST_LINKS)
		return err_sys(err, ELOOP, "%s", link);
	str_splice(&w->rest, 0, 0, SV("/"));
	str_splice(&w->rest, 0, 0, sv_from(target, (size_t)n));
	if (target[0] == '/')
		str_truncate(&w->done, 0);
	else
		path_step_up(w);
	return true;
}

static const char *path_keep(const struct str *path, struct arena *arena)
{
	return path->len ? arena_dup(arena, sv_of(path)).ptr : "/";
}

/* `done` is missing or cannot be entered. */
static void path_stop(struct sandbox_path *out, struct walk *w, int errnum, bool wants_dir,
		      struct arena *arena)
{
	out->missing = errnum == ENOENT;
	out->beyond = errnum == ENOTDIR;
	if (!out->missing)
		path_step_up(w);
	out->is_dir = out->missing ? wants_dir || w->rest.len > 0 : !out->beyond;
	out->path = path_keep(&w->done, arena);
}

/* Returns errno, or 0 when something is there. The placeholder of another sandbox counts as
 * missing. */
static int path_look(const char *path, struct stat *info)
{
	if (lstat(path, info) < 0)
		return errno;
	return placeholder_is(path, info) ? ENOENT : 0;
}

bool sandbox_path_resolve(struct sandbox_path *out, const char *path, struct arena *arena,
			  struct err *err)
{
	defer(walk_clear) struct walk w = { .links = 0 };
	bool wants_dir = sv_ends(sv_cstr(path), SV("/"));
	struct stat info = { .st_mode = S_IFDIR };
	struct sv name;
	int errnum;

	*out = (struct sandbox_path){ .path = NULL };
	str_adds(&w.rest, path);
	while ((name = path_next(&w, arena)).len) {
		if (sv_is(name, "..")) {
			path_step_up(&w);
			info.st_mode = S_IFDIR;
			continue;
		}
		str_addf(&w.done, "/%s", name.ptr);
		errnum = path_look(str_c(&w.done), &info);
		if (errnum) {
			path_stop(out, &w, errnum, wants_dir, arena);
			return true;
		}
		if (!S_ISLNK(info.st_mode))
			continue;
		vec_push(&out->links, path_keep(&w.done, arena));
		if (!path_follow(&w, *vec_last(&out->links), err)) {
			sandbox_path_clear(out);
			return false;
		}
		info.st_mode = S_IFDIR;
	}
	out->path = path_keep(&w.done, arena);
	out->is_dir = S_ISDIR(info.st_mode);
	return true;
}

void sandbox_path_clear(struct sandbox_path *path)
{
	vec_clear(&path->links);
}

int sandbox_path_open_dir(struct sv path)
{
	enum { FLAGS = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
	defer(str_clear) struct str name = STR_INIT;
	int dir = open("/", FLAGS), next;
	struct sv part;

	while (dir >= 0 && sv_cut(&path, '/', &part)) {
		if (!part.len)
			continue;
		str_set(&name, part);
		next = openat(dir, name.ptr, FLAGS);
		fd_close(&dir);
		dir = next;
	}
	return dir;
}

bool sandbox_path_stat(const char *path, struct statx *out)
{
	const char *name = strrchr(path, '/') + 1;
	defer(fd_close) int dir = sandbox_path_open_dir(sv_from(path, (size_t)(name - path)));

	return dir >= 0 && statx(dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
				 STATX_TYPE | STATX_INO, out) == 0;
}

bool sandbox_path_is_inside(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (len == 1)
		return true; /* `dir` is the root */
	return strncmp(path, dir, len) == 0 && (!path[len] || path[len] == '/');
}
