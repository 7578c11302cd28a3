#include "machine/fs_tree.h"

#include <errno.h>

#include "base/limits.h"

enum { MAX_LINKS = 40, UMASK = 022 };

/* --- nodes ------------------------------------------------------------------- */

struct node *node_new(struct fs_tree *t, enum fs_kind kind, uint32_t mode)
{
	struct node *node = xnew(struct node);

	node->kind = kind;
	node->mode = kind == FS_LINK ? 0777 : mode & ~(uint32_t)UMASK;
	node->mtime_ns = sim_wall(t->world) * 1000000;
	node->inode = ++t->inodes;
	node->refs = 1;
	return node;
}

struct node *node_ref(struct node *node)
{
	node->refs++;
	return node;
}

void node_unref(struct node *node)
{
	if (!node || --node->refs)
		return;
	for (size_t i = 0; i < node->entries.n; i++) {
		free(node->entries.at[i].name);
		node_unref(node->entries.at[i].node);
	}
	vec_clear(&node->entries);
	node_clear_synced(node);
	str_clear(&node->data);
	free(node);
}

/* The position of `name` among the entries, or where it would be inserted. */
static size_t entry_at(const struct node *dir, struct sv name)
{
	size_t low = 0, high = dir->entries.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (sv_cmp(sv_cstr(dir->entries.at[mid].name), name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool entry_is(const struct node *dir, size_t i, struct sv name)
{
	return i < dir->entries.n && sv_eq(sv_cstr(dir->entries.at[i].name), name);
}

struct node *node_child(const struct node *dir, struct sv name)
{
	size_t i = entry_at(dir, name);

	return entry_is(dir, i, name) ? dir->entries.at[i].node : NULL;
}

void node_touched(struct fs_tree *t, struct node *node, struct node *dir, struct sv name)
{
	node->mtime_ns = sim_wall(t->world) * 1000000;
	node->changes++;
	sim_watch_changed(t->world, dir, name);
}

/* A removed directory may still be somebody's working directory; its parent may be
 * removed too. */
static void drop(struct fs_tree *t, struct node *node)
{
	if (node->kind == FS_DIR) {
		node->parent = t->root;
		sim_watch_gone(t->world, node);
	}
	node_unref(node);
}

static void insert_entry(struct node *dir, size_t i, struct node_entry entry)
{
	vec_push(&dir->entries, entry);
	for (size_t j = dir->entries.n - 1; j > i; j--)
		dir->entries.at[j] = dir->entries.at[j - 1];
	dir->entries.at[i] = entry;
}

void node_attach(struct fs_tree *t, const struct spot *at, struct node *node)
{
	struct sv name = sv_cstr(at->name);
	size_t i = entry_at(at->dir, name);

	if (node->kind == FS_DIR)
		node->parent = at->dir;
	if (entry_is(at->dir, i, name)) {
		drop(t, at->dir->entries.at[i].node);
		at->dir->entries.at[i].node = node;
	} else {
		insert_entry(at->dir, i, (struct node_entry){ sv_dup(name), node });
	}
	at->dir->mtime_ns = sim_wall(t->world) * 1000000;
	sim_watch_changed(t->world, at->dir, name);
}

void node_detach(struct fs_tree *t, struct node *dir, struct sv name)
{
	size_t i = entry_at(dir, name);
	struct node_entry entry = dir->entries.at[i];

	vec_remove(&dir->entries, i);
	dir->mtime_ns = sim_wall(t->world) * 1000000;
	sim_watch_changed(t->world, dir, name); /* `name` may be the entry's own */
	drop(t, entry.node);
	free(entry.name);
}

static const char *name_of(const struct node *dir)
{
	for (size_t i = 0; i < dir->parent->entries.n; i++)
		if (dir->parent->entries.at[i].node == dir)
			return dir->parent->entries.at[i].name;
	return "(removed)";
}

void node_path(struct str *out, const struct node *dir)
{
	defer(str_clear) struct str path = STR_INIT;

	if (dir->parent == dir)
		str_addc(&path, '/');
	for (; dir->parent != dir; dir = dir->parent) {
		str_splice(&path, 0, 0, sv_cstr(name_of(dir)));
		str_splice(&path, 0, 0, SV("/"));
	}
	str_add(out, sv_of(&path));
}

/* --- the tree ---------------------------------------------------------------- */

static void tree_init(struct sim_part *part, struct sim *w)
{
	struct fs_tree *t = container_of(part, struct fs_tree, part);

	t->world = w;
	t->space = SIZE_MAX;
	t->root = node_new(t, FS_DIR, 0755);
	t->root->parent = t->root;
	t->cwd = node_ref(t->root);
	if (fs_tree_mkdirs(t, "/tmp", true, 0777))
		BUG("an empty tree without room");
	node_sync_dir(t->root);
}

static void tree_clear(struct sim_part *part)
{
	struct fs_tree *t = container_of(part, struct fs_tree, part);

	node_unref(t->cwd);
	node_unref(t->root);
	for (size_t i = 0; i < t->lost.n; i++)
		node_unref(t->lost.at[i]);
	vec_clear(&t->lost);
}

static const struct sim_part_type tree_type = { .size = sizeof(struct fs_tree),
						.init = tree_init,
						.clear = tree_clear };

struct fs_tree *fs_tree(struct sim *w)
{
	return container_of(sim_part(w, &tree_type), struct fs_tree, part);
}

int fs_tree_may_change(const struct fs_tree *t, const struct node *dir)
{
	if (t->read_only)
		return EROFS;
	return dir && (dir->mode & 0300) == 0300 ? 0 : EACCES;
}

int fs_tree_take_space(struct fs_tree *t, int64_t more)
{
	if (t->space == SIZE_MAX)
		return 0;
	if (more > 0 && (size_t)more > t->space)
		return ENOSPC;
	t->space = (size_t)((int64_t)t->space - more);
	return 0;
}

/* --- paths ------------------------------------------------------------------- */

/* A path being resolved. */
struct way {
	struct node *at;
	struct str rest; /* components still to resolve */
	int links;       /* followed so far */
};

static void way_clear(struct way *way)
{
	str_clear(&way->rest);
}

/* Take the next component off the path. */
static struct sv next_part(struct str *rest, size_t *used)
{
	size_t from = 0, to;

	while (from < rest->len && rest->ptr[from] == '/')
		from++;
	for (to = from; to < rest->len && rest->ptr[to] != '/';)
		to++;
	*used = to;
	return sv_slice(sv_of(rest), from, to);
}

static bool is_last(const struct str *rest, size_t used)
{
	while (used < rest->len && rest->ptr[used] == '/')
		used++;
	return used >= rest->len;
}

static int follow_link(struct fs_tree *t, struct way *way, const struct node *link, size_t used)
{
	if (++way->links > MAX_LINKS)
		return ELOOP;
	str_splice(&way->rest, 0, used, sv_of(&link->data));
	if (sv_starts(sv_of(&link->data), SV("/")))
		way->at = t->root;
	return way->rest.len > LIMIT_PATH ? ENAMETOOLONG : 0;
}

/* Step to "." or "..", which need no name. */
static bool take_dots(struct way *way, struct sv part)
{
	if (sv_is(part, ".."))
		way->at = way->at->parent;
	else if (!sv_is(part, "."))
		return false;
	return true;
}

static int check_part(const struct node *at, struct sv part)
{
	if (at->kind != FS_DIR)
		return ENOTDIR;
	if (!(at->mode & 0100))
		return EACCES;
	return part.len > NODE_NAME_MAX ? ENAMETOOLONG : 0;
}

static void set_spot(struct spot *out, struct node *dir, struct sv name, struct node *node)
{
	*out = (struct spot){ .dir = dir, .node = node };
	memcpy(out->name, name.ptr, name.len);
}

/* The path ended at a directory itself: "/", "a/..", "a/.". */
static int end_at_dir(struct spot *out, struct node *dir)
{
	if (dir->parent == dir)
		set_spot(out, NULL, SV("/"), dir);
	else
		set_spot(out, dir->parent, sv_cstr(name_of(dir)), dir);
	return 0;
}

/* Resolve one component; set `*arrived` when it was the last. */
static int go_one(struct fs_tree *t, struct way *way, bool follow, struct spot *out, bool *arrived)
{
	struct node *child;
	size_t used;
	struct sv part = next_part(&way->rest, &used);
	bool last = is_last(&way->rest, used), slash = last && used < way->rest.len;
	int error;

	if (!part.len) {
		*arrived = true;
		return end_at_dir(out, way->at);
	}
	error = check_part(way->at, part);
	if (error)
		return error;
	if (!take_dots(way, part)) {
		child = node_child(way->at, part);
		if (!child && !last)
			return ENOENT;
		if (child && child->kind == FS_LINK && (!last || follow || slash))
			return follow_link(t, way, child, used);
		if (child && child->kind != FS_DIR && (slash || !last))
			return ENOTDIR;
		if (last) {
			*arrived = true;
			set_spot(out, way->at, part, child);
			return 0;
		}
		way->at = child;
	}
	str_consume(&way->rest, used);
	return 0;
}

int fs_tree_find(struct fs_tree *t, const char *path, bool follow, struct spot *out)
{
	defer(way_clear) struct way way = { .at = path[0] == '/' ? t->root : t->cwd };
	bool arrived = false;
	int error = 0;

	if (!path[0])
		return ENOENT;
	str_adds(&way.rest, path);
	if (way.rest.len >= LIMIT_PATH)
		return ENAMETOOLONG;
	while (!arrived && !error)
		error = go_one(t, &way, follow, out, &arrived);
	return error;
}

int fs_tree_get(struct fs_tree *t, const char *path, bool follow, struct spot *out)
{
	int error = fs_tree_find(t, path, follow, out);

	return error ? error : out->node ? 0 : ENOENT;
}

bool fs_tree_is_dir(struct fs_tree *t, const char *path)
{
	struct spot spot;

	return !fs_tree_get(t, path, true, &spot) && spot.node->kind == FS_DIR;
}

/* The first `len` bytes of `path` as a directory, created when missing; a dangling link
 * does not count as missing. */
static int make_dir(struct fs_tree *t, const char *path, size_t len, uint32_t mode)
{
	defer(mem_freep) char *part = sv_dup(sv_from(path, len));
	struct spot spot;
	int error = fs_tree_find(t, part, false, &spot);

	if (!error && spot.node)
		error = fs_tree_get(t, part, true, &spot);
	if (error)
		return error;
	if (spot.node)
		return spot.node->kind == FS_DIR ? 0 : EEXIST;
	error = fs_tree_may_change(t, spot.dir);
	if (!error)
		node_attach(t, &spot, node_new(t, FS_DIR, mode));
	return error;
}

int fs_tree_mkdirs(struct fs_tree *t, const char *path, bool whole, uint32_t mode)
{
	size_t len = strlen(path);
	int error = 0;

	while (len > 1 && path[len - 1] == '/')
		len--;
	for (size_t i = 1; i < len && !error; i++)
		if (path[i] == '/' && path[i - 1] != '/')
			error = make_dir(t, path, i, mode);
	return error || !whole ? error : make_dir(t, path, len, mode);
}
