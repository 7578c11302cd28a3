#include "store/undo/undo_internal.h"

#include "base/limits.h"
#include "store/transcript/transcript.h"

void undo_dir(struct str *out, struct sv config_dir, struct sv cwd)
{
	defer(str_clear) struct str dir = STR_INIT;
	size_t key;

	transcript_dir(&dir, config_dir, cwd);
	key = sv_rfind_char(sv_of(&dir), '/') + 1;
	fs_join(out, config_dir, SV("awl/undo/"));
	str_add(out, sv_skip(sv_of(&dir), key));
}

struct undo *undo_new(const char *dir, const char *session_id, const char *skip,
		      const struct undo_limits *limits)
{
	struct undo *h = xnew(struct undo);
	defer(str_clear) struct str path = STR_INIT;

	str_addf(&path, "%s/%s.log", dir, session_id);
	h->dir = xstrdup(dir);
	h->session_id = xstrdup(session_id);
	h->skip = skip ? xstrdup(skip) : NULL;
	h->log_path = str_detach(&path);
	h->limits = *limits;
	h->limits.file_bytes = min_of(h->limits.file_bytes, (int64_t)LIMIT_UNDO_FILE);
	return h;
}

void undo_free(struct undo *h)
{
	if (!h)
		return;
	fs_log_close(h->log);
	undo_map_clear(&h->now);
	undo_map_clear(&h->cache);
	undo_pack_forget(h);
	free(h->looked_up);
	map_clear(&h->left_out);
	str_clear(&h->marks);
	free(h->dir);
	free(h->session_id);
	free(h->skip);
	free(h->log_path);
	free(h);
}

void undo_hurry(struct undo *h)
{
	atomic_store(&h->hurry, true);
}

struct undo_toll undo_toll(const struct undo *h)
{
	return h->toll;
}

void undo_mark(struct str *marks, enum undo_point_kind kind, struct sv uuid, struct sv title,
	       int64_t wall_ms)
{
	defer(mem_freep) char *name = sv_dup(uuid), *text = sv_dup(title);

	undo_log_point(marks,
		       &(struct undo_event){ .kind = kind == UNDO_COMMAND ? UNDO_EVENT_COMMAND
									  : UNDO_EVENT_PROMPT,
					     .wall_ms = wall_ms,
					     .uuid = name,
					     .text = text });
}

void undo_add_marks(struct undo *h, struct sv marks)
{
	str_add(&h->marks, marks);
}

/* --- what earlier processes have observed ------------------------------------------------- */

/* What was observed, unless its content is gone: then the file is read again. */
static struct undo_state undo_adopt_state(struct undo *h, const struct undo_path *p)
{
	struct undo_state state = undo_state_copy(&vec_last(&p->versions)->state);

	if (state.kind == UNDO_FILE && !undo_object_exists(h, &state))
		state.ctime_ns = 0;
	return state;
}

/* Take over the last observations of a journal, and where its contents are. */
static void undo_adopt(struct undo *h, struct map *map, struct undo_past *past)
{
	struct sv path;
	void *value;

	for (size_t i = 0; map_next(&past->paths, &i, &path, &value);) {
		const struct undo_path *versions = value;
		struct undo_known *known = xnew(struct undo_known);

		if (versions->versions.n)
			known->state = undo_adopt_state(h, versions);
		map_put(map, path, known);
		for (size_t v = 0; v < versions->versions.n; v++) {
			const struct undo_state *state = &versions->versions.at[v].state;

			if (state->kind == UNDO_FILE && state->text && undo_pack_has(h, state))
				undo_pack_know(h, state);
		}
	}
}

struct undo_newest {
	const char *dir;
	struct sv own; /* the session that is not looked for */
	struct str path;
	int64_t mtime_ns;
};

static enum fs_visit undo_find_newest(void *arg, const struct fs_entry *entry)
{
	struct undo_newest *n = arg;
	struct fs_info info;

	if (entry->kind == FS_DIR)
		return FS_SKIP;
	if (!sv_ends(entry->name, SV(".log")) || sv_starts(entry->name, n->own) ||
	    !fs_entry_info(&info, entry) || info.mtime_ns <= n->mtime_ns)
		return FS_GO_ON;
	n->mtime_ns = info.mtime_ns;
	str_truncate(&n->path, 0);
	fs_join(&n->path, sv_cstr(n->dir), entry->name);
	return FS_GO_ON;
}

