#include "store/git/git_worktree_fill.h"

#include "base/limits.h"
#include "base/map.h"
#include "sys/fs.h"

/* Whether a name, which git or a settings file gave us, stays below the directory that it is joined to. */
static bool fill_is_below(struct sv name)
{
	struct sv part;

	if (!name.len || sv_starts(name, SV("/")))
		return false;
	while (sv_cut(&name, '/', &part))
		if (!part.len || sv_is(part, ".") || sv_is(part, "..") || sv_is(part, ".git"))
			return false;
	return true;
}

/* --- copies ------------------------------------------------------------------------------------ */

static bool fill_copy(const char *from, const char *to, struct sv name, struct err *err)
{
	defer(str_clear) struct str source = STR_INIT, target = STR_INIT, bytes = STR_INIT;
	defer(fs_unpinp) struct fs_pin *in = NULL;
	defer(fs_unpinp) struct fs_pin *out = NULL;
	struct err ignored = ERR_INIT;
	const struct fs_info *info;

	fs_join(&source, sv_cstr(from), name);
	fs_join(&target, sv_cstr(to), name);
	in = fs_pin(str_c(&source), &ignored);
	out = fs_pin(str_c(&target), &ignored);
	info = in ? fs_pinned_info(in) : NULL;
	if (!info || info->kind != FS_FILE || !out || fs_pinned_info(out) ||
	    !fs_pinned_read(in, &bytes, LIMIT_WORKTREE_FILE, &ignored))
		return true;
	return fs_pinned_write(out, sv_of(&bytes), (struct fs_write){ .mode = info->mode }, err);
}

bool git_worktree_copy(const char *from, const char *to, struct sv wanted, struct sv visible,
		       struct err *err)
{
	struct map names = MAP_INIT;
	bool fine = true;
	struct sv name;
	size_t n = 0;

	while (sv_cut(&visible, '\0', &name))
		map_put(&names, name, &names);
	while (fine && n < LIMIT_WORKTREE_FILES && sv_cut(&wanted, '\0', &name))
		if (fill_is_below(name) && !map_get(&names, name)) {
			fine = fill_copy(from, to, name, err);
			n++;
		}
	map_clear(&names);
	return fine;
}

/* --- links ------------------------------------------------------------------------------------- */

/* The link and what it leads to; false: there cannot be one. */
static bool fill_place_link(const char *from, const char *to, struct sv name, struct str *source,
			    struct str *link)
{
	defer(str_clear) struct str parent = STR_INIT, real = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!fill_is_below(name))
		return false;
	fs_join(source, sv_cstr(from), name);
	fs_join(link, sv_cstr(to), name);
	str_add(&parent, sv_slice(sv_of(link), 0, sv_rfind_char(sv_of(link), '/')));
	return fs_realpath(&real, str_c(&parent), &ignored) && sv_eq(sv_of(&real), sv_of(&parent));
}

bool git_worktree_link(const char *from, const char *to, struct sv names, struct err *err)
{
	struct sv name;
	bool fine = true;

	while (fine && sv_cut(&names, '\0', &name)) {
		defer(str_clear) struct str source = STR_INIT, link = STR_INIT;
		struct err ignored = ERR_INIT;
		struct fs_info info;

		if (fill_place_link(from, to, name, &source, &link) &&
		    fs_info(&info, str_c(&source), false, &ignored) && info.kind == FS_DIR &&
		    !fs_info(&info, str_c(&link), false, &ignored))
			fine = fs_symlink(str_c(&source), str_c(&link), err);
	}
	return fine;
}

bool git_worktree_is_link(const char *from, const char *to, struct sv name)
{
	defer(str_clear) struct str source = STR_INIT, link = STR_INIT, target = STR_INIT;
	struct err ignored = ERR_INIT;

	return fill_place_link(from, to, name, &source, &link) &&
	       fs_readlink(&target, str_c(&link), &ignored) &&
	       sv_eq(sv_of(&target), sv_of(&source));
}

bool git_worktree_unlink(const char *from, const char *to, struct sv names, struct err *err)
{
	struct sv name;
	bool fine = true;

	while (fine && sv_cut(&names, '\0', &name)) {
		defer(str_clear) struct str link = STR_INIT;

		if (!git_worktree_is_link(from, to, name))
			continue;
		fs_join(&link, sv_cstr(to), name);
		fine = fs_remove(str_c(&link), err);
	}
	return fine;
}
