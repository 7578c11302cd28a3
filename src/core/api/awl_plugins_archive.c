/* awl_plugins.h: archives of plugins that a session loads without installing them. Each is unpacked once, to a directory
 * that has the hash of the archive as its name. */
#include "base/limits.h"
#include "core/api/awl_plugins_int.h"
#include "extend/plugins/tree.h"
#include "sys/fs.h"

struct awl_plugins_archive_sweep {
	const char *dir;
	int64_t now;
};

/* Those that nobody has used for a while are removed. */
static enum fs_visit awl_plugins_archive_visit(void *arg, const struct fs_entry *entry)
{
	struct awl_plugins_archive_sweep *s = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	fs_join(&path, sv_cstr(s->dir), entry->path);
	if (fs_info(&info, path.ptr, false, &ignored) &&
	    info.mtime_ns / 1000000 < s->now - LIMIT_PLUGIN_ORPHAN_MS)
		(void)!fs_remove_tree(path.ptr, &ignored);
	return FS_SKIP;
}

static void awl_plugins_archive_sweep(const char *dir)
{
	struct awl_plugins_archive_sweep s = { .dir = dir };
	struct loop *loop = loop_new();
	struct err ignored = ERR_INIT;

	s.now = loop_wall(loop);
	loop_free(loop);
	(void)!fs_walk(dir, awl_plugins_archive_visit, &s, &ignored);
}

static bool awl_plugins_archive_read_source(struct awl_plugins *c, const char *given,
					    struct plugin_source *out, struct err *err)
{
	struct sv url = sv_cstr(given);
	defer(str_clear) struct str full = STR_INIT, real = STR_INIT;

	*out = (struct plugin_source){ .kind = SOURCE_ARCHIVE, .url = url };
	if (sv_starts(url, SV("https://")) || sv_starts(url, SV("http://")))
		return true;
	if (sv_find(url, SV("://")) != SIZE_MAX)
		return err_set(err, ERR_INVALID, "%s: not an address that awl fetches from", given);
	fs_join(&full, *given == '/' ? SV_EMPTY : sv_of(&c->p->dir), url);
	if (!fs_realpath(&real, full.ptr, err))
		return false;
	out->url = arena_printf(&c->p->arena, "file://%s", real.ptr);
	return true;
}

/* Fetch it into a directory of work, and move what it contains to its place. */
static bool awl_plugins_archive_take(struct awl_plugins *c, struct plugin_fetch *fetch,
				     const char *dir, const char *work, const char **out,
				     struct err *err)
{
	defer(str_clear) struct str into = STR_INIT, stage = STR_INIT;
	const char *place;

	fs_join(&into, sv_cstr(work), SV("fetched"));
	fs_join(&stage, sv_cstr(work), SV("plugin"));
	fetch->into = into.ptr;
	if (!awl_plugins_fetch(c, fetch, err))
		return false;
	place = arena_printf(&c->p->arena, "%s/%.*s", dir,
			     SV_ARG(sv_slice(sv_of(&fetch->digest), 0, 16)))
			.ptr;
	if (!plugin_tree_copy(fetch->dir.ptr, work, stage.ptr, err))
		return false;
	*out = place;
	if (!fs_exists(place))
		return fs_rename(stage.ptr, place, err);
	/* It is there already: note that it is used. */
	return fs_write(arena_printf(&c->p->arena, "%s/.used_at", place).ptr, SV_EMPTY,
			(struct fs_write){ .mode = 0600 }, err);
}

enum awl_result awl_plugin_unpack(struct awl_project *p, const char *archive, const char **dir)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	defer(str_clear) struct str work = STR_INIT;
	struct plugin_source source;
	struct plugin_fetch fetch = { .source = &source, .allows_local = true };
	struct err err = ERR_INIT, ignored = ERR_INIT;
	const char *base;
	bool ok;

	if (!awl_plugins_open(&c, p, &err))
		return awl_end(false, &err);
	base = awl_plugins_path(&c, "unpacked");
	ok = (!settings_bool(c.settings, "disableSideloadFlags") ||
	      err_set(&err, ERR_ACCESS, "%s: disableSideloadFlags is set", archive)) &&
	     awl_plugins_archive_read_source(&c, archive, &source, &err) &&
	     fs_mkdirs(base, 0700, &err) && fs_temp_dir_in(&work, base, &err) &&
	     awl_plugins_archive_take(&c, &fetch, base, work.ptr, dir, &err);
	plugin_fetch_clear(&fetch);
	if (work.len)
		(void)!fs_remove_tree(work.ptr, &ignored);
	awl_plugins_archive_sweep(base);
	return awl_end(ok, &err);
}