/* What the last session knew saves reading files that have not changed since. */
static void undo_load_cache(struct undo *h)
{
	struct undo_newest newest = { .dir = h->dir, .own = sv_cstr(h->session_id) };
	defer(undo_past_freep) struct undo_past *past = xnew(struct undo_past);
	struct err ignored = ERR_INIT;

	if (fs_walk(h->dir, undo_find_newest, &newest, &ignored) && newest.path.len &&
	    undo_past_load(past, newest.path.ptr, &ignored))
		undo_adopt(h, &h->cache, past);
	str_clear(&newest.path);
}

static bool undo_load(struct undo *h, struct err *err)
{
	defer(undo_past_freep) struct undo_past *past = NULL;

	if (h->is_loaded)
		return true;
	past = xnew(struct undo_past);
	if (!undo_past_load(past, h->log_path, err))
		return false;
	undo_adopt(h, &h->now, past);
	h->stored = past->stored;
	h->is_loaded = true;
	return true;
}

/* --- observing ---------------------------------------------------------------------------- */

static void undo_save_path(struct undo *h, struct sv path, int64_t wall_ms, struct str *lines)
{
	defer(mem_freep) char *name = sv_dup(path);
	struct undo_state state = { .kind = UNDO_ABSENT };
	struct fs_info info;
	struct err ignored = ERR_INIT;

	/* What a link leads to is not ours. */
	if (undo_is_direct(name) && fs_info(&info, name, false, &ignored))
		undo_observe(h, name, &info, wall_ms, &state);
	(void)undo_learn(h, path, &state);
	undo_log_state(lines, path, &state);
}

/* A file that will be created may need directories that are not there yet. */
static void undo_save_missing_dirs(struct undo *h, struct sv path, struct str *lines)
{
	size_t slash = sv_rfind_char(path, '/');

	while (slash != SIZE_MAX && slash > 0) {
		defer(mem_freep) char *dir = sv_dup(sv_slice(path, 0, slash));
		struct undo_state absent = { .kind = UNDO_ABSENT };
		struct fs_info info;
		struct err ignored = ERR_INIT;

		if (fs_info(&info, dir, false, &ignored))
			return;
		(void)undo_learn(h, sv_cstr(dir), &absent);
		undo_log_state(lines, sv_cstr(dir), &absent);
		slash = sv_rfind_char(sv_cstr(dir), '/');
	}
}

static bool undo_save_write(struct undo *h, const struct undo_event *batch, struct str *lines,
			    struct err *err)
{
	if (h->failure.kind == ERR_NONE && undo_pack_flush(h, &h->failure) &&
	    undo_log_write(h, batch, lines, &h->failure))
		return true;
	*err = h->failure;
	h->failure = (struct err)ERR_INIT;
	undo_map_clear(&h->now); /* the journal is the truth: look again */
	undo_pack_forget(h);
	h->is_loaded = false;
	return false;
}

static bool undo_save_once(struct undo *h, const struct undo_scope *scope, struct err *err)
{
	struct undo_event batch = { .kind = scope->is_after ? UNDO_EVENT_AFTER : UNDO_EVENT_BEFORE,
				    .wall_ms = scope->wall_ms,
				    .is_complete = true };
	defer(str_clear) struct str lines = STR_INIT;
	bool ok;

	if (!undo_load(h, err))
		return false;
	if (scope->nroots && !h->scans)
		undo_load_cache(h);
	h->toll = (struct undo_toll){ 0 };
	for (size_t i = 0; i < scope->npaths; i++) {
		undo_save_path(h, scope->paths[i], scope->wall_ms, &lines);
		undo_save_missing_dirs(h, scope->paths[i], &lines);
	}
	for (size_t i = 0; i < scope->nroots; i++) {
		vec_push(&batch.roots, sv_dup(scope->roots[i]));
		batch.is_complete &= undo_scan(h, scope->roots[i], scope->wall_ms, &lines);
	}
	undo_map_clear(&h->cache);
	h->toll.is_incomplete = !batch.is_complete;
	atomic_store(&h->hurry, false);
	ok = undo_save_write(h, &batch, &lines, err);
	for (size_t i = 0; i < batch.roots.n; i++)
		free(batch.roots.at[i]);
	vec_clear(&batch.roots);
	return ok;
}

bool undo_save(struct undo *h, const struct undo_scope *scope, struct err *err)
{
	return undo_save_once(h, scope, err) ||
	       (err->kind == ERR_STALE && undo_save_once(h, scope, err));
}
