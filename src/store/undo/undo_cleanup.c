/* Deletes what is older than the user wants to keep: journals by their age, then the objects and packs
 * that no journal names any more. One of the last day stays, as a session may be about to name it. */
#include "base/limits.h"
#include "store/undo/undo_internal.h"
#include "text/hex.h"

struct undo_cleanup {
	const atomic_bool *stop;
	int64_t before_ns, objects_before_ns;
	struct sv dir;   /* that is walked */
	struct map kept; /* names of the objects and packs that journals need */
	size_t removed;  /* journals */
	bool is_unsure;  /* a journal cannot be read, so every object may be needed */
};

static bool undo_cleanup_is_over(const struct undo_cleanup *c)
{
	return c->stop && atomic_load_explicit(c->stop, memory_order_relaxed);
}

static enum fs_visit undo_cleanup_visit_log(void *arg, const struct fs_entry *entry)
{
	struct undo_cleanup *c = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	if (entry->kind != FS_FILE || !sv_ends(entry->name, SV(".log")) ||
	    !fs_entry_info(&info, entry) || info.mtime_ns >= c->before_ns)
		return FS_SKIP;
	fs_join(&path, c->dir, entry->name);
	c->removed += fs_remove(path.ptr, &err);
	return FS_SKIP;
}

/* The name that a content has in the walk, without slashes. */
static void undo_cleanup_keep_one(struct undo_cleanup *c, const struct undo_state *state)
{
	defer(str_clear) struct str name = STR_INIT;

	if (state->kind != UNDO_FILE)
		return;
	if (state->text) {
		str_addf(&name, "%s.pack", state->text);
	} else {
		str_adds(&name, "objects");
		hex_encode(&name, digest_sv(&state->digest));
	}
	map_put(&c->kept, sv_of(&name), c);
}

static void undo_cleanup_keep(struct undo_cleanup *c, struct undo_past *past)
{
	struct sv path;
	void *value;

	for (size_t i = 0; map_next(&past->paths, &i, &path, &value);) {
		const struct undo_path *p = value;

		for (size_t v = 0; v < p->versions.n; v++)
			undo_cleanup_keep_one(c, &p->versions.at[v].state);
	}
}

static enum fs_visit undo_cleanup_read_log(void *arg, const struct fs_entry *entry)
{
	struct undo_cleanup *c = arg;
	defer(undo_past_freep) struct undo_past *past = NULL;
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	if (entry->kind != FS_FILE || !sv_ends(entry->name, SV(".log")))
		return FS_SKIP;
	past = xnew(struct undo_past);
	fs_join(&path, c->dir, entry->name);
	if (undo_past_load(past, path.ptr, &err))
		undo_cleanup_keep(c, past);
	else
		c->is_unsure = true;
	return FS_SKIP;
}

static enum fs_visit undo_cleanup_visit_object(void *arg, const struct fs_entry *entry)
{
	struct undo_cleanup *c = arg;
	defer(str_clear) struct str name = STR_INIT, path = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	if (undo_cleanup_is_over(c))
		return FS_STOP;
	if (entry->kind != FS_FILE || sv_ends(entry->name, SV(".log")))
		return FS_GO_ON;
	for (size_t i = 0; i < entry->path.len; i++)
		if (entry->path.ptr[i] != '/')
			str_addc(&name, entry->path.ptr[i]);
	if (map_get(&c->kept, sv_of(&name)) || !fs_entry_info(&info, entry) ||
	    info.mtime_ns >= c->objects_before_ns)
		return FS_GO_ON;
	fs_join(&path, c->dir, entry->path);
	(void)!fs_remove(path.ptr, &err);
	return FS_GO_ON;
}

static void undo_cleanup_project(struct undo_cleanup *c, const char *dir)
{
	size_t before = c->removed;
	struct err err = ERR_INIT;

	c->dir = sv_cstr(dir);
	c->is_unsure = false;
	if (!fs_walk(dir, undo_cleanup_visit_log, c, &err) || c->removed == before)
		return;
	if (fs_walk(dir, undo_cleanup_read_log, c, &err) && !c->is_unsure)
		(void)!fs_walk(dir, undo_cleanup_visit_object, c, &err);
	map_clear(&c->kept);
}

struct undo_cleanup_all {
	struct undo_cleanup cleanup;
	struct str dir;
};

static enum fs_visit undo_cleanup_visit_project(void *arg, const struct fs_entry *entry)
{
	struct undo_cleanup_all *all = arg;
	size_t before = all->dir.len;

	if (undo_cleanup_is_over(&all->cleanup))
		return FS_STOP;
	if (entry->kind != FS_DIR)
		return FS_SKIP;
	fs_join(&all->dir, SV_EMPTY, entry->name);
	undo_cleanup_project(&all->cleanup, all->dir.ptr);
	str_truncate(&all->dir, before);
	return FS_SKIP;
}

size_t undo_cleanup(const char *config_dir, int64_t now_ns, int64_t days, const atomic_bool *stop)
{
	const int64_t day_ns = (int64_t)24 * 3600 * 1000000000;
	struct undo_cleanup_all all = {
		.cleanup = { .stop = stop,
			     .before_ns = days < now_ns / day_ns ? now_ns - days * day_ns : 0,
			     .objects_before_ns = now_ns - day_ns },
	};
	struct err ignored = ERR_INIT;

	fs_join(&all.dir, sv_cstr(config_dir), SV("awl/undo"));
	if (fs_exists(all.dir.ptr))
		(void)!fs_walk(all.dir.ptr, undo_cleanup_visit_project, &all, &ignored);
	str_clear(&all.dir);
	map_clear(&all.cleanup.kept);
	return all.cleanup.removed;
}
