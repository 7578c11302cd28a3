#include "store/undo/undo_internal.h"

void undo_state_clear(struct undo_state *state)
{
	free(state->text);
	state->text = NULL;
}

struct undo_state undo_state_copy(const struct undo_state *state)
{
	struct undo_state copy = *state;

	copy.text = state->text ? xstrdup(state->text) : NULL;
	return copy;
}

static const char unreached[] = "awl had no time to look at it before it was changed";
static const char closed[] = "its directory cannot be read";
static const char left_out[] = "the directory has more than ";

struct undo_state undo_state_unreached(bool is_below_closed)
{
	return (struct undo_state){ .kind = UNDO_UNKEPT,
				    .text = xstrdup(is_below_closed ? closed : unreached) };
}

bool undo_state_is_unreached(const struct undo_state *state)
{
	return state->kind == UNDO_UNKEPT &&
	       (strcmp(state->text, unreached) == 0 || strcmp(state->text, closed) == 0);
}

struct undo_state undo_state_left_out(size_t ignored_files)
{
	defer(str_clear) struct str why = STR_INIT;

	str_addf(&why, "%s%zu ignored files", left_out, ignored_files);
	return (struct undo_state){ .kind = UNDO_UNKEPT, .text = str_detach(&why) };
}

bool undo_state_hides(const struct undo_state *state)
{
	return state->is_closed ||
	       (state->kind == UNDO_UNKEPT && sv_starts(sv_cstr(state->text), sv_cstr(left_out)));
}

bool undo_state_has_content(const struct undo_state *a, const struct undo_state *b)
{
	return a->kind == UNDO_FILE && b->kind == UNDO_FILE &&
	       memcmp(&a->digest, &b->digest, sizeof(a->digest)) == 0;
}

bool undo_state_is_same(const struct undo_state *a, const struct undo_state *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case UNDO_ABSENT: return true;
	case UNDO_DIR: return a->mode == b->mode;
	case UNDO_LINK: return strcmp(a->text, b->text) == 0;
	case UNDO_FILE: return a->mode == b->mode && undo_state_has_content(a, b);
	case UNDO_UNKEPT: return a->size == b->size && a->mtime_ns == b->mtime_ns;
	}
	return false;
}

/* Whether the content must still be what it was, so that it need not be read. */
static bool undo_observe_is_valid(const struct undo_state *known, const struct fs_info *info)
{
	return known->kind == UNDO_FILE && known->ctime_ns && known->size == info->size &&
	       known->mtime_ns == info->mtime_ns && known->ctime_ns == info->ctime_ns &&
	       known->inode == info->inode;
}

/* A file that could not be kept is tried again only when it has changed. */
static bool undo_observe_is_hopeless(const struct undo_state *known, const struct fs_info *info)
{
	return known->kind == UNDO_UNKEPT && known->ctime_ns && known->size == info->size &&
	       known->mtime_ns == info->mtime_ns && known->ctime_ns == info->ctime_ns;
}

static void undo_observe_file(struct undo *h, const char *path, const struct fs_info *info,
			      int64_t wall_ms, struct undo_state *out)
{
	const struct undo_known *known = map_get(&h->now, sv_cstr(path));

	if (!known)
		known = map_get(&h->cache, sv_cstr(path));
	if (known && (undo_observe_is_valid(&known->state, info) ||
		      undo_observe_is_hopeless(&known->state, info))) {
		*out = undo_state_copy(&known->state);
		out->mode = info->mode;
	} else {
		undo_object_keep(h, path, info, wall_ms, out);
	}
}

void undo_observe(struct undo *h, const char *path, const struct fs_info *info, int64_t wall_ms,
		  struct undo_state *out)
{
	defer(str_clear) struct str target = STR_INIT;
	struct err err = ERR_INIT;

	*out = (struct undo_state){ .kind = UNDO_DIR, .mode = info->mode };
	switch (info->kind) {
	case FS_DIR: break;
	case FS_FILE: undo_observe_file(h, path, info, wall_ms, out); break;
	case FS_LINK:
		out->kind = fs_readlink(&target, path, &err) ? UNDO_LINK : UNDO_UNKEPT;
		out->text = xstrdup(out->kind == UNDO_LINK ? str_c(&target) : err.text);
		break;
	case FS_OTHER:
		out->kind = UNDO_UNKEPT;
		out->text = xstrdup("it is not a regular file");
		break;
	}
}

bool undo_is_direct(const char *path)
{
	defer(str_clear) struct str dir = STR_INIT, real = STR_INIT;
	struct err ignored = ERR_INIT;

	str_adds(&dir, path);
	do {
		str_truncate(&dir, sv_rfind_char(sv_of(&dir), '/'));
		str_truncate(&real, 0);
	} while (dir.len && !fs_realpath(&real, dir.ptr, &ignored));
	return sv_eq(sv_of(&dir), sv_of(&real));
}

bool undo_learn(struct undo *h, struct sv path, struct undo_state *state)
{
	struct undo_known *known = map_get(&h->now, path);
	bool is_new = !known || !undo_state_is_same(&known->state, state) ||
		      known->state.is_closed != state->is_closed;

	if (!known) {
		known = xnew(struct undo_known);
		map_put(&h->now, path, known);
	}
	undo_state_clear(&known->state);
	known->state = *state;
	known->seen = h->scans;
	return is_new;
}

static void undo_known_free(struct undo_known *known)
{
	undo_state_clear(&known->state);
	free(known);
}

void undo_map_clear(struct map *map)
{
	struct sv key;
	void *value;

	for (size_t i = 0; map_next(map, &i, &key, &value);)
		undo_known_free(value);
	map_clear(map);
}
