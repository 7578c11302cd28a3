/* awl_plugins.h: what no plugin needs any more. A session that runs may use the files of a version that was replaced, and
 * somebody may be installing at this moment. So files stay for two weeks after awl has found them unused. */
#include "base/limits.h"
#include "core/api/awl_plugins_install.h"
#include "sys/fs.h"

#define PLUGIN_ORPHAN_MARK ".orphaned_at"

struct plugin_sweep {
	struct awl_plugins *c;
	const char *dir; /* that is walked */
	int64_t now;
	plugin_texts gone; /* owned by the project */
};

/* --- what is in use ----------------------------------------------------------------------------- */

/* Whether a record names this path. It may spell the configuration directory differently. */
static bool plugin_sweep_is_of(struct json record, struct sv inside)
{
	struct sv path = json_str_or(json_get(record, "installPath"), SV_EMPTY);

	return path.len > inside.len && sv_ends(path, inside) &&
	       path.ptr[path.len - inside.len - 1] == '/';
}

/* `inside` is "cache/<marketplace>/<plugin>/<version>". */
static bool plugin_sweep_is_used(const struct plugin_sweep *s, struct sv inside)
{
	struct json_iter it = json_each(json_get(s->c->registry.installed, "plugins"));
	struct json records, record;

	while (it.keyed && json_next(&it, NULL, &records)) {
		struct json_iter inner = json_each(records);

		if (inner.keyed &&
		    plugin_sweep_is_of(records, inside)) /* as old versions wrote it */
			return true;
		while (!inner.keyed && json_next(&inner, NULL, &record))
			if (plugin_sweep_is_of(record, inside))
				return true;
	}
	return false;
}

static bool plugin_sweep_is_old(const struct plugin_sweep *s, const struct fs_info *info)
{
	return info->mtime_ns / 1000000 < s->now - LIMIT_PLUGIN_ORPHAN_MS;
}

/* --- versions --------------------------------------------------------------------------------- */

static void plugin_sweep_version(struct plugin_sweep *s, struct sv inside)
{
	const char *path = awl_plugins_path(s->c, "%.*s", SV_ARG(inside));
	defer(str_clear) struct str mark = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	fs_join(&mark, sv_cstr(path), SV(PLUGIN_ORPHAN_MARK));
	if (plugin_sweep_is_used(s, inside))
		(void)!fs_remove(mark.ptr, &ignored);
	else if (!fs_info(&info, mark.ptr, false, &ignored))
		(void)!fs_write(mark.ptr, SV_EMPTY, (struct fs_write){ .mode = 0600 }, &ignored);
	else if (plugin_sweep_is_old(s, &info))
		vec_push(&s->gone, sv_cstr(path));
}

/* A directory of work stays behind when awl is killed. */
static bool plugin_sweep_work(struct plugin_sweep *s, const struct fs_entry *entry)
{
	const char *path = awl_plugins_path(s->c, "%s/%.*s", s->dir, SV_ARG(entry->path));
	struct err ignored = ERR_INIT;
	struct fs_info info;

	if (entry->depth || !sv_starts(entry->path, SV("awl-")))
		return false;
	if (fs_info(&info, path, false, &ignored) && plugin_sweep_is_old(s, &info))
		vec_push(&s->gone, sv_cstr(path));
	return true;
}

/* <marketplace>/<plugin>/<version>. */
static enum fs_visit plugin_sweep_cached(void *arg, const struct fs_entry *entry)
{
	struct plugin_sweep *s = arg;
	defer(str_clear) struct str inside = STR_INIT;

	if (entry->kind != FS_DIR || plugin_sweep_work(s, entry))
		return FS_SKIP;
	if (entry->depth < 2)
		return FS_GO_ON;
	fs_join(&inside, sv_cstr(s->dir), entry->path);
	plugin_sweep_version(s, sv_of(&inside));
	return FS_SKIP;
}

static enum fs_visit plugin_sweep_market(void *arg, const struct fs_entry *entry)
{
	if (entry->kind == FS_DIR)
		(void)plugin_sweep_work(arg, entry);
	return FS_SKIP;
}

/* Remove a directory, and those above it that are empty then. */
static void plugin_sweep_remove(struct plugin_sweep *s, struct sv path)
{
	struct sv top = sv_cstr(awl_plugins_path(s->c, "cache/"));
	struct err ignored = ERR_INIT;

	if (!fs_remove_tree(path.ptr, &ignored))
		return;
	for (;;) {
		path = sv_slice(path, 0, sv_rfind_char(path, '/'));
		if (!sv_starts(path, top) || !fs_remove(awl_plugins_keep(s->c, path), &ignored))
			return;
	}
}

void plugin_record_sweep(struct awl_plugins *c)
{
	struct plugin_sweep s = { .c = c, .now = awl_plugin_record_now(), .gone = VEC_INIT };
	struct err ignored = ERR_INIT;

	s.dir = "cache";
	(void)!fs_walk(awl_plugins_path(c, "cache"), plugin_sweep_cached, &s, &ignored);
	s.dir = "marketplaces";
	(void)!fs_walk(awl_plugins_path(c, "marketplaces"), plugin_sweep_market, &s, &ignored);
	for (size_t i = 0; i < s.gone.n; i++)
		plugin_sweep_remove(&s, s.gone.at[i]);
	vec_clear(&s.gone);
}

/* --- data ------------------------------------------------------------------------------------ */

struct plugin_leftovers {
	struct awl_plugins *c;
	VEC(struct sv) names; /* owned by the project */
};

static bool plugin_leftovers_is_used(const struct plugin_leftovers *l, struct sv name)
{
	struct json_iter it = json_each(json_get(l->c->registry.installed, "plugins"));
	struct json records;
	struct sv id;

	while (it.keyed && json_next(&it, &id, &records)) {
		defer(str_clear) struct str data = STR_INIT;

		plugin_data_name(&data, id);
		if (sv_eq(sv_of(&data), name))
			return true;
	}
	return sv_ends(name, SV("-inline")); /* of --plugin-dir */
}

static enum fs_visit plugin_leftovers_visit(void *arg, const struct fs_entry *entry)
{
	struct plugin_leftovers *l = arg;

	if (entry->kind == FS_DIR && !plugin_leftovers_is_used(l, entry->path))
		vec_push(&l->names, sv_cstr(awl_plugins_keep(l->c, entry->path)));
	return FS_SKIP;
}

enum awl_result awl_plugins_leftovers(struct awl_project *p, bool removes, const char **text)
{
	defer(awl_plugins_clear) struct awl_plugins c = AWL_PLUGINS_INIT;
	struct plugin_leftovers l = { .c = &c, .names = VEC_INIT };
	defer(str_clear) struct str names = STR_INIT;
	struct err err = ERR_INIT, ignored = ERR_INIT;
	bool ok = awl_plugins_open(&c, p, &err);

	if (ok)
		(void)!fs_walk(awl_plugins_path(&c, "data"), plugin_leftovers_visit, &l, &ignored);
	for (size_t i = 0; ok && i < l.names.n; i++) {
		str_addf(&names, "%s%.*s", i ? ", " : "", SV_ARG(l.names.at[i]));
		if (removes)
			ok = fs_remove_tree(
				awl_plugins_path(&c, "data/%.*s", SV_ARG(l.names.at[i])), &err);
	}
	vec_clear(&l.names);
	*text = awl_plugins_keep(&c, sv_of(&names));
	return awl_end(ok, &err);
}
